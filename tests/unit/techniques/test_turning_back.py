"""Numbers that left their box are turned back: exactly as far as moments go, with mates of their own kind only."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.egadp import Egadp
from hushwood.techniques.fallbacks import OWN, ROTATION, GroupPerturber
from hushwood.techniques.group_rows import GroupRows
from hushwood.techniques.turning_back import turned_back
from mixed_tables import number, table_of

Floats = NDArray[np.float64]

SIZE = 400


def people(seed: int = 1, low: float = -3.0, high: float = 3.0) -> Table:
    chance = np.random.default_rng(seed)
    kind = chance.integers(0, 2, SIZE)
    columns = {name: np.clip(chance.normal(size=SIZE) + kind / 2, low, high) for name in ("a", "b", "c")}
    risk = Attribute("risk", "categorical", categories=("high", "low"), role="class")
    numbers = {name: (number(name, low, high, None), values.tolist()) for name, values in columns.items()}
    return table_of({**numbers, "risk": (risk, kind.tolist())})


def rows_of(table: Table, perturber: GroupPerturber) -> GroupRows:
    ids = whole_table(table).ids
    return perturber._rows(table.columns, ids, range(table.rows), Streams(bytes(32)))


def prepared(table: Table, given: tuple[str, ...] | None = ()) -> GroupPerturber:
    return Egadp(given=given).prepare(table, ("a", "b", "c"), whole_table(table))


def moments(numbers: Floats, kind: NDArray[np.int32]) -> Floats:
    return np.cov(np.column_stack([numbers, kind]).T)


@pytest.mark.parametrize("given", [(), ("risk",)])
def test_a_few_numbers_outside_come_back_and_all_moments_stay(given: tuple[str, ...]) -> None:
    table = people()
    rows = rows_of(table, prepared(table, given))
    numbers = rows.numbers.copy()
    numbers[[3, 50, 51], [0, 1, 2]] = [3.2, -3.4, 3.1]
    before = numbers.copy()
    found, fits = turned_back(rows, numbers, np.ones(1, bool))
    assert fits.tolist() == [True]
    assert np.abs(found).max() <= 3
    assert found.mean(axis=0) == pytest.approx(before.mean(axis=0), abs=1e-14)
    np.testing.assert_allclose(np.cov(found.T), np.cov(before.T), atol=1e-13)
    moved = (found != before).any(axis=1)
    assert 5 <= moved.sum() <= 9, "three records and two mates of each"
    if given:
        kind = table.columns["risk"]
        np.testing.assert_allclose(moments(found, kind), moments(before, kind), atol=1e-13)


def test_many_numbers_outside_are_left_to_the_walk() -> None:
    table = people()
    rows = rows_of(table, prepared(table))
    numbers = rows.numbers.copy()
    numbers[:30, 0] = 3.1
    found, fits = turned_back(rows, numbers.copy(), np.ones(1, bool))
    assert fits.tolist() == [False]
    assert np.array_equal(found, numbers)


def test_cells_that_are_not_chosen_and_what_nobody_can_turn_stay() -> None:
    table = people()
    rows = rows_of(table, prepared(table))
    numbers = rows.numbers.copy()
    numbers[7, 1] = 1e6
    for chosen in (False, True):
        found, fits = turned_back(rows, numbers.copy(), np.array([chosen]))
        assert fits.tolist() == [False]
        assert np.array_equal(found, numbers)


def test_given_numbers_would_be_left_behind_so_nothing_is_turned() -> None:
    table = people()
    rows = rows_of(table, prepared(table, ("c",)))
    numbers = rows.numbers.copy()
    numbers[7, 0] = 3.3
    found, fits = turned_back(rows, numbers.copy(), np.ones(1, bool))
    assert fits.tolist() == [False]
    assert np.array_equal(found, numbers)


def test_exact_draws_of_ordinary_numbers_fit_now_and_narrow_ones_are_still_rotated() -> None:
    ways = {}
    for width in (3.0, 0.5):
        table = people(2, -width, width)
        perturber = prepared(table)
        ways[width] = perturber.drawn(rows_of(table, perturber))[1].tolist()
    assert ways == {3.0: [OWN], 0.5: [ROTATION]}
