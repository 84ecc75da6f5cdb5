from __future__ import annotations

import json
from dataclasses import replace
from math import log2

import numpy as np
import pytest
from hypothesis import assume, settings
from hypothesis import given as for_all
from hypothesis import strategies as st

from hushwood.measures.protocol import Context, Measurement, NotComputable
from hushwood.measures.utility.edusc import Edusc
from hushwood.tables.table import Table, class_labels
from hushwood.trees.model_file import forest_to_json
from hushwood.trees.options import Criterion, GrowOptions
from oracles import small_table
from oracles.c45_splits import Options
from oracles.edusc import edusc
from support.mixed_tables import category, mixed_table, number, table_of, target
from support.nested_trees import context_with, forest_of
from support.rearranged_tables import column_by_column_shuffled, in_another_unit, shuffled_rows
from support.table_pairs import context_for
from support.training_tables import small_table as plain_table

CLASS = target("class", ("n", "y"))
TWO = GrowOptions(min_leaf=2)


def compute(original: Table, released: Table, context: Context, measure: Edusc | None = None) -> Measurement:
    found = (measure or Edusc()).compute(original, released, context)
    assert isinstance(found, Measurement)
    return found


def one_number(classes: list[int]) -> Table:
    return table_of({"x": (number("x", 1, 8), [1, 2, 3, 4, 5, 6, 7, 8]), "class": (CLASS, classes)})


def test_a_lost_split_by_hand() -> None:
    original, released = one_number([0] * 4 + [1] * 4), one_number([0, 1] * 4)
    stump = forest_of([("x", 4, "n", "y")], original.schema.inputs, ("n", "y"))
    context = context_with(original, released, stump, stump, options=TWO)
    found = compute(original, released, context)
    # At the root x falls from 1 to 0; in the leaves no cut of two and two records gains anything, before or after.
    assert found.details["normalised"] == {"affected": 1 - 8 / 16, "paper": pytest.approx(1 - 1 / 3)}
    assert found.value == 0.5
    assert compute(original, released, context, Edusc("paper")).value == pytest.approx(2 / 3)
    assert found.details["largest_changes"] == [
        {"tree": 0, "node": 0, "attribute": "x", "records": 8, "original": 1.0, "released": 0.0}
    ]


def test_the_cuts_are_those_of_the_builder() -> None:
    """C4.5 sees no cut between values a millionth apart; See5 sees one wherever single precision does."""
    near = [1e-6, 2e-6, 3e-6, 4e-6] * 2
    original = table_of(
        {
            "s": (category("s", ("a", "b")), [0, 0, 0, 0, 1, 1, 1, 1]),
            "x": (number("x", 0, 1), near),
            "class": (CLASS, [0, 0, 1, 1, 0, 0, 1, 1]),
        }
    )
    released = original.with_columns({"x": np.array(near[::-1])})
    mixed = original.with_columns({"x": np.array([1e-6, 3e-6, 2e-6, 4e-6] * 2)})
    stump = forest_of([("s", {"a": "n", "b": "n"})], original.schema.inputs, ("n", "y"))

    def by(variant: str, other: Table) -> float:
        options = GrowOptions(variant, min_leaf=2)
        return compute(original, other, context_with(original, other, stump, stump, options=options)).value

    assert by("c45", mixed) == by("c45", released) == by("see5", released) == 1.0
    # x told the classes apart in every node. Now it does not in the leaves; at the root its best cut has two records of
    # one class below and two of them among the six above.
    entropy = log2(3) - 2 / 3
    ratio = (1 - 0.75 * entropy) / (2 - 0.75 * log2(3))
    assert by("see5", mixed) == pytest.approx(1 - (8 * (1 - ratio) + 4 + 4) / 16)


