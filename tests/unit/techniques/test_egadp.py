"""EGADP: what the papers promise exactly is exact; what does not fit its box is rotated."""

from __future__ import annotations

import numpy as np
import pytest

from correlated_tables import Drawn, cut, drawn_by, hard_table, released_by, widened
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.techniques.egadp import Egadp
from hushwood.techniques.fallbacks import OWN, ROTATION
from oracles import correlations as oracle


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
