from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.techniques.kernels import sequential as kernels
from hushwood.techniques.sequential.coded_columns import CodedColumn, mid_ranks
from hushwood.techniques.sequential.proposal_trees import (
    association,
    column_order,
    grow_proposal_tree,
    linked_columns,
    predictors_of,
    with_linked,
)
from oracles import segment_shuffle as oracle


def numbers(name: str, values: list[float]) -> CodedColumn:
    return CodedColumn.of_numbers(name, np.array(values))


def categories(name: str, codes: list[int], count: int) -> CodedColumn:
    return CodedColumn.of_categories(name, np.array(codes), count)


def grown_leaves(
    bins: np.ndarray, target: np.ndarray, classes: int, least: int, most_leaves: int = 0
) -> list[frozenset[int]]:
    rows = np.arange(len(target), dtype=np.int32)
    predictor, _, _, begin, end, _ = kernels.grow(bins, target, classes, rows, least, most_leaves)
    return [frozenset(rows[a:b].tolist()) for p, a, b in zip(predictor, begin, end, strict=True) if p < 0]


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.booleans(), st.integers(1, 6))
def test_the_tree_has_the_leaves_of_the_slow_one(seed: int, numeric: bool, least: int) -> None:
    chance = np.random.default_rng(seed)
    rows = int(chance.integers(2, 40))
    bins = chance.integers(0, chance.integers(2, 9), (int(chance.integers(1, 4)), rows)).astype(np.uint8)
    codes = chance.integers(0, 4, rows).astype(np.int32)
    target = mid_ranks(codes, 4) if numeric else codes.astype(np.int64)
    found = grown_leaves(bins, target, 0 if numeric else 4, least)
    assert set(found) == set(oracle.leaves(bins.tolist(), target.tolist(), numeric, least))


def test_a_tree_of_few_leaves_makes_the_best_cuts_first() -> None:
    """The first predictor gains most at 3; of the two halves only the upper one can be cut again."""
    bins = np.array([[0, 1, 2, 3, 4, 5, 6, 7]], np.uint8)
    target = np.array([0, 0, 0, 0, 10, 10, 30, 30], np.int64)
    assert set(grown_leaves(bins, target, 0, 1, most_leaves=2)) == {frozenset(range(6)), frozenset((6, 7))}
    assert len(grown_leaves(bins, target, 0, 1, most_leaves=3)) == 3


def test_donors_are_drawn_from_the_leaf() -> None:
    x = numbers("x", [1, 2, 3, 4, 5, 6, 7, 8])
    y = numbers("y", [5, 5, 6, 6, 90, 91, 92, 93])
    tree = grow_proposal_tree(y, [x], np.arange(8), 4)
    leaves = tree.leaves({"x": x}, 8)
    assert len(set(leaves.tolist())) == 2
    for u in (0.0, 0.3, 0.6, 0.999):
        drawn = tree.draw(leaves, np.full(8, u))
        assert y.numbers is not None
        assert ((y.numbers[drawn] > 50) == (np.arange(8) >= 4)).all()
    assert {int(tree.draw(leaves[:1], np.array([u]))[0]) for u in (0.1, 0.9)} == {1, 2}


def test_categories_with_like_targets_go_together() -> None:
    levels = [0, 1, 2, 3] * 10
    y = categories("y", [int(level in (0, 3)) for level in levels], 2)
    tree = grow_proposal_tree(y, [categories("x", levels, 4)], np.arange(40), 5)
    assert len(tree.predictor) == 3
    shares = tree.shares(3)
    leaf = tree.leaves({"x": categories("x", levels, 4)}, 40)
    assert shares[leaf, 1].tolist() == [float(level in (0, 3)) for level in levels]


def test_an_unseen_level_gets_a_way_too() -> None:
    x = CodedColumn("x", np.array([0, 0, 1, 1] * 5, np.int32), 4)
    tree = grow_proposal_tree(numbers("y", [1, 2, 8, 9] * 5), [x], np.arange(20), 2)
    unseen = x.with_codes(np.full(3, 3, np.int32))
    assert (tree.predictor[tree.leaves({"x": unseen}, 3)] < 0).all()


