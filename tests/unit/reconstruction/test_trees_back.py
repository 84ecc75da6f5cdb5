"""Which tree a miner wins back, and how it is judged on original records."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.reconstruction import AddedNoise, noisy_tree
from hushwood.reconstruction.disguised import Disguise
from hushwood.reconstruction.estimators import recover_added_noise
from hushwood.reconstruction.recovered import KnownColumn, Recovered
from hushwood.reconstruction.trees_back import accuracy, plain_tree, regrown, tree_back
from hushwood.tables.table import Table
from hushwood.techniques.added_noise import Sadp
from hushwood.trees.forest import LEAF, Forest
from hushwood.trees.grow import grow_tree
from hushwood.trees.options import Builder, GrowOptions
from hushwood.trees.routing import class_weights, leaf_of_each
from hushwood.trees.training import TrainingSet
from support.announced_columns import perturbed
from support.disguised_tables import answers_table, disguised, people
from support.mixed_tables import category, number, table_of, target

BUILDER = Builder(GrowOptions(min_leaf=20))


def patients(size: int = 2_000) -> Table:
    """Ill if the dose lies in the middle of its range."""
    dose = np.rint(np.random.default_rng(5).uniform(0, 100, size))
    ill = ((dose > 30) & (dose <= 70)).astype(int)
    return table_of(
        {"dose": (number("dose", 0, 100), dose.tolist()), "ill": (target("ill", ("no", "yes")), ill.tolist())}
    )


def with_noise(table: Table, technique: Sadp) -> Table:
    dose = Table(table.schema, {"dose": table.columns["dose"]}, table.carried, table.rows)
    return table.with_columns({"dose": perturbed(dose, technique).columns["dose"]})


def test_added_noise_is_undone_by_class() -> None:
    technique, original = Sadp(noise=0.5, bounded=False), patients()
    released = with_noise(original, technique)
    found = recover_added_noise(KnownColumn(released, "dose", (technique,)))
    assert isinstance(found, Recovered)
    back = tree_back(released, {"dose": found}, None, BUILDER)
    assert not back.plain
    assert "byclass" in back.way
    assert accuracy(back.forest, original) > accuracy(plain_tree(released, BUILDER), original) + 0.03


def test_disguised_answers_have_their_own_tree() -> None:
    true = people(4_000, 1)
    said = disguised(true, 0.8, [[column] for column in range(5)], 2)
    disguise = Disguise(0.8, tuple((name,) for name in "abcde"))
    back = tree_back(answers_table(said), {}, disguise, BUILDER)
    assert "Du and Zhan" in back.way
    assert accuracy(back.forest, answers_table(true)) > 0.95


def test_otherwise_the_released_values_are_all_there_is() -> None:
    table = patients(400)
    back = tree_back(table, {}, Disguise(0.8), BUILDER)  # doses are no answers
    assert back.plain
    assert accuracy(back.forest, table) == 1.0
    assert len(regrown(table, BUILDER, [a.name for a in table.schema.classes]).trees) >= 1


def test_classes_and_categories_are_compared_by_name() -> None:
    """The original has its categories in another order, one more category, and a record without a class."""
    grown_on = table_of(
        {
            "city": (category("city", ("Arm", "Mel")), [0] * 30 + [1] * 30),
            "ill": (target("ill", ("no", "yes")), [0] * 30 + [1] * 30),
        }
    )
    forest = plain_tree(grown_on, Builder(GrowOptions(min_leaf=5)))
    original = table_of(
        {
            "city": (category("city", ("Mel", "Arm", "Syd")), [0, 1, 1, 0]),
            "ill": (target("ill", ("yes", "no")), [0, 1, 0, -1]),
        }
    )
    assert accuracy(forest, original) == 2 / 3


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


def share_right(forest: Forest, table: Table) -> float:
    weights = class_weights(forest.trees[0], [table.columns[a.name] for a in forest.attributes])
    return float((weights.argmax(axis=1) == table.columns["good"]).mean())


def tree_as_released(table: Table) -> Forest:
    training = TrainingSet.from_table(table)
    return Forest("good", training.classes, training.attributes, (grow_tree(training, OPTIONS),))


@pytest.mark.parametrize("strategy", ["byclass", "local"])
@pytest.mark.parametrize("method", ["bayes", "em"])
def test_better_on_original_records_than_a_tree_of_the_noise(strategy: Any, method: Any) -> None:
    _, noisy, noises = applicants(12_000, 0.3, 1)
    unseen, _, _ = applicants(4000, 0.3, 2)
    forest = noisy_tree(noisy, noises, strategy=strategy, method=method, options=OPTIONS)
    assert share_right(forest, unseen) > share_right(tree_as_released(noisy), unseen) + 0.1


def test_global_knows_less_than_byclass() -> None:
    _, noisy, noises = applicants(12_000, 0.4, 1)
    unseen, _, _ = applicants(4000, 0.4, 2)
    scores = {
        strategy: share_right(noisy_tree(noisy, noises, strategy=strategy, options=OPTIONS), unseen)
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
    expected = tree_as_released(original.with_columns(coarse)).trees[0]
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


def clinic(size: int, seed: int) -> tuple[Table, AddedNoise]:
    """A dose that helps one city above 6 and the other below 4."""
    chance = np.random.default_rng(seed)
    dose, city = chance.uniform(0, 10, size), chance.integers(0, 2, size)
    helped = np.where(city == 0, dose > 6, dose < 4).astype(int)
    noise = AddedNoise(2.0, domain=(0, 10))
    noisy = dose + chance.normal(0, noise.scale, size)
    table = table_of(
        {
            "dose": (number("dose", -9, 19, None), noisy.tolist()),
            "city": (category("city", ("Arm", "Mel")), city.tolist()),
            "helped": (target("helped", ("no", "yes")), helped.tolist()),
        }
    )
    return table, noise


def test_every_city_has_its_own_distribution() -> None:
    """Over the whole table both classes look alike; inside a city they do not."""
    table, noise = clinic(8000, 1)
    options = GrowOptions(min_leaf=100)
    local = noisy_tree(table, {"dose": noise}, strategy="local", intervals=10, options=options).trees[0]
    assert [local.attribute[0], *local.attribute[local.branches_of(0)]] == [1, 0, 0]
    np.testing.assert_allclose(local.threshold[local.branches_of(0)], [6.0, 4.0], atol=1.0)


def test_counts_are_those_of_the_records() -> None:
    table, noise = clinic(2000, 2)
    forest = noisy_tree(
        table, {"dose": noise}, strategy="local", intervals=10, options=GrowOptions(min_leaf=20, prune=False)
    )
    tree = forest.trees[0]
    np.testing.assert_array_equal(tree.counts[0], np.bincount(table.columns["helped"]))
    for node in np.flatnonzero(tree.attribute != LEAF).tolist():
        np.testing.assert_array_equal(tree.counts[tree.branches_of(node)].sum(axis=0), tree.counts[node])
    reached = leaf_of_each(tree, forest, table.columns)
    assert set(reached.tolist()) <= set(tree.leaves.tolist())


def test_depth_is_limited() -> None:
    table, noise = clinic(2000, 2)
    for depth in (0, 1):
        options = GrowOptions(min_leaf=20, prune=False, max_depth=depth)
        tree = noisy_tree(table, {"dose": noise}, strategy="local", options=options).trees[0]
        assert len(tree) == 1 + 2 * depth


def test_records_without_a_class_are_left_out_and_gaps_refused() -> None:
    table, noise = clinic(500, 3)
    helped = table.columns["helped"].copy()
    helped[:100] = -1
    some = table.with_columns({"helped": helped})
    tree = noisy_tree(some, {"dose": noise}, strategy="local").trees[0]
    assert tree.counts[0].sum() == 400
    dose = table.columns["dose"].copy()
    dose[3] = np.nan
    with pytest.raises(
        InputError, match=r"complete records, but these have missing values: 'dose'\. Use 'byclass'"
    ):
        noisy_tree(table.with_columns({"dose": dose}), {"dose": noise}, strategy="local")
