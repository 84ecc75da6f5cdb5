"""What `hushwood clusters` finds, against the clusterings themselves and by hand."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

import hushwood as hw
from hushwood.demo.synthetic_tables import customer_status
from hushwood.errors import InputError
from hushwood.jobs.clusters import clusters_of
from hushwood.jobs.judging_requests import ClusterRequest
from hushwood.tables.table import Table
from hushwood.value_clusters.registry import VALUE_CLUSTERS
from support.mixed_tables import category, mixed_table, number, table_of


def cars() -> Table:
    """In the east Ford and Nissan (3 : 1), in the west Holden."""
    place, car = [0] * 40 + [1] * 20, [0] * 30 + [2] * 10 + [1] * 20
    return table_of(
        {
            "place": (category("place", "ew"), place),
            "car": (category("car", ("Ford", "Holden", "Nissan")), car),
        }
    )


def test_by_hand_and_without_a_class() -> None:
    found = clusters_of(cars(), ClusterRequest(column=("car",), min_leaf=2))
    (car,) = found.columns
    assert [(g.records, dict(g.values)) for g in car.groups] == [
        (40, {"Ford": 30, "Nissan": 10}),
        (20, {"Holden": 20}),
    ]
    inside, between = car.pairs
    assert (inside.values, inside.product, inside.leaves) == (("Ford", "Nissan"), 300, ("place = e",))
    assert inside.strength == pytest.approx(300 / 1600)
    assert (between.values, between.leaves) == (("Ford", "Holden"), ("place = e", "place = w"))
    assert found.clusters is None


def test_the_thesis_table() -> None:
    """CS: Ford and Toyota are the most similar cars; two columns are explained by nothing."""
    found = hw.clusters(customer_status(399, bytes(range(32))), min_leaf=10)
    by_name = {column.name: column for column in found.columns}
    assert set(by_name["Car Make"].pairs[0].values) == {"Ford", "Toyota"}
    assert [name for name, column in by_name.items() if not column.groups] == [
        "Parents' Country",
        "Favorite City",
    ]


@pytest.mark.parametrize("name", VALUE_CLUSTERS)
def test_every_clustering_groups_all_records(name: str) -> None:
    table = mixed_table(5, 200)
    found = clusters_of(table, ClusterRequest(value_clusters=name, min_leaf=10))
    assert [column.name for column in found.columns] == ["city", "job", "nothing"]
    for column in found.columns:
        counted: Counter[str] = Counter()
        for group in column.groups:
            assert group.records == sum(group.values.values())
            counted.update(group.values)
        texts = np.array([*table.schema[column.name].categories, ""])
        if column.groups:
            assert counted == Counter(texts[table.columns[column.name]].tolist())
    json.dumps(found.to_json())


def test_clusters_of_records() -> None:
    table = mixed_table(5, 200)
    request = ClusterRequest(
        value_clusters="ex-detective", settings={"ex-detective": {"weights": {"job": 0.0}}}, min_leaf=10
    )
    found = clusters_of(table, request)
    assert found.clusters is not None
    assert found.weights is not None
    assert found.weights["job"] == 0
    assert found.weights["city"] == 1
    assert list(found.clusters) == sorted(found.clusters, reverse=True)
    assert sum(found.clusters) + found.in_no_cluster == 200
    assert found.to_json()["clusters"] == found.clusters


def test_what_is_refused() -> None:
    table = mixed_table(5, 60)
    for request, message in (
        (ClusterRequest(value_clusters="nix"), "no value clustering 'nix'"),
        (ClusterRequest(column=("count",)), "no categorical column 'count'"),
        (ClusterRequest(settings={"cactus": {"alpha": 2.0}}), "cactus are set, but detective is asked for"),
    ):
        with pytest.raises(InputError, match=message):
            clusters_of(table, request)
    with pytest.raises(InputError, match="no categorical column, so there are no values"):
        clusters_of(table_of({"x": (number("x", 0, 1), [0, 1])}), ClusterRequest())
    with pytest.raises(InputError, match="no option 'columns'"):
        hw.clusters(table, columns=("job",))
