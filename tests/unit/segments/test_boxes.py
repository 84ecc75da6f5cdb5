from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.segments.segments import boxes_of, codes_in, domain_intervals
from hushwood.tables.schema import Attribute, Schema
from support.mixed_tables import category, number
from support.small_trees import income_forest

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
