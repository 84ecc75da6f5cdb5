"""The trees that predict attributes, and how they are cut back.

Whether a tree predicts an attribute better than its majority value does. Chi-squares compared with all orders of the
records.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, permutations
from math import comb, log2
from typing import Any

import numpy as np
import pytest

from hushwood.arrays import Array, Integers
from hushwood.demo.synthetic_tables import customer_status
from hushwood.tables.schema import Attribute
from hushwood.trees.forest import Tree
from hushwood.trees.grow import GrowOptions
from hushwood.trees.routing import leaf_of_each
from hushwood.trees.training import TrainingSet
from hushwood.value_clusters.grouping import attribute_trees
from hushwood.value_clusters.grouping.attribute_trees import (
    PredictedAttribute,
    ValueClusters,
    chance_of_relation,
    chi_square,
    detective,
    leaves_at,
    moments,
    related_to_any,
    similarities,
)
from support.mixed_tables import category, mixed_table, number, one_tree, table_of, target

CARS = ("Ford", "Holden", "Nissan", "Toyota")
SEED = bytes(range(32))


def clusters_of(nodes: list[dict[str, Any]], siblings: dict[int, tuple[int, ...]]) -> ValueClusters:
    forest = one_tree({"name": "Status", "kind": "categorical", "values": ["Bad", "Good"]}, nodes, CARS)
    return ValueClusters(Attribute("Car Make", "categorical", categories=CARS), forest, siblings)


def test_similarity_in_a_leaf_is_the_product_of_counts() -> None:
    """Thesis 6.4: a leaf of 132 Ford, 62 Toyota, 48 Nissan, 5 Holden; Ford and Toyota 132 · 62 = 8184."""
    root = {
        "id": 0,
        "test": {"attribute": "Status"},
        "children": {"Good": 1, "Bad": 2},
        "counts": [132, 5, 48, 214],
    }
    leaves = [{"id": 1, "counts": [132, 5, 48, 62]}, {"id": 2, "counts": [0, 0, 0, 152]}]
    found = similarities(clusters_of([root, *leaves], {1: (2,), 2: (1,)}))
    assert (found[0].values, found[0].product, found[0].leaves) == (("Ford", "Toyota"), 8184, (1,))
    assert found[0].strength == pytest.approx(8184 / 247**2)
    assert [s.product for s in found[:6]] == [8184, 132 * 48, 62 * 48, 132 * 5, 62 * 5, 48 * 5]
    assert (found[6].values, found[6].leaves, found[6].product) == (("Ford", "Toyota"), (1, 2), 132 * 152)
    assert len(found) == 7


def test_siblings_of_the_same_majority_say_nothing() -> None:
    root = {
        "id": 0,
        "test": {"attribute": "Status"},
        "children": {"Good": 1, "Bad": 2},
        "counts": [9, 0, 0, 0],
    }
    leaves = [{"id": 1, "counts": [4, 0, 0, 0]}, {"id": 2, "counts": [5, 0, 0, 0]}]
    assert similarities(clusters_of([root, *leaves], {1: (2,), 2: (1,)})) == []


def test_car_makes_of_good_customers_are_similar() -> None:
    """Errata C11: of 399 customers about 247 are good, Ford and Toyota the most frequent of their cars."""
    table = customer_status(399, SEED)
    clusters = detective(table, "Car Make", GrowOptions(min_leaf=10))
    assert clusters is not None
    assert not clusters.unrelated
    assert set(similarities(clusters)[0].values) == {"Ford", "Toyota"}
    assert "Status" in {a.name for a in clusters.forest.attributes}
    assert "Car Make" not in {a.name for a in clusters.forest.attributes}


def test_attributes_without_relation_are_not_used() -> None:
    """Thesis 6.6.1: Parents' Country and Favorite City appear in no tree of the other attributes."""
    table = customer_status(399, SEED)
    for name in ("Country of Origin", "Car Make", "Profession"):
        clusters = detective(table, name, GrowOptions(min_leaf=18))
        assert clusters is not None
        tested = {clusters.forest.attributes[a].name for a in clusters.tree.attribute.tolist() if a >= 0}
        assert tested
        assert tested.isdisjoint({"Parents' Country", "Favorite City"})


