"""Distinct records, and clusters as groups.

A clustering is remembered for the same columns and parameters, and for nothing else. Values that occur, and groups of
alike ones.
"""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable
from dataclasses import replace
from random import Random
from weakref import ref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.arrays import Integers
from hushwood.errors import InputError, InternalFault
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.coolcat import Coolcat, coolcat_groups
from hushwood.value_clusters.core import Core, core_groups
from hushwood.value_clusters.grouping.records import (
    AlikeValues,
    RecordGroups,
    RecordTuples,
    cached_per_table,
    clustered_columns,
    groups_of_values,
    observed_values,
    similar_pairs,
)
from hushwood.value_clusters.rock import Qrock, Rock, qrock_groups, rock_groups
from oracles import record_clusters as oracle
from support.mixed_tables import category, mixed_table, number, table_of, target
from support.record_rows import SPAN, Row, row_lists, table_of_rows, tuples_of


@given(row_lists())
def test_the_most_frequent_come_first(rows: list[Row]) -> None:
    tuples = tuples_of(rows)
    in_order = [tuple(row) for row in (tuples.values % SPAN).tolist()]
    assert in_order == oracle.in_order(rows)
    assert tuples.weight.tolist() == [rows.count(row) for row in in_order]


def _weighing(*weight: int) -> RecordTuples:
    return RecordTuples(np.arange(len(weight), dtype=np.int32)[:, None], np.array(weight), len(weight))


def test_equally_frequent_ones_are_taken_at_even_steps() -> None:
    """Not the first by code: where every record is different, these would all have the same first value."""
    assert _weighing(5, 1, 1, 1, 1, 1, 1).most_frequent(3).values[:, 0].tolist() == [0, 1, 4]
    assert _weighing(5, 4, 3, 2, 1).most_frequent(2).values[:, 0].tolist() == [0, 1]
    assert _weighing(5, 4, 3).most_frequent(9).values[:, 0].tolist() == [0, 1, 2]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=30), st.integers(1, 40))
def test_none_is_left_out_for_a_rarer_one(weights: list[int], count: int) -> None:
    descending = sorted(weights, reverse=True)
    taken = _weighing(*descending).most_frequent(count)
    assert taken.weight.tolist() == descending[:count]
    assert len(set(taken.values[:, 0].tolist())) == len(taken) == min(count, len(weights))


def test_every_value_has_its_own_number() -> None:
    table = table_of(
        {
            "b": (category("b", "xyz"), [0, 2, -1]),
            "a": (target("a", "no"), [1, -1, 0]),
            "n": (number("n", 0, 9), [1, 2, 3]),
        }
    )
    columns = clustered_columns(table)
    assert (columns.names, columns.first, columns.width) == (("a", "b"), (0, 3), 7)
    assert columns.values(table.columns).tolist() == [[2, 4], [0, 6], [1, 3]]


def test_columns_without_two_values_or_with_too_many_are_left_out() -> None:
    assert clustered_columns(mixed_table(1, 60)).names == ("city", "job", "risk")
    many = category("many", [str(i) for i in range(1001)])
    table = table_of(
        {
            "many": (many, [0, 1, 2]),
            "one": (category("one", "xy"), [1, 1, 1]),
            "gap": (category("gap", "xy"), [1, 1, -1]),
        }
    )
    assert clustered_columns(table).names == ("gap",)
    assert clustered_columns(table.take(np.array([], np.int64))).names == ()


def test_a_binned_class_is_its_bins() -> None:
    amount = Attribute("amount", "categorical", role="class", categories=("1", "2", "7", "9"), bins=(2.0,))
    table = table_of({"amount": (amount, [0, 1, 2, 3, -1]), "c": (category("c", "xy"), [0, 1, 0, 1, 0])})
    columns = clustered_columns(table)
    assert columns.first == (0, 3)
    assert columns.values(table.columns)[:, 0].tolist() == [1, 1, 2, 2, 0]


def test_values_that_no_category_has_are_refused() -> None:
    columns = clustered_columns(
        table_of({"a": (category("a", "pq"), [0, 1]), "y": (target("y", "no"), [0, 1])})
    )
    with pytest.raises(InternalFault, match="Values of clustered columns must lie from 0 to 5"):
        columns.values({"a": np.array([0, 1]), "y": np.array([0, 5])})


