from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.reconstruction import Disguise, disguised_accuracy, disguised_tree, undisguised_share
from hushwood.reconstruction.disguised import Answers
from hushwood.tables.table import Table
from hushwood.trees.forest import LEAF, Forest, Tree
from hushwood.trees.grow import grow_tree
from hushwood.trees.options import GrowOptions
from hushwood.trees.routing import class_weights
from hushwood.trees.training import TrainingSet
from oracles.reconstruction import disguised_counts, id3, kronecker_inverse, share_of
from support.disguised_tables import answers_table, disguised, from_counts, people
from support.mixed_tables import category, number, table_of, target

YES_NO = ("no", "yes")
NAMES = "abcd"


def groups_by_name(groups: list[list[int]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(NAMES[column] for column in group) for group in groups)


@settings(max_examples=50)
@given(
    counts=st.dictionaries(st.tuples(*[st.integers(0, 1)] * 4), st.integers(1, 5), min_size=1, max_size=8),
    groups=st.sampled_from([[[0, 1, 2, 3]], [[0, 1], [2, 3]], [[0], [1], [2], [3]], [[0, 3]], [[1], [2, 0]]]),
    truth=st.sampled_from([(3, 4), (1, 3), (4, 5), (1, 1), (0, 1)]),
    wanted=st.dictionaries(st.integers(0, 3), st.integers(0, 1), min_size=1, max_size=4),
)
def test_answers_in_exact_proportion_give_the_true_share(
    counts: dict[Any, int], groups: list[list[int]], truth: tuple[int, int], wanted: dict[int, int]
) -> None:
    table = from_counts(disguised_counts(counts, groups, truth))
    disguise = Disguise(truth[0] / truth[1], groups_by_name(groups))
    where = {NAMES[column]: YES_NO[code] for column, code in wanted.items()}
    found = undisguised_share(table, disguise, where)
    assert found.share == pytest.approx(share_of(counts, wanted), abs=1e-9)


def test_one_group_as_printed() -> None:
    codes = disguised(people(500, 1), 0.7, [range(6)], 2)
    table = answers_table(codes)
    asked, opposite = (np.mean((codes[:, 0] == v) & (codes[:, 5] == 1 - v)) for v in (1, 0))
    found = undisguised_share(table, Disguise(0.7), {"a": "yes", "f": "no"})
    assert found.share == pytest.approx((0.7 * asked - 0.3 * opposite) / 0.4)


def test_three_groups_as_a_kronecker_product() -> None:
    codes = disguised(people(800, 1), 0.8, [(0, 1), (2,), (3, 4, 5)], 3)
    wanted = {0: 1, 1: 0, 2: 1, 3: 0, 5: 1}
    parts = [[0, 1], [2], [3, 5]]
    seen = []
    for state in product((0, 1), repeat=3):
        fits = np.ones(len(codes), bool)
        for part, turned in zip(parts, state, strict=True):
            for column in part:
                fits &= codes[:, column] == (1 - wanted[column] if turned else wanted[column])
        seen.append(float(fits.mean()))
    disguise = Disguise(0.8, (("a", "b"), ("c",), ("d", "e", "f")))
    where = {"abcdef"[column]: YES_NO[code] for column, code in wanted.items()}
    found = undisguised_share(answers_table(codes), disguise, where)
    assert found.share == pytest.approx(kronecker_inverse(seen, 3, 0.8)[0])


@pytest.mark.parametrize("groups", [None, (("a", "b"), ("c", "d", "e", "f"))])
def test_unbiased_with_an_honest_error(groups: Any) -> None:
    codes = people(400, 4)
    parts = [range(6)] if groups is None else [(0, 1), (2, 3, 4, 5)]
    true = float(np.mean((codes[:, 0] == 1) & (codes[:, 5] == 1)))
    found = [
        undisguised_share(
            answers_table(disguised(codes, 0.8, parts, seed)), Disguise(0.8, groups), {"a": "yes", "f": "yes"}
        )
        for seed in range(300)
    ]
    estimates = np.array([share for share, _ in found])
    spread = float(estimates.std(ddof=1))
    assert abs(estimates.mean() - true) < 4 * spread / 300**0.5
    # The error counts the drawing of the 400 people too, which these tables share.
    drawn = true * (1 - true) / 400
    assert np.mean([error**2 for _, error in found]) == pytest.approx(spread**2 + drawn, rel=0.2)


def test_equal_records_are_counted_once() -> None:
    table = answers_table(people(5000, 5))
    answers = Answers.of(table, Disguise(0.7))
    assert answers.codes.shape[1] <= 64
    assert answers.counts.sum() == answers.total == 5000


def test_very_many_columns() -> None:
    chance = np.random.default_rng(1)
    codes = chance.integers(0, 2, (50, 70))
    names = [f"c{i}" for i in range(70)]
    table = table_of({n: (category(n, YES_NO), codes[:, i].tolist()) for i, n in enumerate(names)})
    found = undisguised_share(table, Disguise(0.9), {"c0": "yes"})
    assert found.share == pytest.approx((codes[:, 0].mean() * 0.9 - 0.1 * (1 - codes[:, 0].mean())) / 0.8)
    assert len(Answers.of(table, Disguise(0.9)).counts) == 50


def test_only_the_columns_asked_for_must_be_answers() -> None:
    table = table_of(
        {
            "age": (number("age", 0, 9), [1, 2, 3, 4]),
            "smokes": (category("smokes", YES_NO), [0, 1, 1, 1]),
            "city": (category("city", ("x", "y", "z")), [0, 1, 2, -1]),
        }
    )
    assert undisguised_share(table, Disguise(1.0), {"smokes": "yes"}).share == 0.75
    for name, value in (("age", "1"), ("city", "x")):
        with pytest.raises(InputError, match=f"'{name}' does not have exactly two categories"):
            undisguised_share(table, Disguise(1.0), {name: value})
    with pytest.raises(InputError, match="'smokes' has no category 'maybe'; it has no and yes"):
        undisguised_share(table, Disguise(1.0), {"smokes": "maybe"})
    with pytest.raises(InputError, match="'smokes' has missing answers"):
        gaps = table.with_columns({"smokes": np.array([-1, 0, 1, 1], np.int32)})
        undisguised_share(gaps, Disguise(1.0), {"smokes": "yes"})


@pytest.mark.parametrize(
    ("truth", "groups", "message"),
    [
        (0.5, None, "pure chance"),
        (1.5, None, "between 0 and 1"),
        (0.8, (("a", "b"), ("b",)), "in several: b"),
    ],
)
def test_wrong_disguises_are_refused(truth: float, groups: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Disguise(truth, groups)


def test_unknown_columns_in_groups_are_named() -> None:
    with pytest.raises(InputError, match="no column of answers 'zip'"):
        undisguised_share(answers_table(people(5, 1)), Disguise(0.8, (("a", "zip"),)), {"a": "yes"})


ALL = [range(6)]
TWO = [(0, 1, 5), (2, 3, 4)]
TWO_NAMED = (("a", "b", "f"), ("c", "d", "e"))


def noisy_people(size: int, seed: int) -> Integers:
    """The same people, one of twenty with the other class."""
    codes = people(size, seed)
    codes[:, -1] ^= np.random.default_rng([seed, 1]).random(size) < 0.05
    return codes


def plain(table: Table, **options: Any) -> Tree:
    grow = GrowOptions(criterion="information_gain", prune=False, **options)
    return grow_tree(TrainingSet.from_table(table), grow)


def same(tree: Tree, other: Tree) -> bool:
    return np.array_equal(tree.attribute, other.attribute) and np.array_equal(tree.label, other.label)


def shape(tree: Tree, node: int = 0) -> object:
    """The tree as the oracle writes it."""
    if tree.attribute[node] == LEAF:
        return int(tree.label[node])
    return (int(tree.attribute[node]), *(shape(tree, child) for child in tree.branches_of(node).tolist()))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("criterion", ["information_gain", "gain_ratio", "gini"])
def test_truth_alone_gives_the_tree_of_the_truth(seed: int, criterion: str) -> None:
    codes = noisy_people(300, seed)
    expected = grow_tree(
        TrainingSet.from_table(answers_table(codes)),
        GrowOptions(criterion=criterion, prune=False, min_leaf=5),
    )
    for truth, answered in ((1.0, codes), (0.0, 1 - codes)):
        found = disguised_tree(
            answers_table(answered), Disguise(truth), criterion=criterion, min_leaf=5, significance=1.0
        )
        assert same(found.trees[0], expected)
        np.testing.assert_allclose(found.trees[0].counts, expected.counts, atol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_truth_and_lies_alone_give_one_tree(seed: int) -> None:
    codes = noisy_people(2000, seed)
    truth = disguised_tree(answers_table(codes), Disguise(1.0)).trees[0]
    lies = disguised_tree(answers_table(1 - codes), Disguise(0.0)).trees[0]
    assert len(truth) > 5
    assert same(truth, lies)


@pytest.mark.parametrize(
    ("groups", "named"), [(ALL, None), (TWO, TWO_NAMED), ([range(5)], (tuple("abcde"),))]
)
@pytest.mark.parametrize("truth", [(3, 4), (1, 5)])
def test_answers_in_exact_proportion_give_the_tree_of_the_truth(
    groups: Any, named: Any, truth: tuple[int, int]
) -> None:
    rows, times = np.unique(noisy_people(200, 1), axis=0, return_counts=True)
    counts = {tuple(row): n for row, n in zip(rows.tolist(), times.tolist(), strict=True)}
    table = from_counts(disguised_counts(counts, groups, truth))
    found = disguised_tree(
        table, Disguise(truth[0] / truth[1], named), min_leaf=3 * table.rows / 200, significance=1.0
    )
    assert same(found.trees[0], plain(from_counts(counts), min_leaf=3))


def test_the_oracle_tree() -> None:
    counts = {
        (*row, int(row[1] if row[0] else row[2] and not row[1])): 2 + row[0] + 3 * row[1] + row[2]
        for row in product((0, 1), repeat=3)
    }
    found = disguised_tree(
        from_counts(disguised_counts(counts, [range(4)], (3, 4))),
        Disguise(0.75),
        min_leaf=1,
        significance=1.0,
    )
    assert shape(found.trees[0]) == id3(counts, [0, 1, 2])


@pytest.mark.parametrize(("groups", "named"), [(ALL, None), (TWO, TWO_NAMED)])
@pytest.mark.parametrize("truth", [0.75, 0.15])
def test_many_records_give_the_tree_of_the_truth(groups: Any, named: Any, truth: float) -> None:
    size = 100_000
    codes = people(size, 3)
    expected = disguised_tree(answers_table(codes), Disguise(1.0)).trees[0]
    assert shape(expected) == shape(plain(answers_table(codes)))
    found = disguised_tree(answers_table(disguised(codes, truth, groups, 4)), Disguise(truth, named)).trees[0]
    assert same(found, expected)
    np.testing.assert_allclose(found.counts, expected.counts, atol=0.02 * size)


def test_columns_that_have_nothing_to_do_with_it_are_not_tested() -> None:
    """Without the test of significance the errors of the disguise would be taken for rules."""
    codes = np.random.default_rng(1).integers(0, 2, (4000, 6))
    table = answers_table(disguised(codes, 0.7, ALL, 2))
    assert len(disguised_tree(table, Disguise(0.7)).trees[0]) == 1
    assert len(disguised_tree(table, Disguise(0.7), significance=1.0).trees[0]) > 10


@pytest.mark.parametrize("seed", range(5))
def test_negative_estimates_count_as_none(seed: int) -> None:
    """Few records behind a heavy disguise: many shares are estimated below 0."""
    table = answers_table(disguised(people(60, seed), 0.65, ALL, seed + 50))
    tree = disguised_tree(table, Disguise(0.65), min_leaf=1, significance=1.0).trees[0]
    assert len(tree) > 1
    assert (tree.counts >= 0).all()
    empty = (tree.counts == 0).all(axis=1)
    assert (tree.attribute[empty] == LEAF).all()


def right(forest: Forest, codes: Integers) -> float:
    weights = class_weights(forest.trees[0], [codes[:, i] for i in range(codes.shape[1] - 1)])
    return float((weights.argmax(axis=1) == codes[:, -1]).mean())


@pytest.mark.parametrize(("groups", "named"), [(ALL, None), (TWO, TWO_NAMED)])
def test_accuracy_from_disguised_records(groups: Any, named: Any) -> None:
    forest = disguised_tree(answers_table(noisy_people(3000, 5)), Disguise(1.0))
    rows, times = np.unique(noisy_people(400, 6), axis=0, return_counts=True)
    counts = {tuple(row): n for row, n in zip(rows.tolist(), times.tolist(), strict=True)}
    exact = from_counts(disguised_counts(counts, groups, (3, 4)))
    found = disguised_accuracy(forest, exact, Disguise(0.75, named))
    assert found.share == pytest.approx(right(forest, np.repeat(rows, times, axis=0)))
    drawn = disguised_accuracy(
        forest, answers_table(disguised(noisy_people(20_000, 7), 0.75, groups, 80)), Disguise(0.75, named)
    )
    assert drawn.share == pytest.approx(right(forest, noisy_people(20_000, 7)), abs=4 * drawn.error)


def test_accuracy_in_one_group_as_printed() -> None:
    """Right as answered, and right with every answer turned around."""
    codes = noisy_people(2000, 9)
    forest = disguised_tree(answers_table(codes), Disguise(1.0))
    answers = disguised(codes, 0.8, ALL, 10)
    expected = (0.8 * right(forest, answers) - 0.2 * right(forest, 1 - answers)) / 0.6
    assert disguised_accuracy(forest, answers_table(answers), Disguise(0.8)).share == pytest.approx(expected)


def test_depth_and_leaves_are_limited() -> None:
    table = answers_table(noisy_people(1000, 2))
    assert len(disguised_tree(table, Disguise(1.0), max_depth=1).trees[0]) == 3
    assert len(disguised_tree(table, Disguise(1.0), min_leaf=900).trees[0]) == 1


def test_every_column_may_be_tested() -> None:
    """The errors of the disguise leave no node pure, so that paths end only where no column is left."""
    codes = people(3000, 4)[:, [0, 1, 5]]
    table = answers_table(disguised(codes, 0.8, [range(3)], 5))
    tree = disguised_tree(table, Disguise(0.8)).trees[0]
    assert shape(tree)[0] in (0, 1)  # type: ignore[index]
    no_column = table_of({"y": (target("y", ("no", "yes")), [0, 1, 1])})
    assert disguised_tree(no_column, Disguise(0.8)).trees[0].label.tolist() == [1]


def test_a_class_and_answers_are_needed() -> None:
    with pytest.raises(InputError, match="No class column"):
        disguised_tree(table_of({"x": (number("x", 0, 1), [0, 1])}), Disguise(0.8))
    numbers = table_of({"x": (number("x", 0, 1), [0, 1]), "y": (target("y", ("no", "yes")), [0, 1])})
    with pytest.raises(InputError, match="'x' does not have exactly two categories"):
        disguised_tree(numbers, Disguise(0.8))
    with pytest.raises(InputError, match="significance must be above 0"):
        disguised_tree(answers_table(people(9, 1)), Disguise(0.8), significance=0.0)


def test_other_categories_than_the_tree_learnt_are_refused() -> None:
    forest = disguised_tree(answers_table(people(100, 1)), Disguise(1.0))
    other = answers_table(people(100, 1))
    schema = other.schema.with_attribute(target("f", ("0", "1")))
    with pytest.raises(InputError, match="'f' has the categories 0, 1"):
        disguised_accuracy(forest, replace(other, schema=schema), Disguise(0.8))
