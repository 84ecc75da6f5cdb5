from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from hushwood.arrays import Array, Floats, Integers
from hushwood.errors import InputError
from hushwood.sklearn import C45Classifier, SysForClassifier
from hushwood.tables.schema import Attribute
from hushwood.trees.forest import Forest, same_tests
from hushwood.trees.grow import GrowOptions, grow_forest, grow_tree
from hushwood.trees.model_file import forest_from_json, forest_to_json
from hushwood.trees.options import SysForOptions
from hushwood.trees.routing import VOTINGS, class_weights, counts_reached, leaf_of_each
from hushwood.trees.training import TrainingSet
from oracles.see5_tables import hard_case

COLOURS = pl.DataFrame({"colour": ["red", "red", "red", "blue", "blue"]})
ANSWERS = ["no", "no", "no", "yes", "yes"]
each_classifier = pytest.mark.parametrize("make", [C45Classifier, SysForClassifier])


def _no_weights(estimator: Any) -> dict[str, str]:
    """The checks that fit with weights, for builders that take none."""
    if estimator.variant in {"c45", "j48"}:
        return {}
    checks = ("pandas_series", "not_an_array", "list", "shape", "not_overwritten")
    names = [f"check_sample_weights_{name}" for name in checks]
    names += [
        "check_sample_weight_equivalence_on_dense_data",
        "check_classifiers_one_label_sample_weights",
        "check_class_weight_classifiers",
    ]
    return dict.fromkeys(names, f"trees of {estimator.variant} take no weights, and say so")


@parametrize_with_checks(  # type: ignore[untyped-decorator]
    [
        C45Classifier(),
        C45Classifier(variant="j48", criterion="gini", prune=False, max_depth=3, thresholds="midpoint"),
        C45Classifier(variant="see5"),
        C45Classifier(variant="see5", global_pruning=False, thresholds="midpoint"),
        SysForClassifier(),
        SysForClassifier(variant="see5"),
        SysForClassifier(variant="credal"),
        SysForClassifier(trees=5, voting="voting2", variant="j48"),
    ],
    expected_failed_checks=_no_weights,
)
def test_scikit_learns_own_checks(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)


def numbers(rows: int = 120) -> tuple[Floats, Integers]:
    """Three columns with gaps, and a class that the first two decide."""
    steps = np.arange(rows * 3).reshape(rows, 3)
    values = np.round((steps * 7919 % 1009) / 100.0, 1)
    classes = (values[:, 0] > 5).astype(np.int64) + (values[:, 1] > 7)
    values[steps % 17 == 3] = np.nan
    return values, classes


def training_set(values: Floats, classes: Integers) -> TrainingSet:
    attributes = [Attribute(f"x{i}", "numeric") for i in range(values.shape[1])]
    names = [str(name) for name in np.unique(classes)]
    return TrainingSet.from_columns(attributes, list(values.T), classes, names)


def nodes(forest: Forest) -> list[Any]:
    return [tree["nodes"] for tree in forest_to_json(forest)["trees"]]


def test_a_known_category_gives_the_shares_of_its_leaf() -> None:
    tree = C45Classifier().fit(COLOURS, ANSWERS)
    asked = pl.DataFrame({"colour": ["blue", "red"]})
    assert tree.predict_proba(asked).tolist() == [[0, 1], [1, 0]]
    assert tree.predict(asked).tolist() == ["yes", "no"]
    assert tree.classes_.tolist() == ["no", "yes"]


def test_missing_and_new_categories_go_down_all_branches() -> None:
    tree = C45Classifier().fit(COLOURS, ANSWERS)
    np.testing.assert_allclose(
        tree.predict_proba(pl.DataFrame({"colour": [None, "green"]})), [[0.6, 0.4], [0.6, 0.4]]
    )


def test_credal_votes_pour_one_record_on_the_smaller_class() -> None:
    forest = SysForClassifier(min_leaf=1).fit(COLOURS, ANSWERS)
    found = forest.predict_proba(pl.DataFrame({"colour": ["red", "blue", None]}))
    # Leaves (3, 0) and (0, 2); unknown is 0.6 of the one and 0.4 of the other: (1.8, 0.8).
    np.testing.assert_allclose(found, [[3 / 4, 1 / 4], [1 / 3, 2 / 3], [0.5, 0.5]])


