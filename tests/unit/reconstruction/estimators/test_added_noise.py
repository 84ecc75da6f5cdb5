"""Noise of a share of every column's variance: filtered out of all columns together, or undone column by column."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood.reconstruction.estimators import recover_added_noise
from hushwood.reconstruction.recovered import Known, Recovered
from hushwood.tables.table import Table
from hushwood.techniques.added_noise import Sadp
from support.mixed_tables import number, table_of

FREE = Sadp(noise=1.0, bounded=False)


def recovered(released: Table, name: str, spectral: bool) -> Recovered:
    found = recover_added_noise(
        Known(released, name, (FREE,), together=tuple(released.columns), spectral=spectral)
    )
    assert isinstance(found, Recovered)
    return found


def table_with(columns: Floats) -> Table:
    return table_of(
        {f"x{j}": (number(f"x{j}", -99, 99, None), column.tolist()) for j, column in enumerate(columns.T)}
    )


def test_columns_of_one_cause_give_it_back() -> None:
    """Six columns are one cause each; noise of its variance averages out over them, but not in one column alone."""
    chance = np.random.default_rng(1)
    cause = chance.choice([-5.0, 5.0], 3_000) + chance.normal(0, 0.3, 3_000)
    true = np.tile(cause[:, None], 6)
    released = true + chance.normal(0, cause.std(), true.shape)
    found = recovered(table_with(released), "x2", spectral=True)
    assert found.way == "spectral filter, 6 columns"
    assert found.limits is not None
    before = np.histogram(cause, found.limits)[0] / len(cause)
    seen = np.histogram(released[:, 2], found.limits)[0] / len(cause)
    assert np.abs(found.shares - before).sum() < 0.85 * np.abs(seen - before).sum()


def test_a_single_column_is_undone_alone() -> None:
    chance = np.random.default_rng(2)
    released = table_with(chance.normal(0, 3, (500, 1)))
    assert recovered(released, "x0", spectral=True).way == recovered(released, "x0", spectral=False).way


def test_missing_numbers_do_not_count() -> None:
    chance = np.random.default_rng(3)
    columns = np.repeat(chance.normal(0, 5, (400, 1)), 3, axis=1) + chance.normal(0, 5, (400, 3))
    columns[:100, 1] = np.nan
    found = recovered(table_with(columns), "x1", spectral=True)
    assert float(found.shares.sum()) == pytest.approx(1)
    assert np.rint(found.shares * 300) == pytest.approx(found.shares * 300)
