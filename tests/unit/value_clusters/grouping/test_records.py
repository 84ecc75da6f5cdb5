"""Distinct records, and clusters as groups."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.errors import InternalFault
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.coolcat import Coolcat, coolcat_groups
from hushwood.value_clusters.core import Core, core_groups
from hushwood.value_clusters.grouping.records import RecordGroups, RecordTuples, clustered_columns
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
