from __future__ import annotations

import numpy as np

from hushwood.techniques.sequential.coded_columns import CodedColumn
from hushwood.techniques.sequential.proposal_trees import (
    column_order,
    linked_columns,
    predictors_of,
    with_linked,
)

CHANCE = np.random.default_rng(5)
ROWS = np.arange(400)
X = CHANCE.normal(size=400)


def numbers(name: str, values: np.ndarray) -> CodedColumn:
    return CodedColumn.of_numbers(name, values)


WEAK = numbers("weak", X + 3 * CHANCE.normal(size=400))
NONE = numbers("none", CHANCE.normal(size=400))
STRONG = numbers("strong", X + 0.1 * CHANCE.normal(size=400))
LABEL = CodedColumn.of_categories("y", (X > 0).astype(int), 2)


def test_the_column_that_says_most_about_the_class_comes_first() -> None:
    for threads in (1, 3):
        order = column_order([NONE, WEAK, STRONG], LABEL, ROWS, 5, threads)
        assert [column.name for column in order] == ["strong", "weak", "none"]


def test_without_a_class_the_column_that_says_most_about_the_others_comes_first() -> None:
    order = column_order([NONE, WEAK, STRONG, numbers("x", X)], None, ROWS, 5)
    assert {column.name for column in order[:2]} == {"strong", "x"}
    assert order[-1].name == "none"


def test_twenty_predictors_are_enough() -> None:
    others = [numbers(f"n{i}", CHANCE.normal(size=400)) for i in range(24)]
    chosen = predictors_of(numbers("x", X), [*others, STRONG], ROWS, 5)
    assert len(chosen) == 20
    assert chosen[-1] is STRONG
    assert predictors_of(numbers("x", X), others[:20], ROWS, 5) == others[:20]


def test_columns_that_say_the_same_are_linked() -> None:
    code = CHANCE.integers(0, 4, 400)
    level = CodedColumn.of_categories("level", code, 4)
    grade = numbers("grade", np.array([9.0, 7.0, 8.0, 1.0])[code])
    found = linked_columns([level, NONE, grade, LABEL])
    assert [(link.name, link.first) for link in found] == [("grade", "level")]
    assert np.array_equal(found[0].own[level.codes], grade.codes)
    both = with_linked({"level": level.with_codes(np.array([3, 0], np.int32))}, found)
    assert both["grade"].values().tolist() == [1.0, 9.0]
    # Unique numbers say the same as any others of that kind; that means nothing.
    assert linked_columns([numbers("a", X), numbers("b", -X)]) == []
    # One odd record, and they are no longer the same.
    other = grade.codes.copy()
    other[0] = other[0] % 4 + 1
    assert linked_columns([level, grade.with_codes(other)]) == []