Grouping = Callable[[Table, str], RecordGroups | None]
TREE = GrowOptions()


def _groupings(tuples: int) -> dict[str, Grouping]:
    """Every clustering of records with few clusters, some records known and some labelled."""
    return {
        "ROCK": lambda table, name: rock_groups(table, name, TREE, Rock(0.4, 2, 2, 2, tuples=tuples)),
        "QROCK": lambda table, name: qrock_groups(table, name, TREE, Qrock(0.4, tuples=tuples)),
        "COOLCAT": lambda table, name: coolcat_groups(table, name, TREE, Coolcat(2, 3, 0.4, tuples=tuples)),
        "CORE": lambda table, name: core_groups(table, name, TREE, Core(0.3, 2, tuples=tuples)),
    }


each_clustering = pytest.mark.parametrize("clustering", _groupings(2))


@each_clustering
@given(row_lists(), st.integers(2, 6), st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_the_order_of_rows_and_columns_changes_nothing(
    clustering: str, rows: list[Row], tuples: int, chance: Random
) -> None:
    group = _groupings(tuples)[clustering]
    order, columns = list(range(len(rows))), list(range(len(rows[0])))
    chance.shuffle(order)
    chance.shuffle(columns)
    table = table_of_rows(rows)
    found, moved = group(table, "c1"), group(table_of_rows([rows[i] for i in order], columns), "c1")
    assert (found is None) == (moved is None)
    if found is not None and moved is not None:
        assert found.group_of(table.columns).tolist() == moved.group_of(table.columns).tolist()


@each_clustering
@pytest.mark.parametrize("seed", range(3))
def test_a_group_depends_on_the_record_alone(clustering: str, seed: int) -> None:
    table = mixed_table(seed, 400)
    found = _groupings(20)[clustering](table, "job")
    assert found is not None
    groups = found.group_of(table.columns)
    assert sorted(set(groups.tolist())) == list(range(groups.max() + 1))
    assert groups.max() >= 1
    assert found.reads == ("city", "job", "risk")
    again = pickle.loads(pickle.dumps(found))  # noqa: S301 - our own bytes
    for part in np.array_split(np.arange(table.rows)[::-1], 7):
        chunk = {name: table.columns[name][part] for name in found.reads}
        assert again.group_of(chunk).tolist() == groups[part].tolist()
    assert again.group_of({name: table.columns[name][:0] for name in found.reads}).tolist() == []


@pytest.mark.parametrize("seed", [7, 11])
@pytest.mark.parametrize("clustering", ["ROCK", "COOLCAT", "CORE"])
def test_known_records_keep_their_clusters_and_others_are_labelled(clustering: str, seed: int) -> None:
    """In these tables the labelling rules would put some known record elsewhere; QROCK's never does."""
    table = mixed_table(seed, 300)
    found = _groupings(40)[clustering](table, "job")
    assert found is not None
    groups, values = found.group_of(table.columns), found.columns.values(table.columns)
    rows, clusters = found.clusters.tuples.values.tolist(), found.clusters.cluster.tolist()
    known = {tuple(row): cluster for row, cluster in zip(rows, clusters, strict=True)}
    label = found.clusters.labelled(values)
    for row, group, other in zip(values.tolist(), groups.tolist(), label.tolist(), strict=True):
        assert group == known.get(tuple(row), other)
    assert len(known) <= 40 < len(np.unique(values, axis=0))


@each_clustering
def test_values_that_no_record_had_have_a_group(clustering: str) -> None:
    table = table_of(
        {
            "a": (category("a", "uvwxyz"), [0, 0, 0, 1, 1, 1, 2, 2]),
            "b": (category("b", "uvwxyz"), [0, 0, 1, 3, 3, 4, 3, 0]),
            "c": (category("c", "uvwxyz"), [0, 0, 0, 3, 3, 3, 3, 0]),
            "k": (target("k", "no"), [0, 0, 0, 1, 1, 1, 1, 0]),
        }
    )
    found = _groupings(6)[clustering](table, "a")
    assert found is not None
    new = {name: np.array([5, -1], np.int32) for name in "abc"} | {"k": np.array([1, -1], np.int32)}
    assert set(found.group_of(new).tolist()) <= set(found.group_of(table.columns).tolist())


def _nothing_to_cluster() -> dict[str, Table]:
    target_column = (target("k", "no"), [0, 1] * 3)
    apart = {
        "k": (target("k", "stuvwx"), [0, 1, 2, 3, 4, 5]),
        "v": (category("v", "abcdef"), [0, 1, 2, 3, 4, 5]),
    }
    return {
        "one value": table_of({"v": (category("v", "ab"), [0] * 6), "k": target_column}),
        "one value and gaps": table_of(
            {"v": (category("v", "ab"), [-1, -1, 1, 1, 1, 1]), "k": target_column}
        ),
        "no values": table_of({"v": (category("v", ""), [-1] * 6), "k": target_column}),
        "no other column": table_of({"v": (category("v", "ab"), [0, 1] * 3)}),
        "too many values": table_of(
            {"v": (category("v", [str(i) for i in range(1001)]), [0, 1] * 3), "k": target_column}
        ),
        "no records": table_of({"v": (category("v", "ab"), []), "k": (target("k", "no"), [])}),
        "none alike": table_of(apart),
    }


@pytest.mark.parametrize("what", _nothing_to_cluster())
@each_clustering
def test_nothing_to_cluster_is_none(clustering: str, what: str) -> None:
    found = _groupings(6)[clustering](_nothing_to_cluster()[what], "v")
    assert found is None or (what, clustering) == ("none alike", "COOLCAT")


def test_records_are_clustered_once_for_all_attributes() -> None:
    table = mixed_table(2, 200)
    job, city = (core_groups(table, name, TREE) for name in ("job", "city"))
    assert job is not None
    assert city is not None
    assert job.clusters is city.clusters
    other = core_groups(table, "city", TREE, Core(k=5))
    assert other is not None
    assert other.clusters.cluster.max() < city.clusters.cluster.max()


def test_one_cluster_of_all_is_none() -> None:
    table = table_of_rows([(1, 1, 1), (1, 1, 2), (1, 2, 2)])
    assert qrock_groups(table, "c1", TREE, Qrock(0.0)) is None
    assert qrock_groups(table, "c1", TREE, Qrock(1.0)) is None


def counting() -> tuple[list[int], Callable[..., int]]:
    calls: list[int] = []

    @cached_per_table
    def rows(table: Table, more: int = 0) -> int:
        """How many rows, and some more."""
        calls.append(table.rows)
        return table.rows + more

    return calls, rows


def test_the_same_table_is_asked_once() -> None:
    calls, rows = counting()
    table = mixed_table(1, 20)
    assert [rows(table), rows(table), rows(table.with_columns({}))] == [20, 20, 20]
    assert calls == [20]
    assert rows(table, 5) == 25
    assert rows(table, more=5) == 25
    assert rows(table) == 20
    assert len(calls) == 4, "only the last question is remembered, as it was put"


def test_rows_are_the_same_only_if_they_are_the_same_array() -> None:
    calls: list[int] = []

    @cached_per_table
    def some(table: Table, rows: Integers | None = None) -> int:
        calls.append(table.rows)
        return table.rows if rows is None else len(rows)

    table, rows = mixed_table(1, 20), np.arange(5)
    assert [some(table, rows), some(table, rows), some(table, rows=rows), some(table, rows=rows)] == [5] * 4
    assert len(calls) == 2
    assert [some(table, rows.copy()), some(table), some(table)] == [5, 20, 20]
    assert len(calls) == 4


def test_another_table_is_another_question() -> None:
    """An equal copy of a column counts as another one: what is inside is not compared."""
    calls, rows = counting()
    table = mixed_table(1, 20)
    rows(table)
    rows(table.with_columns({"city": np.array(table.columns["city"])}))
    rows(table)
    renamed = replace(table, schema=table.schema.with_attribute(category("city", ("x", "y", "z", "w"))))
    rows(renamed)
    assert len(calls) == 4


def test_tables_are_not_kept_in_memory() -> None:
    _, rows = counting()
    table = mixed_table(1, 20)
    column = ref(table.columns["city"])
    rows(table)
    del table
    gc.collect()
    assert column() is None
    assert rows(mixed_table(1, 20)) == 20


def test_values_that_occur() -> None:
    """Unused categories and constant columns are left out; a missing value is one, with an empty name."""
    table = table_of(
        {
            "b": (category("b", ("p", "never", "q")), [0, 2, 0, 0, -1]),
            "a": (category("a", ("x", "y")), [1, 0, 1, 1, 1]),
            "constant": (category("constant", ("c", "d")), [0] * 5),
            "x": (number("x", 0, 9), [1, 2, 3, 4, 5]),
        }
    )
    found = observed_values(table)
    assert found.names == ("a", "b")
    assert found.values == (("x", "y"), ("", "p", "q"))
    assert (found.records, found.sizes) == (5, (2, 3))
    assert found.weight.tolist()[0] == 3
    held = {(*codes,): w for *codes, w in zip(*found.codes.tolist(), found.weight.tolist(), strict=True)}
    assert held == {(1, 1): 3, (0, 2): 1, (1, 0): 1}


def test_named_columns_only() -> None:
    table = mixed_table(3, 100)
    assert observed_values(table, ("risk", "city")).names == ("city", "risk")
    for name in ("count", "nothing", "absent"):
        with pytest.raises(InputError, match=f"'{name}' cannot be clustered.*There are city, job, risk"):
            observed_values(table, ("city", name))


def test_a_binned_class_is_its_bins_value_sets() -> None:
    wages = target("wage", tuple(str(w) for w in range(1, 7)))
    table = table_of(
        {"a": (category("a", "xy"), [0, 1] * 3), "wage": (replace(wages, bins=(3.0,)), [0, 1, 2, 3, 4, 5])}
    )
    found = observed_values(table)
    assert found.values == (("x", "y"), ("<= 3", "> 3"))


def test_no_columns() -> None:
    found = observed_values(table_of({"x": (number("x", 0, 9), [1, 2])}))
    assert (found.names, found.records, found.sizes) == ((), 0, ())


CARS = category("car", ("Ford", "Holden", "Nissan", "Toyota"))


def test_pairs() -> None:
    assert similar_pairs([("b", "a", "c"), ("c", "d"), ("e",)]) == {
        *(("a", "b"), ("a", "c"), ("b", "c")),
        ("c", "d"),
    }
    assert similar_pairs([]) == set()


def test_a_value_in_several_clusters_is_in_that_of_most_records() -> None:
    clusters = [AlikeValues(("Ford", "Holden"), 10), AlikeValues(("Ford", "Toyota", ""), 30)]
    groups = groups_of_values(CARS, clusters)
    assert groups is not None
    ford, holden, nissan, toyota, missing = groups.of_code.tolist()
    assert ford == toyota == missing
    assert len({ford, holden, nissan}) == 3
    assert sorted(set(groups.of_code.tolist())) == [0, 1, 2]


def test_the_first_of_equal_clusters_wins() -> None:
    groups = groups_of_values(CARS, [AlikeValues(("Ford", "Holden"), 9), AlikeValues(("Ford", "Toyota"), 9)])
    assert groups is not None
    ford, holden, _, toyota, _ = groups.of_code.tolist()
    assert ford == holden != toyota


def test_without_two_values_together_there_are_no_groups() -> None:
    assert groups_of_values(CARS, []) is None
    assert groups_of_values(CARS, [AlikeValues(("Ford",), 9), AlikeValues(("Nissan",), 3)]) is None
    assert groups_of_values(CARS, [AlikeValues(("Ford", "Toyota"), 1)]) is not None


def test_records_are_looked_up_by_their_own_value() -> None:
    groups = groups_of_values(CARS, [AlikeValues(("Ford", "Toyota"), 1)])
    assert groups is not None
    found = groups.group_of({"car": np.array([0, 3, 1, -1], np.int32)})
    assert found[0] == found[1]
    assert len(set(found.tolist())) == 3
    assert (groups.reads, groups.siblings) == (("car",), {})