def test_an_empty_segment_of_the_release_has_no_gain() -> None:
    original = table_of(
        {
            "s": (category("s", ("a", "b")), [0, 0, 0, 0, 1, 1, 1, 1]),
            "x": (number("x", 1, 4), [1, 2, 3, 4, 1, 2, 3, 4]),
            "class": (CLASS, [0, 0, 1, 1, 0, 0, 0, 0]),
        }
    )
    released = original.with_columns({"s": np.ones(8, np.int32)})
    stump = forest_of([("s", {"a": "n", "b": "n"})], original.schema.inputs, ("n", "y"))
    found = compute(original, released, context_with(original, released, stump, stump, options=TWO))
    assert found.details["trees"][0]["empty_in_release"] == 1
    largest = next(row for row in found.details["largest_changes"] if row["node"] == 1)
    assert largest == {"tree": 0, "node": 1, "attribute": "x", "records": 4, "original": 1.0, "released": 0.0}


def plain(table: Table) -> small_table.Table:
    inputs = table.schema.inputs
    labels, classes = class_labels(table)
    return plain_table(inputs, [table.columns[a.name] for a in inputs], labels, classes)


def complete(table: Table) -> Table:
    """The records and columns without gaps."""
    table = replace(table, schema=table.schema.with_role(("void", "nothing"), "ignored"))
    names = [a.name for a in table.schema.inputs]
    known = [
        table.columns[n] >= 0 if table.columns[n].dtype.kind == "i" else ~np.isnan(table.columns[n])
        for n in names
    ]
    return table.take(np.flatnonzero(np.all(known, axis=0)))


# Both builders cut these values in the same places: none lie so near to each other that only one can tell them apart.
@pytest.mark.parametrize("variant", ["c45", "see5"])
@pytest.mark.parametrize("whole", [False, True], ids=["gaps", "complete"])
@pytest.mark.parametrize("seed", range(4))
def test_edusc_equals_the_oracle(seed: int, whole: bool, variant: str) -> None:
    original = complete(mixed_table(seed, 150)) if whole else mixed_table(seed, 100)
    released = column_by_column_shuffled(original, seed)
    context = context_for(original, released, options=GrowOptions(variant, min_leaf=4))
    found = compute(original, released, context)
    forest = forest_to_json(context.original_grown.forest)
    nodes = [tree["nodes"] for tree in forest["trees"]]
    assert sum(len(tree) for tree in nodes) > 5
    wanted = edusc(nodes, plain(original), plain(released), Options(min_leaf=4), 0.01)
    assert found.details["normalised"] == {
        key: pytest.approx(value, abs=1e-9) for key, value in wanted.items()
    }
    assert found.value < 1.0


@pytest.mark.parametrize("criterion", ["information_gain", "gini"])
@pytest.mark.parametrize("variant", ["c45", "see5", "credal"])
@pytest.mark.parametrize("whole", [False, True], ids=["gaps", "complete"])
def test_other_criteria_equal_the_oracle(whole: bool, variant: str, criterion: Criterion) -> None:
    original = complete(mixed_table(6, 150)) if whole else mixed_table(6, 100)
    released = column_by_column_shuffled(original, 6)
    context = context_for(original, released, options=GrowOptions(variant, min_leaf=4))
    found = compute(original, released, context, Edusc(criterion=criterion))
    nodes = [tree["nodes"] for tree in forest_to_json(context.original_grown.forest)["trees"]]
    options = Options(min_leaf=4, criterion=criterion)
    wanted = edusc(nodes, plain(original), plain(released), options, 0.01, criterion)
    assert found.details["normalised"] == {
        key: pytest.approx(value, abs=1e-9) for key, value in wanted.items()
    }
    assert found.details["criterion"] == criterion
    assert found.value < 1.0


