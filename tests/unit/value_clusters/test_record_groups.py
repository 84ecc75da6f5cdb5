"""What ROCK, QROCK, COOLCAT and CORE give to CAPT: groups that depend on a record's values alone."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.coolcat import Coolcat, coolcat_groups
from hushwood.value_clusters.core import Core, core_groups
from hushwood.value_clusters.qrock import Qrock, qrock_groups
from hushwood.value_clusters.record_groups import RecordGroups
from hushwood.value_clusters.rock import Rock, rock_groups
from mixed_tables import category, mixed_table, table_of, target
from record_rows import Row, row_lists, table_of_rows

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