@pytest.mark.parametrize("name", ["Favorite City", "Parents' Country"])
def test_an_attribute_that_nothing_predicts_is_unrelated(name: str) -> None:
    clusters = detective(customer_status(399, SEED), name, GrowOptions())
    assert clusters is not None
    assert clusters.unrelated
    assert clusters.siblings == {}
    assert clusters.tree.counts.shape == (1, 30)
    assert similarities(clusters)[0].leaves == (0,)
    as_grown = detective(customer_status(399, SEED), name, GrowOptions(), as_grown=True)
    assert as_grown is not None
    assert len(as_grown.tree) > 100


def test_a_tree_of_some_records_counts_all() -> None:
    """Grown on two thirds; every count is that of the records that arrive in the node."""
    table = mixed_table(3, 600)
    rows = np.flatnonzero(np.arange(600) % 3 > 0)
    clusters = detective(table, "job", GrowOptions(min_leaf=10), rows=rows)
    part = detective(table.take(rows), "job", GrowOptions(min_leaf=10))
    assert clusters is not None
    assert part is not None
    tree = clusters.tree
    assert tree.attribute.tolist() == part.tree.attribute.tolist()
    assert tree.branches.tolist() == part.tree.branches.tolist()
    leaf = leaf_of_each(tree, clusters.forest, table.columns)
    job = table.columns["job"]
    for node in tree.leaves.tolist():
        counted = [int(((leaf == node) & (job == code)).sum()) for code in range(tree.counts.shape[1])]
        assert tree.counts[node].tolist() == counted
        assert not any(counted) or counted[tree.label[node]] == max(counted)
    assert tree.counts[0].sum() == np.count_nonzero(job >= 0)
    for node in np.flatnonzero(tree.attribute >= 0).tolist():
        children = list(dict.fromkeys(tree.branches_of(node).tolist()))
        assert tree.counts[node].tolist() == tree.counts[children].sum(axis=0).tolist()


def test_a_leaf_beside_a_subtree_has_no_sibling() -> None:
    """Errata C7. x <= 1: a; else y decides between b and c."""
    x = [0.0, 0.0, 0.0, 0.0] + [2.0] * 8
    y = [0.0, 1.0, 0.0, 1.0] + [0.0] * 4 + [1.0] * 4
    value = [0] * 4 + [1] * 4 + [2] * 4
    table = table_of(
        {
            "x": (number("x", 0, 2), x),
            "y": (number("y", 0, 1), y),
            "v": (category("v", "abc"), value),
            "k": (target("k", "no"), [0, 1] * 6),
        }
    )
    clusters = detective(table, "v", GrowOptions(min_leaf=2))
    assert clusters is not None
    assert len(clusters.tree) == 5
    alone = [leaf for leaf, others in clusters.siblings.items() if not others]
    assert len(alone) == 1
    pairs = {leaf: others for leaf, others in clusters.siblings.items() if others}
    assert all(pairs[others[0]] == (leaf,) for leaf, others in pairs.items())


def test_branches_without_records_are_no_siblings() -> None:
    table = table_of(
        {
            "c": (category("c", "pqr"), [0] * 10 + [1] * 10),
            "v": (category("v", "ab"), [0] * 10 + [1] * 10),
            "k": (target("k", "no"), [0, 1] * 10),
        }
    )
    clusters = detective(table, "v", GrowOptions(min_leaf=2))
    assert clusters is not None
    weight = clusters.tree.counts.sum(axis=1)
    assert np.count_nonzero(weight[clusters.tree.leaves] == 0) == 1
    assert all(weight[other] > 0 for others in clusters.siblings.values() for other in others)


@pytest.mark.parametrize(
    "codes", [[0] * 6, [-1] * 6, [-1, -1, 1, 1, 1, 1]], ids=["one", "none", "one and gaps"]
)
def test_fewer_than_two_values_cannot_be_clustered(codes: list[int]) -> None:
    table = table_of({"v": (category("v", "ab"), codes), "k": (target("k", "no"), [0, 1] * 3)})
    assert detective(table, "v", GrowOptions()) is None


def test_too_many_values_cannot_be_clustered() -> None:
    names = [str(i) for i in range(1001)]
    table = table_of({"v": (category("v", names), [0, 1] * 3), "k": (target("k", "no"), [0, 1] * 3)})
    assert detective(table, "v", GrowOptions()) is None


def test_a_table_without_a_class_works() -> None:
    table = table_of(
        {"c": (category("c", "pq"), [0] * 9 + [1] * 9), "v": (category("v", "ab"), [0] * 9 + [1] * 9)}
    )
    clusters = detective(table, "v", GrowOptions(min_leaf=2))
    assert clusters is not None
    assert clusters.siblings == {1: (2,), 2: (1,)}


