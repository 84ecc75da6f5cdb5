from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.reconstruction import AddedNoise, noisy_tree
from hushwood.tables.table import Table
from hushwood.trees.forest import LEAF, Forest
from hushwood.trees.grow import grow_tree
from hushwood.trees.options import GrowOptions
from hushwood.trees.routing import class_weights
from hushwood.trees.training import TrainingSet
from support.mixed_tables import category, number, table_of, target

DOMAINS = {"age": (20.0, 80.0), "salary": (20.0, 150.0), "loan": (0.0, 500.0)}
OPTIONS = GrowOptions(min_leaf=50)


def applicants(size: int, share: float, seed: int) -> tuple[Table, Table, dict[str, Any]]:
    """Original and noisy applicants, good if their salary lies in a range that depends on their age, and the noise."""
    chance = np.random.default_rng(seed)
    columns = {name: chance.uniform(*domain, size) for name, domain in DOMAINS.items()}
    age, salary = columns["age"], columns["salary"]
    middle = np.select([age < 40, age < 60], [75, 100], 50)
    good = (abs(salary - middle) <= 25).astype(int)
    city = (chance.random(size) < 0.3).astype(int)
    noises = {
        name: AddedNoise(share * (high - low), domain=(low, high)) for name, (low, high) in DOMAINS.items()
    }
    noisy = {name: values + chance.normal(0, noises[name].scale, size) for name, values in columns.items()}
    return _table(columns, city, good), _table(noisy, city, good), noises


def _table(columns: dict[str, Any], city: Any, good: Any) -> Table:
    numbers = {n: (number(n, v.min(), v.max(), None), v.tolist()) for n, v in columns.items()}
    return table_of(
        {
            **numbers,
            "city": (category("city", ("Arm", "Mel")), city.tolist()),
            "good": (target("good", ("no", "yes")), good.tolist()),
        }
    )


def accuracy(forest: Forest, table: Table) -> float:
    weights = class_weights(forest.trees[0], [table.columns[a.name] for a in forest.attributes])
    return float((weights.argmax(axis=1) == table.columns["good"]).mean())


def plain_tree(table: Table) -> Forest:
    training = TrainingSet.from_table(table)
    return Forest("good", training.classes, training.attributes, (grow_tree(training, OPTIONS),))


@pytest.mark.parametrize("strategy", ["byclass", "local"])
@pytest.mark.parametrize("method", ["bayes", "em"])
def test_better_on_original_records_than_a_tree_of_the_noise(strategy: Any, method: Any) -> None:
    _, noisy, noises = applicants(12_000, 0.3, 1)
    unseen, _, _ = applicants(4000, 0.3, 2)
    forest = noisy_tree(noisy, noises, strategy=strategy, method=method, options=OPTIONS)
    assert accuracy(forest, unseen) > accuracy(plain_tree(noisy), unseen) + 0.1


def test_global_knows_less_than_byclass() -> None:
    _, noisy, noises = applicants(12_000, 0.4, 1)
    unseen, _, _ = applicants(4000, 0.4, 2)
    scores = {
        strategy: accuracy(noisy_tree(noisy, noises, strategy=strategy, options=OPTIONS), unseen)
        for strategy in ("global", "byclass")
    }
    assert scores["byclass"] > scores["global"] + 0.05


@pytest.mark.parametrize("strategy", ["global", "byclass", "local"])
def test_without_noise_it_is_the_tree_of_the_intervals(strategy: Any) -> None:
    original, _, _ = applicants(3000, 0.0, 3)
    none = {name: AddedNoise(0.0, domain=domain) for name, domain in DOMAINS.items()}
    forest = noisy_tree(original, none, strategy=strategy, intervals=13, options=OPTIONS)
    coarse = {
        name: np.ceil((original.columns[name] - low) / (high - low) * 13) / 13 * (high - low) + low
        for name, (low, high) in DOMAINS.items()
    }
    expected = plain_tree(original.with_columns(coarse)).trees[0]
    tree = forest.trees[0]
    np.testing.assert_array_equal(tree.attribute, expected.attribute)
    np.testing.assert_allclose(tree.threshold, expected.threshold)
    np.testing.assert_allclose(tree.counts, expected.counts)
    np.testing.assert_array_equal(tree.label, expected.label)


@pytest.mark.parametrize("strategy", ["global", "byclass", "local"])
def test_thresholds_are_limits_of_intervals(strategy: Any) -> None:
    _, noisy, noises = applicants(3000, 0.2, 4)
    forest = noisy_tree(noisy, noises, strategy=strategy, intervals=10, options=OPTIONS)
    tree = forest.trees[0]
    assert len(tree) > 1
    for node in np.flatnonzero(tree.attribute != LEAF).tolist():
        name = forest.attributes[tree.attribute[node]].name
        if name == "city":
            continue
        low, high = DOMAINS[name]
        place = (tree.threshold[node] - low) / (high - low) * 10
        assert place == pytest.approx(round(place))
    assert forest.grown["strategy"] == strategy
    assert forest.class_name == "good"


def test_columns_without_noise_are_taken_as_they_are() -> None:
    original, noisy, noises = applicants(3000, 0.2, 4)
    mixed = noisy.with_columns({"salary": original.columns["salary"]})
    forest = noisy_tree(mixed, {"age": noises["age"], "loan": noises["loan"]}, options=OPTIONS)
    name = forest.attributes[forest.trees[0].attribute[0]].name
    assert name == "salary"
    assert forest.trees[0].threshold[0] in original.columns["salary"]


@pytest.mark.parametrize(
    ("noises", "message"),
    [
        ({"city": AddedNoise(1.0)}, "'city' is not a numeric input"),
        ({"good": AddedNoise(1.0)}, "'good' is not a numeric input"),
        ({"wage": AddedNoise(1.0)}, "no column 'wage'"),
    ],
)
def test_wrong_columns_are_refused(noises: Any, message: str) -> None:
    original, _, _ = applicants(50, 0.0, 5)
    with pytest.raises(InputError, match=message):
        noisy_tree(original, noises)


def test_see5_trees_are_not_grown_locally() -> None:
    original, _, _ = applicants(50, 0.0, 5)
    with pytest.raises(InputError, match=r"'local' cannot grow See5 trees\. Use the variant 'c45' or 'j48'"):
        noisy_tree(original, {}, strategy="local", options=GrowOptions(variant="see5"))


def test_unknown_strategies_are_named() -> None:
    original, _, _ = applicants(50, 0.0, 5)
    with pytest.raises(InputError, match="no strategy 'bycls'"):
        noisy_tree(original, {}, strategy="bycls")  # type: ignore[arg-type]
