"""ROTATION: exact moments, values inside their boxes, and records that cannot be told again."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.segments.partition import whole_table
from hushwood.techniques.shuffle import Rotation
from hushwood.techniques.together.fallbacks import OWN
from support.correlated_tables import cut, drawn_by, hard_table, outside, released_by


@pytest.mark.parametrize("given", [(), None, ("job", "x0")])
def test_moments_are_exact_and_values_inside(given: tuple[str, ...] | None) -> None:
    table = hard_table(1, 150, ["real", "zeros", "whole", "double", "offset", "constant", "binary"])
    segments = cut(table, ("x0", 0.5), ("x2", 0.7))
    done = drawn_by(Rotation(within="segment", given=given), table, segments)
    assert (done.ways == OWN).all()
    for s in range(segments.count):
        old, new = (x[segments.ids == s] for x in (done.before, done.after))
        spread = old.std(axis=0) + 1e-6 * np.abs(old).max(axis=0)
        assert np.abs((new - old).mean(axis=0) / spread).max() < 1e-9
        change = np.abs(np.cov(new.T) - np.cov(old.T)) / np.outer(spread, spread)
        assert change.max() < 1e-8
    assert (
        outside(
            table, segments, "segment", released_by(Rotation(within="segment", given=given), table, segments)
        )
        == []
    )


def test_no_record_goes_out_as_it_came() -> None:
    """Not even under another number: rotations mix numbers, they do not only exchange records."""
    table = hard_table(2, 400, ["real", "whole", "decimal"])
    found = released_by(Rotation(given=()), table, whole_table(table))
    old = {tuple(row) for row in np.stack([table.columns[n] for n in found], axis=1).tolist()}
    new = [tuple(row) for row in np.stack(list(found.values()), axis=1).tolist()]
    assert sum(row in old for row in new) == 0


def test_values_at_the_end_of_their_box_are_mixed_with_their_likes() -> None:
    """Nine of ten numbers are 0, the lowest allowed: they still get other companions."""
    table = hard_table(3, 1000, ["zeros", "real"])
    done = drawn_by(Rotation(given=()), table, whole_table(table))
    assert (done.after[:, 0] >= 0).all()
    assert (done.after != done.before).mean() > 0.95
    assert abs(np.corrcoef(done.before[:, 1], done.after[:, 1])[0, 1]) < 0.1


def test_three_records_are_the_fewest() -> None:
    for rows, moved in ((2, False), (3, True)):
        table = hard_table(4, rows, ["real", "real"])
        done = drawn_by(Rotation(given=(), alone=None), table, whole_table(table))
        assert (done.ways[0] == OWN) == moved
