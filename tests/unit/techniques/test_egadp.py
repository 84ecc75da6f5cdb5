"""EGADP: what the papers promise exactly is exact; what does not fit its box is rotated."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import Codes, Floats
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.gadp import Egadp, rotated_back
from hushwood.techniques.together.fallbacks import OWN, ROTATION
from hushwood.techniques.together.group_perturber import GroupPerturber
from hushwood.techniques.together.group_rows import GroupRows
from oracles import correlations as oracle
from support.correlated_tables import Drawn, cut, drawn_by, hard_table, released_by, widened
from support.mixed_tables import number, table_of


def correlation_of_residuals(done: Drawn, j: int) -> float:
    design = done.perturber.given.design(done.rows.columns).tolist()
    old, new = (oracle.residuals(x[:, j].tolist(), design) for x in (done.before, done.after))
    return oracle.correlation(old, new)


@pytest.mark.parametrize("rho", [0.0, 0.25, 0.9])
@pytest.mark.parametrize("given", [(), None, ("job", "x2")])
def test_residuals_have_exactly_the_wanted_correlation(rho: float, given: tuple[str, ...] | None) -> None:
    table = widened(hard_table(1, 60, ["real", "decimal", "real"]))
    done = drawn_by(Egadp(rho, given=given), table, whole_table(table))
    assert done.ways.tolist() == [OWN]
    for j in range(done.before.shape[1]):
        assert correlation_of_residuals(done, j) == pytest.approx(rho, abs=1e-9)


@pytest.mark.parametrize("given", [None, ("job", "x2")])
def test_links_to_given_columns_are_exact(given: tuple[str, ...] | None) -> None:
    table = widened(hard_table(2, 80, ["real", "whole", "real"], gaps=0.05))
    done = drawn_by(Egadp(given=given), table, whole_table(table))
    sizes = done.perturber.cells.sizes
    design = done.perturber.given.common_design(table.columns, done.cell, sizes)
    for c in np.flatnonzero(done.ways == OWN).tolist():
        here = done.cell == c
        known = done.perturber.cells.known[c]
        both = [np.concatenate([x[here][:, known], design[here]], axis=1) for x in (done.before, done.after)]
        assert np.allclose(np.cov(both[0].T), np.cov(both[1].T), rtol=1e-9, atol=1e-9)


def test_a_record_alone_in_its_class_moves_too() -> None:
    table = widened(hard_table(7, 60, ["real", "real"]))
    label = np.repeat(np.array([0, 1, 2], np.int32), [1, 2, 57])
    done = drawn_by(Egadp(), table.with_columns({"k": label}), whole_table(table))
    assert done.ways.tolist() == [OWN]
    assert np.abs(done.after - done.before).min() > 1e-6


def test_draws_are_normal_and_of_no_single_direction() -> None:
    """Over many keys a record's new deviation has the spread of its column and no mean."""
    table = widened(hard_table(3, 40, ["zeros", "real"]))
    segments = whole_table(table)
    found = np.array(
        [
            drawn_by(Egadp(given=()), table, segments, Streams(key.to_bytes(32, "big"))).after
            for key in range(300)
        ]
    )
    spread = np.std([table.columns[name] for name in ("x0", "x1")], axis=1)
    mean = np.mean([table.columns[name] for name in ("x0", "x1")], axis=1)
    z = (found - mean) / spread
    assert np.abs(z.mean(axis=0)).max() < 4.5 / np.sqrt(300)
    assert z.std(axis=0) == pytest.approx(np.ones((40, 2)), abs=0.25)


def test_cells_that_do_not_fit_are_rotated_and_as_exact() -> None:
    table = hard_table(4, 200, ["zeros", "binary", "real"])
    done = drawn_by(Egadp(within="segment"), table, cut(table, ("x2", 0.5)))
    assert done.ways.tolist() == [ROTATION, ROTATION]
    low, high = done.rows.room()
    assert ((done.after >= low[done.cell]) & (done.after <= high[done.cell])).all()
    for c in range(2):
        here = done.cell == c
        assert np.allclose(np.cov(done.after[here].T), np.cov(done.before[here].T), rtol=1e-9)


def test_few_numbers_outside_are_turned_back() -> None:
    """Normal numbers with the domain of their sample: most cells still take their own way, and are exact."""
    table = hard_table(5, 2000, ["real", "shared"])
    done = drawn_by(Egadp(), table, whole_table(table))
    assert done.ways.tolist() == [OWN]
    low, high = done.rows.room()
    assert ((done.after >= low[0]) & (done.after <= high[0])).all()
    assert np.allclose(np.cov(done.after.T), np.cov(done.before.T), rtol=1e-9)


def test_the_same_key_gives_the_same_numbers_and_another_does_not() -> None:
    table = hard_table(6, 100, ["real", "whole", "single"], gaps=0.1)
    segments = cut(table, ("x0", 0.5))
    one, again = (released_by(Egadp(within="segment"), table, segments) for _ in range(2))
    other = released_by(Egadp(within="segment"), table, segments, Streams(bytes(32)))
    for name in one:
        assert np.array_equal(one[name], again[name], equal_nan=True)
        assert not np.array_equal(one[name], other[name], equal_nan=True)


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
    return GroupRows.of(perturber, table.columns, ids, range(table.rows), Streams(bytes(32)))


def perturber_for(table: Table, given: tuple[str, ...] | None = ()) -> GroupPerturber:
    return Egadp(given=given).prepare(table, ("a", "b", "c"), whole_table(table))


def moments(numbers: Floats, kind: Codes) -> Floats:
    return np.cov(np.column_stack([numbers, kind]).T)


@pytest.mark.parametrize("given", [(), ("risk",)])
def test_a_few_numbers_outside_come_back_and_all_moments_stay(given: tuple[str, ...]) -> None:
    table = people()
    rows = rows_of(table, perturber_for(table, given))
    numbers = rows.numbers.copy()
    numbers[[3, 50, 51], [0, 1, 2]] = [3.2, -3.4, 3.1]
    before = numbers.copy()
    found, fits = rotated_back(rows, numbers, np.ones(1, bool))
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
    rows = rows_of(table, perturber_for(table))
    numbers = rows.numbers.copy()
    numbers[:30, 0] = 3.1
    found, fits = rotated_back(rows, numbers.copy(), np.ones(1, bool))
    assert fits.tolist() == [False]
    assert np.array_equal(found, numbers)


def test_cells_that_are_not_chosen_and_what_nobody_can_turn_stay() -> None:
    table = people()
    rows = rows_of(table, perturber_for(table))
    numbers = rows.numbers.copy()
    numbers[7, 1] = 1e6
    for chosen in (False, True):
        found, fits = rotated_back(rows, numbers.copy(), np.array([chosen]))
        assert fits.tolist() == [False]
        assert np.array_equal(found, numbers)


def test_given_numbers_would_be_left_behind_so_nothing_is_turned() -> None:
    table = people()
    rows = rows_of(table, perturber_for(table, ("c",)))
    numbers = rows.numbers.copy()
    numbers[7, 0] = 3.3
    found, fits = rotated_back(rows, numbers.copy(), np.ones(1, bool))
    assert fits.tolist() == [False]
    assert np.array_equal(found, numbers)


def test_exact_draws_of_ordinary_numbers_fit_now_and_narrow_ones_are_still_rotated() -> None:
    ways = {}
    for width in (3.0, 0.5):
        table = people(2, -width, width)
        perturber = perturber_for(table)
        ways[width] = perturber.drawn(rows_of(table, perturber))[1].tolist()
    assert ways == {3.0: [OWN], 0.5: [ROTATION]}