def test_a_binned_class_is_predicted_by_its_bins() -> None:
    wages = tuple(str(wage) for wage in range(1, 13))
    attribute = replace(target("wage", wages), bins=(4.0, 8.0))
    place = [i // 20 for i in range(60)]
    wage = [4 * p + i % 4 for i, p in enumerate(place)]
    table = table_of({"place": (category("place", "xyz"), place), "wage": (attribute, wage)})
    clusters = detective(table, "wage", GrowOptions(min_leaf=2))
    assert clusters is not None
    assert clusters.attribute.categories == ("<= 4", "4 - 8", "> 8")
    assert clusters.tree.counts.tolist()[1:] == [[20, 0, 0], [0, 20, 0], [0, 0, 20]]


def tree_of_two_tests() -> Tree:
    """The root tells apart 8 a from 8 b but for one of each; below, one of two tests finds one of them."""
    number = {"attribute": "x", "threshold": 1.0}
    return one_tree(
        {"name": "x", "kind": "numeric"},
        [
            {"id": 0, "test": number, "children": {"le": 1, "gt": 4}, "missing_to": 1, "counts": [8, 8]},
            {"id": 1, "test": number, "children": {"le": 2, "gt": 3}, "missing_to": 2, "counts": [7, 1]},
            {"id": 2, "counts": [7, 0]},
            {"id": 3, "counts": [0, 1]},
            {"id": 4, "counts": [1, 7]},
        ],
    ).trees[0]


def test_by_hand() -> None:
    """The lower test explains 8 bits times the entropy of 1 in 8, 4.35 of 16 - 4.35 bits in all: 37 %."""
    tree = tree_of_two_tests()
    below = 8 * (-7 / 8 * log2(7 / 8) - 1 / 8 * log2(1 / 8))
    share = 1 - below / (16 - below)
    assert share == pytest.approx(0.627, abs=1e-3)
    assert leaves_at(tree, 1).tolist() == [0, 1, 2, 3, 4]
    assert leaves_at(tree, share + 1e-6).tolist() == [0, 1, 2, 3, 4]
    assert leaves_at(tree, share - 1e-6).tolist() == [0, 1, 1, 1, 4]
    assert leaves_at(tree, 1e-6).tolist() == [0, 1, 1, 1, 4]
    assert leaves_at(tree, 0).tolist() == [0] * 5


def explained(tree: Tree, at: Integers) -> float:
    """Bits that the leaves after a cut explain, by plain loops."""

    def bits(counts: list[float]) -> float:
        return -sum(c * log2(c / sum(counts)) for c in counts if c > 0)

    leaves = {int(at[leaf]) for leaf in tree.leaves.tolist()}
    return bits(tree.counts[0].tolist()) - sum(bits(tree.counts[leaf].tolist()) for leaf in leaves)


@pytest.mark.parametrize("seed", range(4))
def test_less_weight_joins_leaves_and_keeps_its_share(seed: int) -> None:
    clusters = detective(mixed_table(seed, 400), "job", GrowOptions(min_leaf=3))
    assert clusters is not None
    tree = clusters.tree
    weights = [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0]
    cuts = [leaves_at(tree, weight) for weight in weights]
    assert set(cuts[0].tolist()) == {0}
    assert cuts[-1].tolist() == list(range(len(tree)))
    whole = explained(tree, cuts[-1])
    sizes = [len(set(cut[tree.leaves].tolist())) for cut in cuts]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) > 4
    for weight, cut in zip(weights, cuts, strict=True):
        assert explained(tree, cut) >= weight * whole - 1e-6
    for coarse, fine in pairwise(cuts):
        together = {
            (int(f), int(c)) for f, c in zip(fine, coarse, strict=True) if f in set(fine[tree.leaves])
        }
        assert len(together) == len({f for f, _ in together})


def test_a_tree_of_one_leaf() -> None:
    tree = one_tree({"name": "x", "kind": "numeric"}, [{"id": 0, "counts": [3, 1]}]).trees[0]
    assert leaves_at(tree, 0.5).tolist() == [0]


TWO = GrowOptions(min_leaf=2)
UNRELATED = ("Parents' Country", "Favorite City")


def predicted(values: int, **columns: Array) -> PredictedAttribute:
    """The attribute v, and columns of numbers or category codes that may predict it."""
    inputs: list[Attribute] = []
    for name, column in columns.items():
        kinds = [str(i) for i in range(int(column.max()) + 1)]
        inputs.append(number(name, 0, 1, None) if column.dtype.kind == "f" else category(name, kinds))
    attribute = category("v", [str(i) for i in range(values)])
    return PredictedAttribute(attribute, tuple(a for a in inputs if a.name != "v"), columns)