def test_missing_numbers_of_a_predictor_lie_below_all_others() -> None:
    x = numbers("x", [np.nan, np.nan, 1, 2, 3, 4])
    tree = grow_proposal_tree(numbers("y", [100, 100, 1, 1, 1, 1]), [x], np.arange(6), 2)
    leaf = tree.leaves({"x": x}, 6)
    assert leaf[0] == leaf[1] != leaf[2]


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_change_no_leaf(threads: int) -> None:
    chance = np.random.default_rng(3)
    x = numbers("x", chance.normal(size=150_000).tolist())
    y = numbers("y", (x.values() + chance.normal(size=150_000)).tolist())
    tree = grow_proposal_tree(y, [x], np.arange(2_000), 50)
    assert np.array_equal(tree.leaves({"x": x}, 150_000, threads), tree.leaves({"x": x}, 150_000))


def test_association_is_higher_where_more_is_known() -> None:
    chance = np.random.default_rng(1)
    x = chance.normal(size=500)
    close, far = x + 0.1 * chance.normal(size=500), x + 3 * chance.normal(size=500)
    rows = np.arange(500)
    ties = [
        association(numbers("x", x.tolist()), numbers("p", p.tolist()), rows, 5)
        for p in (close, far, chance.normal(size=500))
    ]
    assert ties[0] > ties[1] > ties[2] >= 0
    assert association(numbers("x", [np.nan] * 4), numbers("p", [1, 2, 3, 4]), np.arange(4), 1) == 0


CHANCE = np.random.default_rng(5)
ROWS = np.arange(400)
X = CHANCE.normal(size=400)


def numbers_column_order(name: str, values: np.ndarray) -> CodedColumn:
    return CodedColumn.of_numbers(name, values)


WEAK = numbers_column_order("weak", X + 3 * CHANCE.normal(size=400))
NONE = numbers_column_order("none", CHANCE.normal(size=400))
STRONG = numbers_column_order("strong", X + 0.1 * CHANCE.normal(size=400))
LABEL = CodedColumn.of_categories("y", (X > 0).astype(int), 2)


def test_the_column_that_says_most_about_the_class_comes_first() -> None:
    for threads in (1, 3):
        order = column_order([NONE, WEAK, STRONG], LABEL, ROWS, 5, threads)
        assert [column.name for column in order] == ["strong", "weak", "none"]


def test_without_a_class_the_column_that_says_most_about_the_others_comes_first() -> None:
    order = column_order([NONE, WEAK, STRONG, numbers_column_order("x", X)], None, ROWS, 5)
    assert {column.name for column in order[:2]} == {"strong", "x"}
    assert order[-1].name == "none"


def test_twenty_predictors_are_enough() -> None:
    others = [numbers_column_order(f"n{i}", CHANCE.normal(size=400)) for i in range(24)]
    chosen = predictors_of(numbers_column_order("x", X), [*others, STRONG], ROWS, 5)
    assert len(chosen) == 20
    assert chosen[-1] is STRONG
    assert predictors_of(numbers_column_order("x", X), others[:20], ROWS, 5) == others[:20]


def test_columns_that_say_the_same_are_linked() -> None:
    code = CHANCE.integers(0, 4, 400)
    level = CodedColumn.of_categories("level", code, 4)
    grade = numbers_column_order("grade", np.array([9.0, 7.0, 8.0, 1.0])[code])
    found = linked_columns([level, NONE, grade, LABEL])
    assert [(link.name, link.first) for link in found] == [("grade", "level")]
    assert np.array_equal(found[0].own[level.codes], grade.codes)
    both = with_linked({"level": level.with_codes(np.array([3, 0], np.int32))}, found)
    assert both["grade"].values().tolist() == [1.0, 9.0]
    # Unique numbers say the same as any others of that kind; that means nothing.
    assert linked_columns([numbers_column_order("a", X), numbers_column_order("b", -X)]) == []
    # One odd record, and they are no longer the same.
    other = grade.codes.copy()
    other[0] = other[0] % 4 + 1
    assert linked_columns([level, grade.with_codes(other)]) == []