@pytest.mark.parametrize(
    ("criterion", "gain"),
    # Classes 3:1 and 1:3 of 4:4: the entropy falls from 1 to H(1/4), Gini's index from 1/2 to 3/8; the most are 1, 1/2.
    [("information_gain", 1 - (0.25 * 2 + 0.75 * log2(4 / 3))), ("gini", (1 / 2 - 3 / 8) / (1 / 2))],
)
def test_other_criteria_by_hand(criterion: Criterion, gain: float) -> None:
    original, released = one_number([0, 0, 0, 1, 0, 1, 1, 1]), one_number([0, 1] * 4)
    stump = forest_of([("x", 4, "n", "y")], original.schema.inputs, ("n", "y"))
    context = context_with(original, released, stump, stump, options=TWO)
    found = compute(original, released, context, Edusc(criterion=criterion))
    root = found.details["largest_changes"][0]
    assert (root["node"], root["original"], root["released"]) == (0, pytest.approx(gain), 0.0)
    same = context_with(original, original, stump, stump, options=TWO)
    assert compute(original, original, same, Edusc(criterion=criterion)).value == 1.0


def test_threads_change_nothing() -> None:
    original = mixed_table(5, 200)
    released = column_by_column_shuffled(original, 5)
    one = compute(original, released, context_for(original, released))
    two = compute(original, released, context_for(original, released, threads=2))
    assert one == two


@settings(max_examples=15)
@for_all(st.integers(0, 10**6))
def test_a_table_against_itself_is_the_best(seed: int) -> None:
    table = mixed_table(seed, 60)
    found = compute(table, table, context_for(table, table))
    assert found.value == Edusc.best == 1.0
    assert found.details["normalised"] == {"affected": 1.0, "paper": 1.0}
    assert found.details["largest_changes"] == []


def nearest_values(table: Table, name: str) -> float:
    """The least distance between two different values of a column."""
    values = table.columns[name]
    return float(np.diff(np.unique(values[~np.isnan(values)])).min(initial=np.inf))


@settings(max_examples=8)
@for_all(st.integers(0, 10**6), st.sampled_from([(2.0, -1024.0), (0.25, 64.0)]))
def test_order_and_unit_change_nothing(seed: int, unit: tuple[float, float]) -> None:
    table = mixed_table(seed, 100)
    # C4.5 cuts between values that are more than 1e-5 apart, in whatever unit they are.
    assume(all(nearest_values(table, a.name) > 1e-4 for a in table.schema.inputs if a.kind == "numeric"))
    # A tree of categories only, so that it fits every unit.
    shape = ("city", {c: ("job", dict.fromkeys("abcdefgh", "low")) for c in ("Arm", "Mel", "New", "Syd")})
    tree = forest_of([shape], table.schema.inputs, ("high", "low", "middle"))
    tables = table, column_by_column_shuffled(table, seed)
    moved = [shuffled_rows(in_another_unit(t, *unit), seed) for t in tables]
    one = compute(*tables, context_with(*tables, tree, tree))
    other = compute(moved[0], moved[1], context_with(moved[0], moved[1], tree, tree))
    assert other.value == pytest.approx(one.value, abs=1e-9)


def test_details_are_plain_and_complete() -> None:
    original = mixed_table(3, 200)
    released = column_by_column_shuffled(original, 3)
    found = compute(original, released, context_for(original, released))
    details = found.details
    assert json.loads(json.dumps(details)) == details
    assert details["threshold"] == 0.01
    assert found.value == details["normalised"]["affected"] <= details["normalised"]["paper"]
    assert np.mean([tree["affected"] for tree in details["trees"]]) == pytest.approx(found.value)
    assert [row["name"] for row in details["attributes"]] == [a.name for a in original.schema.inputs]
    assert all(row["change"] is None or 0 <= row["change"] <= 1 for row in details["attributes"])
    short = compute(original, released, context_for(original, released, value_only=True))
    assert short == Measurement(found.value)


def test_nothing_learnt_is_no_number() -> None:
    table = one_number([0, 1] * 4)
    nobody = table.with_columns({"class": np.full(8, -1, np.int32)})
    assert isinstance(Edusc().compute(table, nobody, context_for(table, nobody)), NotComputable)