@pytest.mark.parametrize("builder", ["c45", "see5", "j48"])
@pytest.mark.parametrize("min_leaf", [2, 18])
def test_attributes_that_the_thesis_calls_unrelated(builder: str, min_leaf: int) -> None:
    """Thesis 6.6: two of the five attributes of CS have nothing to do with the others, the rest has (errata C12)."""
    for key in range(3):
        table = customer_status(399, bytes([key]) * 32)
        found = {
            a.name: detective(table, a.name, GrowOptions(builder, min_leaf=min_leaf), threads=1)
            for a in table.schema.kept
        }
        assert [name for name, clusters in found.items() if clusters and clusters.unrelated] == [*UNRELATED]


def test_pruning_alone_does_not_find_them() -> None:
    """Why records are held back: the builder itself keeps more than a hundred nodes."""
    table = customer_status(399, bytes(32))
    inputs = tuple(a for a in table.schema.kept if a.name not in UNRELATED)
    question = PredictedAttribute(table.schema["Favorite City"], inputs, table.columns)
    tree = question.tree(TWO, threads=1)
    assert len(tree) > 20
    assert not question.explained_by(tree, TWO, threads=1)


@pytest.mark.parametrize("rows", [399, 3_000])
def test_chance_explains_nothing_and_a_rule_does(rows: int) -> None:
    """Few records are held back in folds, many once; v = x + y is a rule of two attributes."""
    chance = np.random.default_rng(4)
    x, y, noise = (chance.integers(0, 3, rows) for _ in range(3))
    by_rule = np.where(chance.random(rows) < 0.3, chance.integers(0, 3, rows), (x + y) % 3)
    for v, expected in ((noise, False), (by_rule, True)):
        question = predicted(3, v=v, x=x, y=y)
        grown = question.tree(GrowOptions(min_leaf=5, confidence=0.5), threads=1)
        assert question.explained_by(grown, GrowOptions(min_leaf=5, confidence=0.5), threads=1) is expected


def test_without_doubt_no_other_tree_is_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.arange(200) % 2
    question = predicted(2, v=x, x=x)
    tree = question.tree(TWO, threads=1)
    monkeypatch.setattr(attribute_trees, "grow_tree", None)
    assert question.explained_by(tree, TWO)


def test_few_records_cannot_be_held_back() -> None:
    """The thesis' example of ten records keeps its trees."""
    x = np.array([0] * 5 + [1] * 5)
    question = predicted(2, v=x, x=x)
    assert question.explained_by(question.tree(TWO, threads=1), TWO)


def test_a_single_leaf_explains_nothing() -> None:
    question = predicted(2, v=np.array([0, 1] * 20), x=np.zeros(40, np.int64))
    assert not question.explained_by(question.tree(TWO, threads=1), TWO)


def test_the_estimate_is_the_binomial_upper_limit() -> None:
    """By bisection: the error rate at which no more errors than seen happen once in a thousand times."""
    root = {"id": 0, "test": {"attribute": "x", "threshold": 1.0}, "children": {"le": 1, "gt": 2}}
    leaves = [{"id": 1, "counts": [16, 1]}, {"id": 2, "counts": [0, 6]}]
    tree = one_tree({"name": "x", "kind": "numeric"}, [{**root, "counts": [16, 7]}, *leaves]).trees[0]

    def limit(records: int, errors: int) -> float:
        low, high = 0.0, 1.0
        for _ in range(60):
            p = (low + high) / 2
            seen = sum(comb(records, e) * p**e * (1 - p) ** (records - e) for e in range(errors + 1))
            low, high = (p, high) if seen > 1e-3 else (low, p)
        return records * low

    assert attribute_trees._sure_errors(tree) == pytest.approx(limit(17, 1) + limit(6, 0), rel=1e-9)