def test_a_tie_goes_to_the_first_class() -> None:
    assert C45Classifier().fit([[1], [1]], ["b", "a"]).predict([[1]]).tolist() == ["a"]


@pytest.mark.parametrize(("variant", "answer"), [("c45", "no"), ("see5", "yes")])
def test_see5_gives_a_tie_to_the_most_frequent_class_of_the_table(variant: str, answer: str) -> None:
    colours = pl.DataFrame({"colour": ["red"] * 4 + ["blue"] * 6 + ["grey"] * 4})
    answers = ["no", "no", "yes", "yes", *["yes"] * 6, *["maybe"] * 4]
    tree = C45Classifier(variant=variant, prune=False).fit(colours, answers)
    assert tree.predict_proba(colours[:1]).tolist() == [[0, 0.5, 0.5]]
    assert tree.predict(colours[:1]).tolist() == [answer]


def test_see5s_shares_add_up_although_small_branches_are_empty() -> None:
    (columns, rows, labels, _), _ = hard_case(5317, 260)
    cells = {column.name: values for column, values in zip(columns, zip(*rows, strict=True), strict=True)}
    frame = pd.DataFrame(cells).astype({c.name: "category" for c in columns if c.values is not None})
    tree = C45Classifier(variant="see5", prune=False, min_leaf=1).fit(frame, labels)
    weight = tree.forest_.trees[0].counts.sum(axis=1)
    assert any(weight[own].sum() < weight[node] - 1e-3 for node, own in _families(tree.forest_))
    np.testing.assert_allclose(tree.predict_proba(frame).sum(axis=1), 1)


def _families(forest: Forest) -> list[tuple[int, Array]]:
    tree = forest.trees[0]
    return [(int(n), np.unique(tree.branches_of(int(n)))) for n in np.flatnonzero(tree.attribute >= 0)]


@pytest.mark.parametrize("variant", ["c45", "j48", "see5", "credal"])
@pytest.mark.parametrize("thresholds", ["data", "midpoint"])
def test_the_tree_is_the_one_that_grow_tree_makes(variant: str, thresholds: str) -> None:
    values, classes = numbers()
    ours = C45Classifier(variant=variant, thresholds=thresholds, min_leaf=5).fit(values, classes)
    tree = grow_tree(
        training_set(values, classes), GrowOptions(variant=variant, thresholds=thresholds, min_leaf=5)
    )
    assert nodes(ours.forest_) == nodes(
        Forest("class", ours.forest_.classes, ours.forest_.attributes, (tree,))
    )
    rounding = 1e-12 if variant == "see5" else 0
    np.testing.assert_allclose(ours.predict_proba(values), class_weights(tree, list(values.T)), rounding)


def test_the_forest_is_the_one_that_sysfor_makes() -> None:
    values, classes = numbers()
    ours = SysForClassifier(trees=4, goodness=0.9, separation=0.1, min_leaf=5).fit(values, classes)
    trees = grow_forest(
        training_set(values, classes), GrowOptions(min_leaf=5), SysForOptions(4, 0.9, 0.1, 0.01)
    )
    assert len(trees) == 4
    assert nodes(ours.forest_) == nodes(Forest("class", ours.forest_.classes, ours.forest_.attributes, trees))


@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.sampled_from(["a", "b", "c"]), st.integers(0, 2)),
        min_size=8,
        max_size=60,
    )
)
def test_complete_records_get_the_label_and_the_counts_of_their_leaf(
    records: list[tuple[int, str, int]],
) -> None:
    frame = pl.DataFrame(
        {"size": [r[0] for r in records], "kind": pl.Series([r[1] for r in records], dtype=pl.Enum("abc"))}
    )
    model = C45Classifier(min_leaf=1, prune=False).fit(frame, [r[2] for r in records])
    tree = model.forest_.trees[0]
    columns = {"size": frame["size"].to_numpy(), "kind": frame["kind"].to_physical().to_numpy()}
    leaves = leaf_of_each(tree, model.forest_, columns)
    assert model.predict(frame).tolist() == model.classes_[tree.label[leaves]].tolist()
    np.testing.assert_array_equal(counts_reached(tree, list(columns.values())), tree.counts[leaves])


