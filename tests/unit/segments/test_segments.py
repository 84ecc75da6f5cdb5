"""Segments as data, and expected changes of class."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.segments.segments import Segments, boxes_of, codes_in, domain_intervals, expected_changes
from hushwood.tables.schema import Attribute, Schema
from support.mixed_tables import category, number
from support.small_trees import income_forest


def test_sizes_count_records_and_know_empty_segments() -> None:
    segments = Segments(np.array([2, 0, 2, 2], np.int32), 4, {}, {}, {})
    assert segments.sizes.tolist() == [1, 0, 3, 0]


def changes(*counts: int) -> float:
    codes = np.repeat(np.arange(len(counts)), counts)
    (found,) = expected_changes(codes, np.zeros(len(codes), int)).tolist()
    return float(found)


def test_two_classes_give_the_thesis_formula() -> None:
    """Errata A3: m = 5, n = 2 gives 2 · 5 · 2 / 7; m = n = 1 gives 1."""
    assert changes(5, 2) == pytest.approx(20 / 7)
    assert changes(1, 1) == 1


def test_three_classes_count_changes_between_minorities() -> None:
    """Errata A6: 6.545, where 2mn/(m+n) would say 5.454."""
    assert changes(6, 3, 2) == pytest.approx(6.545, abs=5e-4)


def test_homogeneous_segments_change_nothing() -> None:
    assert changes(9) == 0
    assert changes(0, 4) == 0


def test_missing_classes_count_as_a_value() -> None:
    found = expected_changes(np.array([-1, 0, 0, -1]), np.array([0, 0, 1, 1]))
    assert found.tolist() == [1, 1]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 3)), min_size=1, max_size=40))
def test_any_table_as_by_hand(cells: list[tuple[int, int]]) -> None:
    ids, codes = np.array([s for s, _ in cells]), np.array([c for _, c in cells])
    wanted = []
    for segment in range(int(ids.max()) + 1):
        counts = Counter(c for s, c in cells if s == segment)
        size = sum(counts.values())
        wanted.append(size - sum(n * n for n in counts.values()) / size if size else 0.0)
    np.testing.assert_allclose(expected_changes(codes, ids), wanted, atol=1e-12)


SCHEMA = Schema((number("age", 17, 90), category("sex", ("Female", "Male", "Other"))))


def test_bounds_of_every_node() -> None:
    forest = income_forest()
    boxes = boxes_of(forest.trees[0], forest, SCHEMA)
    assert boxes.low["age"].tolist() == [17, 17, 17, 17, 17, 21, 28]
    assert boxes.high["age"].tolist() == [90, 27, 27, 27, 20, 27, 90]
    assert boxes.tested["age"].tolist() == [False, True, True, True, True, True, True]


def test_category_sets_of_every_node() -> None:
    """Columns: Female, Male, Other, missing. The root's missing values follow Male."""
    forest = income_forest()
    boxes = boxes_of(forest.trees[1], forest, SCHEMA)
    assert boxes.allowed["sex"].astype(int).tolist() == [
        [1, 1, 1, 1],
        [1, 0, 0, 0],
        [0, 1, 1, 1],
        [0, 1, 0, 1],
        [0, 0, 1, 0],
    ]
    assert boxes.tested["sex"].tolist() == [False, True, True, True, True]
    assert "age" not in boxes.tested


def test_unseen_categories_go_where_missing_values_go() -> None:
    forest = income_forest()
    schema = Schema((number("age", 17, 90), category("sex", ("Male", "New", "Female"))))
    boxes = boxes_of(forest.trees[1], forest, schema)
    assert boxes.allowed["sex"].astype(int).tolist() == [
        [1, 1, 1, 1],
        [0, 0, 1, 0],
        [1, 1, 0, 1],
        [1, 1, 0, 1],
        [0, 0, 0, 0],
    ]


@pytest.mark.parametrize(
    ("precision", "below", "above"),
    [(0, 27, 28), (1, 270, 271), (None, 27.0, 27.0)],
    ids=["whole", "tenths", "real"],
)
def test_thresholds_move_to_the_tables_grid(precision: int | None, below: float, above: float) -> None:
    forest = income_forest()
    schema = Schema((number("age", 17, 90, precision), SCHEMA["sex"]))
    boxes = boxes_of(forest.trees[0], forest, schema)
    assert boxes.high["age"][1] == below
    assert boxes.low["age"][6] == above


def test_codes_in_a_forest() -> None:
    assert codes_in(category("c", "abc"), category("c", "cxa")).tolist() == [2, -1, 0, -1]
    assert codes_in(category("c", ""), category("c", "")).tolist() == [-1]


def test_domain_intervals_repeat_the_domain() -> None:
    intervals = domain_intervals(number("price", 0.5, 1, 1), 3)
    assert (intervals.low.tolist(), intervals.high.tolist()) == ([5] * 3, [10] * 3)
    assert np.array_equal(intervals.width, [6] * 3)


def test_a_tested_column_needs_a_domain() -> None:
    forest = income_forest()
    with pytest.raises(InputError, match="no domain"):
        boxes_of(forest.trees[0], forest, Schema((Attribute("age", "numeric"), SCHEMA["sex"])))