@pytest.mark.parametrize(("records", "folds"), [(50, 5), (399, 5), (2_501, 1)])
def test_what_is_held_back(records: int, folds: int) -> None:
    """Every record once, or a third of many; in every stretch of a sorted table about as many as anywhere."""
    rows = np.arange(records) * 3
    parts = list(attribute_trees._parts(rows))
    assert len(parts) == folds
    for growing, tried in parts:
        assert sorted([*growing.tolist(), *tried.tolist()]) == rows.tolist()
        in_tenths = np.bincount(tried // 3 * 10 // records, minlength=10)
        assert np.ptp(in_tenths) <= 3
    if folds > 1:
        assert sorted(np.concatenate([tried for _, tried in parts]).tolist()) == rows.tolist()


def test_related_although_no_test_saves_errors() -> None:
    """Nine of ten records share a value, whatever they have in x; how many do depends on x all the same."""
    x = np.arange(600) % 3
    v = (np.arange(600) // 3 % 20 < np.array([0, 1, 5])[x]).astype(np.int64)
    question = predicted(2, v=v, x=x)
    assert len(question.tree(TWO, threads=1)) == 1
    tree = question.related_tree(TWO, threads=1)
    assert tree is not None
    assert tree.counts[tree.leaves].tolist() == [[200, 0], [190, 10], [150, 50]]


@pytest.mark.parametrize("builder", ["c45", "see5", "j48", "credal"])
def test_nothing_relates_independent_columns(builder: str) -> None:
    v, x = np.divmod(np.arange(600) % 12, 4)
    options = GrowOptions(builder, min_leaf=2)
    assert predicted(3, v=v, x=x).related_tree(options, threads=1) is None


def test_missing_values_are_neither_grown_on_nor_tried() -> None:
    chance = np.random.default_rng(5)
    v = chance.integers(-1, 2, 400)
    question = predicted(2, v=v, x=np.where(v < 0, 1, 0))
    tree = question.tree(TWO, threads=1)
    assert not question.explained_by(tree, TWO)


def counted(x: tuple[int, ...], v: tuple[int, ...]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    counts = np.zeros((max(x) + 1, max(v) + 1), np.int64)
    np.add.at(counts, (np.array(x), np.array(v)), 1)
    return counts


@pytest.mark.parametrize("x", [(0, 0, 1, 1, 1, 1, 2), (0, 0, 0, 0, 0, 0, 1), (0, 1, 2, 3, 3, 3, 3)])
@pytest.mark.parametrize("v", [(0, 0, 0, 1, 1, 2, 2), (0, 1, 1, 1, 1, 1, 1)])
def test_moments_are_those_of_all_orders(x: tuple[int, ...], v: tuple[int, ...]) -> None:
    of_orders = [chi_square(counted(x, order)) for order in permutations(v)]
    counts = counted(x, v)
    expected = np.mean(of_orders), np.var(of_orders)
    assert moments(counts.sum(axis=1), counts.sum(axis=0)) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_many_records_in_few_cells_are_the_usual_chi_square() -> None:
    """One degree of freedom, so that 3.841 has a chance of 0.05: 1,062 of 2,000 records on the diagonal give 7.688."""
    counts = np.array([[531, 469], [469, 531]])
    assert chi_square(counts) == pytest.approx(7.688)
    assert chance_of_relation(counts) == pytest.approx(0.005559, rel=0.01)


def test_one_column_or_three_records_say_nothing() -> None:
    assert chance_of_relation(np.array([[9], [3]])) == 1
    assert chance_of_relation(np.array([[2, 0], [0, 1]])) == 1


def columns(v: np.ndarray[tuple[int], np.dtype[np.int64]], number_of_it: bool) -> TrainingSet:
    """Values 0 to 3, a category that has nothing to do with them, and a number that has or has not."""
    chance = np.random.default_rng(3)
    inputs = (category("x", "abcde"), number("y", -9, 9, None))
    other = chance.normal(size=len(v)) + (v == 3 if number_of_it else 0)
    return TrainingSet.from_columns(inputs, [chance.integers(-1, 5, len(v)), other], v, "efgh")


@pytest.mark.parametrize("number_of_it", [True, False])
def test_a_number_is_read_in_parts(number_of_it: bool) -> None:
    v = np.random.default_rng(2).choice(4, 500, p=[0.7, 0.1, 0.1, 0.1])
    assert related_to_any(columns(v, number_of_it)) is number_of_it


def test_chance_rarely_seems_a_relation() -> None:
    """Of 150 columns of chance about none; the gamma curve makes one in a thousand of uneven ones four."""
    chance = np.random.default_rng(6)
    found = 0
    for _ in range(150):
        share = np.exp(-chance.uniform(0, 3) * np.arange(30) / 10)
        v = chance.choice(30, 399, p=share / share.sum())
        inputs = [chance.integers(0, width, 399) for width in (2, 9, 30)]
        attributes = [category(f"x{i}", [str(c) for c in range(30)]) for i in range(3)]
        found += related_to_any(TrainingSet.from_columns(attributes, inputs, v, [str(c) for c in range(30)]))
    assert found <= 2
