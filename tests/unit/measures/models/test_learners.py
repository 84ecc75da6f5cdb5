"""Our learners predict what our estimators predict; scikit-learn's learn from a keyed sample; trials keep partners
apart.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hushwood.measures.models.grown import Grown, builder_for
from hushwood.measures.models.learners import (
    ForestLearner,
    LibraryLearner,
    MajorityLearner,
    TreeLearner,
    library_learners,
    trial_for,
)
from hushwood.sklearn.classifiers import C45Classifier, SysForClassifier
from hushwood.tables.table import Table
from hushwood.trees.options import Builder, GrowOptions, SysForOptions
from support.mixed_tables import category, mixed_table, number, table_of, target
from support.table_pairs import STREAMS, context_for


def numbers(seed: int, rows: int) -> Table:
    chance = np.random.default_rng(seed)
    x, y = chance.integers(0, 20, rows), chance.integers(0, 20, rows)
    label = (x + y + chance.integers(0, 16, rows) > 24).astype(int) + (y > 15)
    return table_of(
        {
            "x": (number("x", 0, 19), x.tolist()),
            "y": (number("y", 0, 19), y.tolist()),
            "class": (target("class", ("a", "b", "c")), label.tolist()),
        }
    )


@pytest.mark.parametrize("variant", ["c45", "see5"])
def test_a_tree_predicts_what_the_estimator_predicts(variant: str) -> None:
    learnt, tried = numbers(1, 300), numbers(2, 200)
    matrix = [np.column_stack([t.columns["x"], t.columns["y"]]) for t in (learnt, tried)]
    tree = C45Classifier(variant=variant).fit(matrix[0], learnt.columns["class"])
    predict = TreeLearner().fit(Grown(learnt, Builder(GrowOptions(variant))))
    assert predict(tried).tolist() == tree.predict(matrix[1]).tolist()


def test_tree_and_forest_predict_what_the_estimators_predict() -> None:
    learnt, tried = numbers(1, 300), numbers(2, 200)
    grown = Grown(learnt, Builder(GrowOptions(min_leaf=5)))
    matrix = [np.column_stack([t.columns["x"], t.columns["y"]]) for t in (learnt, tried)]
    codes = learnt.columns["class"]
    tree = C45Classifier(min_leaf=5).fit(matrix[0], codes)
    assert TreeLearner().fit(grown)(tried).tolist() == tree.predict(matrix[1]).tolist()
    credal, surest = (
        SysForClassifier(min_leaf=5, voting=voting).fit(matrix[0], codes).predict(matrix[1]).tolist()
        for voting in ("credal", "voting1")
    )
    assert ForestLearner().fit(grown)(tried).tolist() == credal != surest


def test_the_majority_is_the_first_of_the_most_frequent_classes() -> None:
    table = table_of({"class": (target("class", ("a", "b", "c")), [2, 1, 2, 1, 0, -1, -1, -1])})
    predict = MajorityLearner().fit(Grown(table, Builder(GrowOptions())))
    assert predict(table).tolist() == [1] * 8


def test_without_attributes_all_learners_take_the_majority() -> None:
    table = table_of({"class": (target("class", ("a", "b")), [1, 1, 0])})
    for learner in (TreeLearner(), ForestLearner()):
        assert learner.fit(Grown(table, Builder(GrowOptions())))(table).tolist() == [1, 1, 1]


def test_gaps_and_categories_are_no_obstacle() -> None:
    table = mixed_table(1, 200)
    grown = Grown(table, Builder(GrowOptions(min_leaf=5)))
    known = table.columns["risk"] >= 0
    for learner in (TreeLearner(), ForestLearner()):
        right = learner.fit(grown)(table)[known] == table.columns["risk"][known]
        assert right.mean() > 0.6


def test_an_unknown_value_goes_down_all_branches() -> None:
    table = table_of(
        {
            "s": (category("s", ("p", "q", "r")), [0] * 40 + [1] * 30 + [2] * 30),
            "class": (target("class", ("a", "b")), [0] * 40 + [1] * 60),
        }
    )
    unknown = table.with_columns({"s": np.full(100, -1, np.int32)})
    # The heaviest branch says a, but all of them together say b.
    for learner in (TreeLearner(), ForestLearner()):
        predict = learner.fit(Grown(table, Builder(GrowOptions(min_leaf=2))))
        assert predict(unknown).tolist() == [1] * 100


def numbered(rows: int) -> Table:
    columns = {"x": (number("x", 0, rows), list(range(rows)))}
    return table_of({**columns, "class": (target("class", ("a", "b")), [i % 2 for i in range(rows)])})


def names(table: Table) -> list[int]:
    return [int(x) for x in table.columns["x"].tolist()]


def test_three_in_ten_are_kept_for_the_trial_with_their_partners() -> None:
    table = numbered(100)
    mirrored = table.take(np.arange(100)[::-1])
    trial = trial_for(table, mirrored, context_for(table, mirrored, partner=np.arange(100)[::-1]))
    assert trial.kind == "split"
    assert len(names(trial.unseen)) == 30
    assert sorted(names(trial.unseen) + names(trial.original.table)) == list(range(100))
    assert names(trial.released.table) == names(trial.original.table)


def test_dropped_partners_are_missing_in_the_training_only() -> None:
    table = numbered(100)
    partner = np.where(np.arange(100) < 50, -1, np.arange(100))
    trial = trial_for(table, table, context_for(table, table, partner=partner))
    assert len(names(trial.original.table)) == 70
    assert names(trial.released.table) == [x for x in names(trial.original.table) if x >= 50]


def test_the_split_is_keyed() -> None:
    table = numbered(100)
    once, again = (names(trial_for(table, table, context_for(table, table)).unseen) for _ in range(2))
    assert once == again != list(range(30))


def test_a_holdout_is_taken_as_it_is() -> None:
    table, holdout = numbered(20), numbered(7)
    context = context_for(table, table, holdout=holdout)
    trial = trial_for(table, table, context)
    assert (trial.kind, trial.unseen) == ("holdout", holdout)
    assert trial.original == context.original_grown
    assert trial.released == context.released_grown


def test_models_are_those_of_the_table_whatever_the_release_was_made_with() -> None:
    table = numbered(100)
    context = context_for(table, table)
    small = Builder(GrowOptions(min_leaf=2), SysForOptions(trees=1))
    other = replace(
        context,
        original_grown=replace(context.original_grown, builder=small),
        released_grown=replace(context.released_grown, builder=small),
    )
    trial = trial_for(table, table, other)
    assert trial.original.builder == trial.released.builder == builder_for(100) != small


def test_without_partners_the_original_is_tried_and_said_to_be_seen() -> None:
    table = numbered(20)
    trial = trial_for(table, table, context_for(table, table, paired=False))
    assert (trial.kind, trial.unseen) == ("perhaps seen", table)


each_learner = pytest.mark.parametrize("learner", library_learners(STREAMS, 400), ids=lambda one: one.name)


def separable(seed: int, rows: int) -> Table:
    """The class says whether x is positive, or the category is q."""
    chance = np.random.default_rng(seed)
    x, s = chance.normal(0, 100, rows), chance.integers(0, 3, rows)
    return table_of(
        {
            "x": (number("x", -500, 500, None), x.tolist()),
            "s": (category("s", ("p", "q", "r")), s.tolist()),
            "class": (target("class", ("a", "b", "never")), ((x > 0) | (s == 1)).astype(int).tolist()),
        }
    )


def grown(table: Table) -> Grown:
    return Grown(table, Builder(GrowOptions()))


@each_learner
def test_a_clear_pattern_is_learnt(learner: LibraryLearner) -> None:
    learnt, tried = separable(1, 400), separable(2, 300)
    found = learner.fit(grown(learnt))(tried)
    assert (found == tried.columns["class"]).mean() > 0.9


@each_learner
def test_the_same_key_gives_the_same_model(learner: LibraryLearner) -> None:
    table = mixed_table(1, 300)
    one, two = (learner.fit(grown(table))(table) for _ in range(2))
    assert one.tolist() == two.tolist()


@each_learner
def test_gaps_empty_columns_new_categories_and_large_numbers(learner: LibraryLearner) -> None:
    table = mixed_table(3, 200)
    learnt = table.with_columns(
        {
            "job": np.where(table.columns["job"] > 3, -1, table.columns["job"]),
            "ratio": table.columns["ratio"] * 1e60,
        }
    )
    tried = table.with_columns({"ratio": table.columns["ratio"] * 1e65, "void": np.ones(200)})
    assert set(learner.fit(grown(learnt))(tried).tolist()) <= {0, 1, 2}


@each_learner
def test_one_class_or_no_known_value_gives_the_majority(learner: LibraryLearner) -> None:
    table = separable(1, 50)
    constant = table.with_columns({"class": np.full(50, 1, np.int32)})
    assert learner.fit(grown(constant))(table).tolist() == [1] * 50
    unknown = table.with_columns({"x": np.full(50, np.nan), "s": np.full(50, -1, np.int32)})
    assert len(set(learner.fit(grown(unknown))(table).tolist())) == 1


@each_learner
def test_records_without_a_class_are_not_learnt_from(learner: LibraryLearner) -> None:
    table = separable(1, 200)
    codes = table.columns["class"].copy()
    codes[::2] = -1
    part = table.take(np.arange(1, 200, 2))
    with_gaps, without = (learner.fit(grown(t))(table) for t in (table.with_columns({"class": codes}), part))
    assert with_gaps.tolist() == without.tolist()


def test_a_large_table_is_sampled_by_the_key() -> None:
    table = separable(1, 300)
    learner = library_learners(STREAMS, 20)[1]
    rows = learner._sample(np.arange(100, 400))
    assert len(rows) == 20
    assert rows.tolist() == sorted(set(rows.tolist()))
    assert min(rows) >= 100
    assert replace(learner, most_rows=300)._sample(np.arange(300)).tolist() == list(range(300))
    assert learner.fit(grown(table))(table).tolist() == learner.fit(grown(table))(table).tolist()
