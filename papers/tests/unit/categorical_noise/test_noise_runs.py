"""One generated table of chapter 6: rule types and labels (example of page 103), a leaf per value, and CAPT's noise."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.demo.synthetic_tables import credit_risk, customer_status
from hushwood.segments.partition import whole_table
from hushwood.tables.table import Table
from hushwood.techniques.capt import Capt, Mode
from hushwood.trees.forest import LEAF, Forest
from hushwood.trees.options import GrowOptions
from hushwood.trees.routing import leaf_of_each
from hushwood.value_clusters.grouping.attribute_trees import ValueClusters, detective
from hushwood_papers.categorical_noise.noise_runs import (
    BUILDERS,
    CAR,
    COUNTRY,
    LABELS,
    PERTURBED,
    PROFESSION,
    STATUS,
    CategoricalNoise,
    clusters_of,
    customer_status_table,
    grown,
    label,
    label_counts,
    leaf_one,
    leaf_per_value,
    together,
    type_shares,
    wrong_records,
)
from hushwood_papers.protocol import public_streams
from support.mixed_tables import category, number, table_of, target
from support.nested_trees import Nested, forest_of

P, Q, R = (number(name, 1, 10) for name in "PQR")
S = category("S", ("s1", "s2", "s3"))
LAST: Nested = ("S", {"s1": "c1", "s2": "c2", "s3": "c1"})
ORIGINAL: Nested = ("P", 5, "c2", ("Q", 2, LAST, "c2"))
# Ten records: four have P <= 5; of the others two have Q > 2, and two each s1 and s2.
RECORDS = {
    "P": np.array([1.0, 2, 3, 4, 10, 10, 10, 10, 10, 10]),
    "Q": np.array([1.0, 1, 1, 1, 5, 5, 1, 1, 1, 1]),
    "R": np.array([1.0, 9] * 5),
    "S": np.array([0, 0, 0, 0, 0, 0, 0, 0, 1, 1]),
}


def forest(tree: Nested) -> Forest:
    return forest_of([tree], (P, Q, R, S), ("c1", "c2"))


def shares(tree: Nested) -> list[float]:
    """Of Type A, Type B, cut short and Type C."""
    return list(type_shares(forest(ORIGINAL), forest(tree), RECORDS).values())


def test_the_same_tree_is_all_type_a() -> None:
    assert shares(ORIGINAL) == [1, 0, 0, 0]


def test_another_constant_is_type_b() -> None:
    assert shares(("P", 6, "c2", ("Q", 2, LAST, "c2"))) == [0, 1, 0, 0]
    assert shares(("P", 5, "c2", ("Q", 3, LAST, "c2"))) == [0.4, 0.6, 0, 0]


def test_a_rule_may_be_cut_short_anywhere() -> None:
    """Its label must be one of those below; without the last two tests as well as without one."""
    assert shares(("P", 5, "c2", ("Q", 2, "c1", "c2"))) == pytest.approx([0.6, 0, 0.4, 0])
    assert shares(("P", 5, "c2", "c1")) == pytest.approx([0.4, 0, 0.6, 0])
    assert shares(("P", 5, "c1", "c1")) == pytest.approx([0, 0, 0.6, 0.4])


def test_a_single_leaf_says_no_rule() -> None:
    assert shares("c2") == [0, 0, 0, 1]


def test_another_attribute_is_type_c() -> None:
    """In chapter 7 a rule on R, which the original does not test, is Type D."""
    assert shares(("P", 8, "c2", ("R", 3, "c1", "c2"))) == pytest.approx([0, 0.4, 0, 0.6])


@pytest.mark.parametrize(
    ("same", "different", "wanted"),
    [
        (1.0, 0.0, "Exactly Same"),
        (0.999, 0.0, "Very Similar"),
        (0.6, 0.049, "Very Similar"),
        (0.6, 0.05, "unclassified"),
        (0.599, 0.0, "Similar"),
        (0.151, 0.049, "Similar"),
        (0.15, 0.0, "unclassified"),
        (0.099, 0.101, "Dissimilar"),
        (0.1, 0.5, "unclassified"),
        (0.0, 0.1, "unclassified"),
    ],
)
def test_the_limits_of_the_labels(same: float, different: float, wanted: str) -> None:
    assert label(same, different) == wanted


def test_labels_are_counted_in_order() -> None:
    trees = [
        {"A": 1.0, "B": 0.0, "cut short": 0.0, "C": 0.0},
        {"A": 0.7, "B": 0.0, "cut short": 0.3, "C": 0.0},
        {"A": 0.05, "B": 0.0, "cut short": 0.95, "C": 0.0},
    ]
    assert dict(zip(LABELS, label_counts(trees), strict=True)) == {
        "Exactly Same": 1,
        "Very Similar": 1,
        "Similar": 0,
        "Dissimilar": 0,
        "unclassified": 1,
    }
    assert label_counts(trees, cut_short_is_c=True) == [1, 0, 0, 1, 1]


SEE5 = GrowOptions(variant="see5")


def clusters_by(table: Table, name: str, options: GrowOptions = SEE5) -> ValueClusters:
    found = detective(table, name, options)
    assert found is not None
    return found


def small() -> Table:
    """x decides: p and r are mostly a, q is b; See5 lets p and r share a leaf."""
    x = [0] * 10 + [1] * 10 + [2] * 10
    k = [0] * 9 + [1] + [1] * 10 + [0] * 8 + [1] * 2
    return table_of({"x": (category("x", "pqr"), x), "k": (target("k", "ab"), k)})


def test_a_shared_leaf_becomes_one_for_each_value() -> None:
    table = small()
    shared = clusters_by(table, "k")
    assert shared.tree.branches.tolist() == [1, 2, 1]
    apart = leaf_per_value(shared, table)
    assert apart.tree.branches.tolist() == [1, 2, 3]
    assert apart.tree.counts.tolist() == [[17, 13], [9, 1], [0, 10], [8, 2]]
    assert apart.tree.label.tolist()[1:] == [0, 1, 0]
    assert apart.siblings == {1: (2, 3), 2: (1, 3), 3: (1, 2)}
    assert apart.tree.missing_to.tolist() == [1, LEAF, LEAF, LEAF]


def test_trees_without_shared_leaves_stay() -> None:
    table = small()
    clusters = clusters_by(table, "k", GrowOptions(variant="j48"))
    assert leaf_per_value(clusters, table) is clusters


@pytest.mark.parametrize("key", range(6))
def test_every_record_is_predicted_as_before(key: int) -> None:
    """On both generated tables, for every category."""
    secret = bytes([key]) * 32
    for table in (customer_status(399, secret), credit_risk(399, secret)):
        for name in (a.name for a in table.schema.attributes if a.kind == "categorical"):
            shared = clusters_by(table, name)
            apart = leaf_per_value(shared, table)
            before, after = (leaf_of_each(c.tree, c.forest, table.columns) for c in (shared, apart))
            assert np.array_equal(shared.tree.label[before], apart.tree.label[after])
            assert np.array_equal(shared.tree.counts[0], apart.tree.counts[0])
            children = [child for _, child in apart.tree.edges()]
            assert len(children) == len(set(children)) == len(apart.tree.branches)
            for leaf in apart.tree.leaves.tolist():
                there = np.bincount(table.columns[name][after == leaf], minlength=apart.tree.counts.shape[1])
                assert apart.tree.counts[leaf].tolist() == there.tolist()


LIKE, UNLIKE = 4, 0  # tables with and without the tree of figure 6.9


def among(table: Table, **values: str) -> np.ndarray:
    """Which records have these values; underscores stand for blanks."""
    chosen = np.ones(table.rows, bool)
    for name, value in values.items():
        attribute = table.schema[name.replace("_", " ")]
        chosen &= table.columns[attribute.name] == attribute.categories.index(value)
    return chosen


def test_with_shared_leaves_the_noise_is_that_of_a_release() -> None:
    table, streams = customer_status_table(LIKE), public_streams("a test")
    capt = Capt("literal", 0.1, grow=BUILDERS["See5"])
    whole = whole_table(table)
    wanted = capt.prepare(table, PERTURBED, whole).perturb(
        table.columns, whole.ids, range(table.rows), streams
    )
    drawn = CategoricalNoise(table, PERTURBED, "literal", apart=False).drawn(streams)
    for name in PERTURBED:
        assert np.array_equal(drawn.columns[name], wanted[name])
    for name in set(table.columns) - set(PERTURBED):
        assert drawn.columns[name] is table.columns[name]


def test_with_a_leaf_per_value_the_english_keep_their_toyotas() -> None:
    """Bad and English is a leaf of Toyotas: nine of ten stay or take the same, the others a sibling's majority."""
    table = customer_status_table(LIKE)
    chosen = among(table, Status="Bad", Country_of_Origin="England")
    toyota = table.schema[CAR].categories.index("Toyota")
    assert (table.columns[CAR][chosen] == toyota).all()
    noise = CategoricalNoise(table, (CAR,), "literal")
    kept = [(noise.drawn(public_streams("keep", n)).columns[CAR][chosen] == toyota).mean() for n in range(40)]
    tree = grown(table, CAR, "See5").tree
    assert {int(tree.label[leaf]) for leaf in tree.leaves} == {
        table.schema[CAR].categories.index(c) for c in ("Ford", "Nissan", "Toyota")
    }
    # One of the two siblings has the majority Toyota too: half of the moves go there.
    assert np.mean(kept) == np.clip(np.mean(kept), 0.93, 0.97)