@pytest.mark.parametrize("voting", sorted(VOTINGS))
def test_every_voting_gives_probabilities_and_the_class_they_name(voting: str) -> None:
    values, classes = numbers()
    forest = SysForClassifier(voting=voting, min_leaf=5).fit(values, classes)
    shares = forest.predict_proba(values)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert forest.predict(values).tolist() == np.argmax(shares, axis=1).tolist()
    assert forest.score(values, classes) > 0.85


@each_classifier
def test_a_table_that_tells_nothing_gives_one_leaf(make: Any) -> None:
    model = make().fit(np.full((4, 2), np.nan), [0, 0, 0, 1])
    assert [len(tree) for tree in model.forest_.trees] == [1]
    assert model.predict(np.zeros((2, 2))).tolist() == [0, 0]


@each_classifier
def test_json_is_a_forest_file(make: Any) -> None:
    values, classes = numbers()
    model = make(min_leaf=np.int64(4)).fit(values, pd.Series(classes, name="risk"))
    text = model.to_json()
    read = forest_from_json(json.loads(text))
    assert (read.class_name, read.classes) == ("risk", ("0", "1", "2"))
    assert [a.name for a in read.attributes] == ["x0", "x1", "x2"]
    assert read.attributes[0].precision == 1
    assert read.grown["min_leaf"] == 4
    assert read.grown["rows"] == len(values)
    assert json.loads(text) == forest_to_json(read)


@each_classifier
def test_pickled_and_cloned(make: Any) -> None:
    values, classes = numbers()
    model = make(min_leaf=7).fit(values, classes)
    again = pickle.loads(pickle.dumps(model))  # noqa: S301
    np.testing.assert_array_equal(again.predict_proba(values), model.predict_proba(values))
    fresh = clone(model)
    assert fresh.get_params() == model.get_params()
    assert not hasattr(fresh, "forest_")


@each_classifier
def test_in_pipelines_and_searches(make: Any) -> None:
    values, classes = numbers()
    scores = cross_val_score(make_pipeline(StandardScaler(), make()), values, classes, cv=3)
    assert scores.min() > 0.7
    search = GridSearchCV(make(), {"min_leaf": np.array([2, 30])}, cv=3).fit(values, classes)
    assert search.best_params_ == {"min_leaf": 2}


@each_classifier
def test_frames_in_cross_validation(make: Any) -> None:
    values, classes = numbers()
    frame = pd.DataFrame(values, columns=["a", "b", "c"]).assign(kind=np.where(classes == 2, "x", "y"))
    scores = cross_val_score(make(), frame, pd.Series(classes).map({0: "p", 1: "q", 2: "r"}), cv=3)
    assert scores.min() > 0.7


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (C45Classifier(variant="see5", criterion="gini"), "See5 chooses by gain_ratio"),
        (
            C45Classifier(variant="c4.5"),
            "variant must be c45, j48, see5 or credal; 'c4.5' was given. Did you mean 'c45'",
        ),
        (C45Classifier(criterion="entropy"), "criterion must be .*'entropy' was given"),
        (C45Classifier(min_leaf=0), "min_leaf must be 1 or more"),
        (C45Classifier().set_params(n_jobs=1.5), "n_jobs must be a whole number .*1.5 was given"),
        (SysForClassifier(n_jobs=0), "n_jobs must be a whole number other than 0, or None"),
        (SysForClassifier(variant="see5", criterion="information_gain"), "See5 chooses by gain_ratio"),
        (SysForClassifier(trees=0), "trees must be 1 or more"),
        (SysForClassifier(separation=2), "separation must be between 0 and 1"),
        (SysForClassifier(voting="credl"), "no voting 'credl'. Did you mean 'credal'"),
    ],
)
def test_wrong_parameters_are_refused_in_fit(model: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence) as refused:
        model.fit([[1], [2]], [0, 1])
    assert isinstance(refused.value, InputError)
    assert isinstance(refused.value, InputError)


@pytest.mark.parametrize("make", [C45Classifier, SysForClassifier])
def test_the_number_of_threads_changes_nothing(make: Any) -> None:
    values, classes = numbers()
    trees = [make(n_jobs=n_jobs).fit(values, classes).to_json() for n_jobs in (None, 1, 2, -1, np.int64(3))]
    assert len(set(trees)) == 1


def test_hushwood_starts_without_scikit_learn() -> None:
    program = "import sys, hushwood; print('sklearn' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "False", done.stderr


