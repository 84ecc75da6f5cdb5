from __future__ import annotations

import numpy as np
import pytest

from hushwood.tables.columns import precision
from hushwood.tables.columns.precision import decimals, fits
from hushwood.tables.kernels.decimal_grid import all_on_grid


def test_one_number_off_the_grid_is_found() -> None:
    on_grid = np.array([0.1, 2.5, np.nan, -3.0, np.inf])
    assert all_on_grid(on_grid, 10.0, 1e9)
    assert not all_on_grid(np.append(on_grid, 0.25), 10.0, 1e9)
    assert not all_on_grid(np.append(on_grid, 1e9), 10.0, 1e9)
    assert all_on_grid(np.zeros(0), 10.0, 1e9)


@pytest.mark.parametrize("value", [0.125, 1e15, -0.0, np.nan, np.inf, 123456.7])
def test_long_columns_are_judged_like_short_ones(value: float, monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.append(np.arange(500) / 10, value)
    short = decimals(values), [fits(values, p) for p in range(5)]
    monkeypatch.setattr(precision, "_LONG", 1)
    assert (decimals(values), [fits(values, p) for p in range(5)]) == short
