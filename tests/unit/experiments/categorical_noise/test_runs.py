"""One generated table of chapter 6: its noise is CAPT's, and the tree of figure 6.9 is told from others."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.experiments.categorical_noise.runs import (
    BUILDERS,
    CAR,
    COUNTRY,
    PERTURBED,
    PROFESSION,
    STATUS,
    CategoricalNoise,
    clusters_of,
    customer_status_table,
    grown,
    leaf_one,
    together,
    wrong_records,
)
from hushwood.experiments.protocol import public_streams
from hushwood.segments.partition import whole_table
from hushwood.tables.table import Table
from hushwood.techniques.capt import Capt, Mode
from hushwood.trees.routing import leaf_of_each

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
