"""The errors that a release reaches in the moments of its segments."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.evaluation.segment_moments import DrawnWay, ErrorSummary, drawn_together
from hushwood.releasing.engines.prepared_steps import PreparedStep
from hushwood.segments.segments import Segments
from hushwood.tables.domains import Intervals
from hushwood.tables.table import Table
from hushwood.techniques.class_permutations import Rpt
from hushwood.techniques.shuffle import Rotation
from support.mixed_tables import number, table_of, target

IDS = np.array([0, 0, 0, 0, 1, 1, 2], np.int32)


def table(x: list[float], y: list[float]) -> Table:
    return table_of(
        {
            "x": (number("x", 0, 9), x),
            "y": (number("y", 0, 9), y),
            "k": (target("k", "ab"), [0, 1, 0, 1, 0, 1, 0]),
        }
    )


def steps(original: Table) -> list[PreparedStep]:
    wide = {name: Intervals(np.zeros(3), np.full(3, 9.0), 0) for name in ("x", "y")}
    nothing = {name: np.zeros(3, bool) for name in ("x", "y")}
    segments = Segments(IDS, 3, wide, {}, nothing)
    return [
        PreparedStep(Rpt().prepare(original, ["k"], segments), IDS),
        PreparedStep(Rotation(within="segment").prepare(original, ["x", "y"], segments), IDS),
    ]


def test_errors_are_in_deviations_of_the_segment() -> None:
    original = table([1, 2, 3, 4, 5, 7, 8], [1, 1, 2, 2, 3, 3, 3])
    released = table([1, 2, 3, 5, 7, 5, 0], [1, 2, 1, 2, 3, 3, 9])
    found = drawn_together(original, released, steps(original), {"own": (1, 4), "noise": (1, 1)})
    assert found is not None
    assert found.columns == ("x", "y")
    assert found.technique == "rotation"
    assert found.ways == (DrawnWay("own", 1, 4), DrawnWay("noise", 1, 1))
    assert found.mean_error is not None
    assert found.covariance_error is not None
    before, after = np.array([1, 2, 3, 4.0]), np.array([1, 2, 3, 5.0])
    mean = (after.mean() - before.mean()) / before.std(ddof=1)
    assert (found.mean_error.largest, found.mean_error.mean) == pytest.approx((mean, mean * 4 / 6))
    variance = after.var(ddof=1) / before.var(ddof=1) - 1
    assert (found.covariance_error.largest or 0.0) >= variance - 1e-12


def test_an_untouched_table_has_no_error() -> None:
    original = table([1, 2, 3, 4, 5, 7, 8], [1, 1, 2, 2, 3, 3, 3])
    found = drawn_together(original, original, steps(original), {})
    assert found is not None
    assert found.mean_error == found.covariance_error == ErrorSummary(0.0, 0.0)


def test_without_a_group_there_are_no_errors() -> None:
    original = table([1, 2, 3, 4, 5, 7, 8], [1, 1, 2, 2, 3, 3, 3])
    assert drawn_together(original, original, steps(original)[:1], {}) is None


def test_constant_segments_have_no_deviation() -> None:
    original = table([5.0] * 7, [5.0] * 7)
    found = drawn_together(original, original, steps(original), {})
    assert found is not None
    assert found.mean_error is None