@pytest.mark.parametrize("as_frame", [False, True])
def test_numbers_too_large_to_compute_with_are_refused(as_frame: bool) -> None:
    values = np.array([[1e308], [1.1e308], [1.6e308], [1.7e308]])
    data = pl.DataFrame({"x0": values[:, 0]}) if as_frame else values
    with pytest.raises(ValueError, match="Column 'x0' has numbers as large as"):
        C45Classifier(min_leaf=1).fit(data, [0, 0, 1, 1])


WEIGHED = np.arange(120) * 7 % 4  # some are 0


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("min_leaf", [2, 7])
@pytest.mark.parametrize("variant", ["c45", "j48"])
@each_classifier
def test_whole_weights_are_repeated_records(make: Any, variant: str, min_leaf: int, gaps: bool) -> None:
    values, classes = numbers()
    if not gaps:
        values = np.nan_to_num(values, nan=3.3)
    places = np.repeat(np.arange(120), WEIGHED)
    weighted = make(variant=variant, min_leaf=min_leaf).fit(values, classes, sample_weight=WEIGHED)
    repeated = make(variant=variant, min_leaf=min_leaf).fit(values[places], classes[places])
    for one, other in zip(weighted.forest_.trees, repeated.forest_.trees, strict=True):
        assert same_tests(one, other)
        np.testing.assert_allclose(one.counts, other.counts, atol=1e-9)
    assert len(weighted.forest_.trees[0]) > 1
    np.testing.assert_allclose(weighted.predict_proba(values), repeated.predict_proba(values), atol=1e-12)


def test_weights_of_classes_multiply_those_of_records() -> None:
    values, classes = numbers()
    factor = np.where(classes == classes[0], 3, 1)
    by_class = C45Classifier(class_weight={classes[0]: 3}).fit(values, classes, sample_weight=WEIGHED)
    by_record = C45Classifier().fit(values, classes, sample_weight=WEIGHED * factor)
    assert nodes(by_class.forest_) == nodes(by_record.forest_)
    balanced = C45Classifier(class_weight="balanced", min_leaf=500).fit(values, classes)
    np.testing.assert_allclose(balanced.predict_proba(values), 1 / len(balanced.classes_))


@pytest.mark.parametrize("variant", ["see5", "credal"])
def test_builders_without_weights_say_so(variant: str) -> None:
    values, classes = numbers()
    with pytest.raises(InputError, match=r'take no weights\. Use variant="c45" or j48'):
        C45Classifier(variant=variant).fit(values, classes, sample_weight=WEIGHED)
    with pytest.raises(InputError, match="No record has a weight above 0"):
        C45Classifier(class_weight=dict.fromkeys(classes.tolist(), 0)).fit(values, classes)


def walked(forest: Forest, number: int, record: Any) -> list[int]:
    """The nodes on a record's way, asked test by test."""
    tree, way = forest.trees[number], [0]
    while tree.attribute[way[-1]] >= 0:
        node = way[-1]
        value, threshold = record[tree.attribute[node]], tree.threshold[node]
        below = tree.branches_of(node)
        way.append(int(tree.missing_to[node]) if np.isnan(value) else int(below[int(value > threshold)]))
    return way


def deepest(forest: Forest, number: int, node: int) -> int:
    below = forest.trees[number].branches_of(node).tolist()
    return 1 + max(deepest(forest, number, child) for child in below) if below else 0


@each_classifier
def test_leaves_and_ways_are_those_of_an_obvious_walk(make: Any) -> None:
    values, classes = numbers()
    model = make(min_leaf=1).fit(values, classes)
    forest, count = model.forest_, len(model.forest_.trees)
    ways = [[walked(forest, number, record) for record in values] for number in range(count)]
    leaves = np.array([[way[-1] for way in each] for each in ways]).T
    np.testing.assert_array_equal(model.apply(values).reshape(len(values), -1), leaves)
    path = model.decision_path(values)
    matrix, begin = path if isinstance(path, tuple) else (path, np.array([0, len(forest.trees[0])]))
    assert matrix.shape == (len(values), begin[-1])
    for row in range(len(values)):
        wanted = [begin[number] + node for number in range(count) for node in ways[number][row]]
        assert matrix[row].indices.tolist() == wanted
    for number, tree in enumerate(forest.trees):
        assert model.get_depth(number) == deepest(forest, number, 0)
        assert model.get_n_leaves(number) == len(tree.leaves) >= len(set(leaves[:, number].tolist()))