def test_strict_noise_keeps_every_record_in_its_leaf_of_the_status_tree() -> None:
    table = customer_status_table(LIKE)
    status = grown(table, STATUS, "See5")
    before = leaf_of_each(status.tree, status.forest, table.columns)
    modes: dict[Mode, bool] = {"strict": True, "literal": False}
    for mode, kept in modes.items():
        drawn = CategoricalNoise(table, PERTURBED, mode).drawn(public_streams("modes"))
        assert (drawn.columns[PROFESSION] != table.columns[PROFESSION]).any()
        after = leaf_of_each(status.tree, status.forest, drawn.columns)
        assert np.array_equal(before, after) == kept


def test_wrong_records_are_those_of_other_classes_than_their_leaf() -> None:
    table = customer_status_table(LIKE)
    cars = grown(table, CAR, "See5")
    predicted = cars.tree.label[leaf_of_each(cars.tree, cars.forest, table.columns)]
    assert wrong_records(cars) == pytest.approx((predicted != table.columns[CAR]).mean(), abs=1e-5)


def test_the_tree_of_figure_6_9_is_known_by_its_tests() -> None:
    table = customer_status_table(LIKE)
    found = leaf_one(grown(table, CAR, "See5"))
    good = among(table, Status="Good")
    assert found is not None
    assert list(found.values()) == np.bincount(table.columns[CAR][good], minlength=4).tolist()
    assert leaf_one(grown(customer_status_table(UNLIKE), CAR, "See5")) is None
    assert leaf_one(grown(table, COUNTRY, "See5")) is None
    assert clusters_of(UNLIKE)["leaf 1"] is None


def test_runs_are_the_same_again() -> None:
    first, again = together(LIKE, 2, "literal"), together(LIKE, 2, "literal")
    assert first == again
    assert first["A"]["See5, status"][0] != first["A"]["See5, status"][1]
    assert together(LIKE, 1, "literal")["A"]["See5, status"] == first["A"]["See5, status"][:1]
    assert all(sum(labels) == 2 for labels in first["labels"].values())
    assert set(first["changed"]) == {CAR, COUNTRY, PROFESSION}
