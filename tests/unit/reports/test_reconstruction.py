"""Lines that a terminal shows about what was won back."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.reconstruction.miner import ClassMean, ColumnBack, WonBack
from hushwood.reports.reconstruction import MOST_ROWS, won_back_lines

CITY = ColumnBack(
    name="city",
    kind="categorical",
    techniques=("PRAM",),
    way="inverse matrix",
    reason="",
    exact=False,
    limits=None,
    labels=("Arm", "Mel"),
    released=np.array([0.6, 0.4, 0.0]),
    recovered=np.array([0.7, 0.3, 0.0]),
    errors=np.array([0.02, 0.02, 0.0]),
    original=np.array([0.72, 0.27, 0.01]),
    rules_out=None,
)


def test_a_recovered_column_in_full() -> None:
    lines = won_back_lines(WonBack((CITY,), (), None, ("A note.",)), ["city"])
    text = "\n".join(lines)
    assert lines[0] == "! A note."
    assert "0.130  0.030" in text
    assert "rules out" not in text
    assert "Arm       60.0%     70.0%      72.0%     ± 2.0%  " + "█" * 20 in text
    assert "(others)" in text


def test_long_columns_and_unknown_names() -> None:
    many = 3 * MOST_ROWS
    shares = np.append(np.full(many, 1 / many), 0.0)
    labels = tuple(f"c{i}" for i in range(many))
    long = ColumnBack(
        "job", "categorical", (), "", "Copied as it is.", True, None, labels, shares, None, None, None, None
    )
    lines = won_back_lines(WonBack((long,), (), None, ()), ["job"])
    assert lines[-1] == f"  ... and {many - MOST_ROWS} more; --json has all of them"
    assert "No column's noise can be undone." in lines
    with pytest.raises(InputError, match="height"):
        won_back_lines(WonBack((long,), (), None, ()), ["height"])


def test_means_by_class() -> None:
    lines = won_back_lines(WonBack((CITY,), (ClassMean("age", "ill", 40.0, 42.0, None),), None, ()))
    assert lines[-1].split() == ["age", "ill", "40", "42"]
    assert "original" not in lines[-2]
