"""Clusters of a release against the original's, on tables with planted clusters and against plain loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import metrics

from hushwood.measures.clusters import ClusterSpace, starting_records
from hushwood.measures.protocol import Measurement, NotComputable
from hushwood.measures.utility.clustering import ClustersFoundAgain
from hushwood.tables.table import Table
from oracles import clusters as oracle
from support.mixed_tables import category, mixed_table, number, table_of, target
from support.rearranged_tables import (
    column_by_column_shuffled,
    in_another_unit,
    shuffled_columns,
    shuffled_rows,
)
from support.table_pairs import STREAMS, context_for


def measured(
    original: Table, released: Table, measure: ClustersFoundAgain | None = None, **more: Any
) -> Measurement:
    more.setdefault("paired", original.rows == released.rows)
    context = context_for(original, released, **more)
    found = (measure or ClustersFoundAgain()).compute(original, released, context)
    assert isinstance(found, Measurement)
    return found


def islands(seed: int, rows: int = 120, noise: float = 0.3) -> Table:
    """Three islands far apart, each with a class and a colour of its own."""
    draw = np.random.default_rng(seed)
    island = np.arange(rows) % 3
    x = np.array([0.0, 10.0, 0.0])[island] + draw.normal(0, noise, rows)
    y = np.array([0.0, 0.0, 10.0])[island] + draw.normal(0, noise, rows)
    return table_of(
        {
            "x": (number("x", -5, 15, None), x.tolist()),
            "y": (number("y", -5, 15, None), y.tolist()),
            "c": (category("c", "rgb"), island.tolist()),
            "k": (target("k", "abc"), island.tolist()),
        }
    )


def test_islands_that_stay_are_found_again() -> None:
    """Other noise on the same islands: the same clusters, which are the classes."""
    found = measured(islands(1), islands(2))

    assert found.value == 1.0
    details = found.details
    assert details["clusters"] == 3
    assert details["paired_adjusted_rand"] == 1.0
    for side in ("before", "after"):
        assert [
            details[side][name] for name in ("rand", "adjusted_rand", "f_measure", "fowlkes_mallows")
        ] == [1.0] * 4
        assert details[side]["silhouette"] > 0.9
        assert details[side]["davies_bouldin"] < 0.2


def test_a_release_without_islands_finds_something_else() -> None:
    original, draw = islands(1), np.random.default_rng(3)
    columns: dict[str, Any] = {name: draw.uniform(-5, 15, 120) for name in "xy"}
    columns |= {name: draw.integers(0, 3, 120).astype(np.int32) for name in "ck"}

    found = measured(original, original.with_columns(columns))

    assert found.value < 0.8
    assert found.details["paired_adjusted_rand"] < 0.1
    assert found.details["loss"]["adjusted_rand"] > 0.8
    assert found.details["loss"]["davies_bouldin"] < 0


def test_clusters_are_not_asked_who_is_in_them_unless_paired() -> None:
    """Columns shuffled one by one still have the islands' places, but nobody is where they were."""
    original = islands(1)

    found = measured(original, column_by_column_shuffled(original, 3))

    assert found.value == 1.0
    assert found.details["paired_adjusted_rand"] < 0.1
    assert measured(original, original, paired=False).details["paired_adjusted_rand"] is None


@pytest.mark.parametrize("seed", range(4))
def test_equals_plain_loops(seed: int) -> None:
    original, released = mixed_table(seed, 30), mixed_table(seed + 10, 40)
    rows, others = np.arange(30), np.arange(40)
    space, new = ClusterSpace.of(original, rows), ClusterSpace.of(released, others)
    clusters = len(np.unique(original.columns["risk"][original.columns["risk"] >= 0]))
    starts = starting_records(space.points(original, rows), clusters, ClustersFoundAgain().starts, STREAMS)
    labels = []
    for own, table, chosen in ((space, original, rows), (new, released, others)):
        there, seen = own.points(table, chosen).tolist(), own.points(original, rows)
        runs = [oracle.lloyd(there, seen[start].tolist()) for start in starts]
        centres = min(runs, key=lambda run: run[1])[0]
        labels.append(oracle.nearest(seen.tolist(), centres))

    assert measured(original, released).value == pytest.approx(oracle.adjusted_rand(*labels))


def test_the_shape_of_clusters_is_that_of_scikit_learn() -> None:
    table = islands(4)
    points = ClusterSpace.of(table, np.arange(120)).points(table, np.arange(120))
    labels = np.arange(120) % 3

    before = measured(table, table).details["before"]

    assert before["silhouette"] == pytest.approx(metrics.silhouette_score(points, labels))
    assert before["davies_bouldin"] == pytest.approx(metrics.davies_bouldin_score(points, labels))


def test_samples_are_keyed_and_the_same_for_the_same_table() -> None:
    table = mixed_table(3, 400)
    few = ClustersFoundAgain(most_records=100, silhouette_records=30)

    alone, paired = measured(table, table, few, paired=False), measured(table, table, few)

    assert (alone.value, paired.value) == (1.0, 1.0)
    assert paired.details["records"] == [100, 100]
    assert paired.details["sampled"]


def test_order_of_rows_and_columns_units_and_signs_change_nothing() -> None:
    original, released = islands(5, noise=4.0), islands(6, noise=9.0)
    value = measured(original, released).value
    assert 0 < value < 1

    assert measured(original, shuffled_rows(released, 2), paired=False).value == pytest.approx(value)
    assert measured(shuffled_columns(original, 1), shuffled_columns(released, 1)).value == pytest.approx(
        value
    )
    for factor, offset in ((-1.0, 0.0), (8.0, 0.0), (1.0, 64.0)):
        before, after = (in_another_unit(table, factor, offset) for table in (original, released))
        assert measured(before, after).value == pytest.approx(value)


def test_dropped_records_have_no_cluster_of_their_own() -> None:
    original = islands(1)
    partner = np.concatenate([np.full(20, -1), np.arange(100)])

    found = measured(original, original.take(np.arange(20, 120)), partner=partner)

    assert found.details["records"] == [120, 100]
    assert (found.value, found.details["paired_adjusted_rand"]) == (1.0, 1.0)


def test_a_release_of_one_point_has_one_cluster() -> None:
    original = islands(1)

    found = measured(original, original.take(np.zeros(120, np.int64)))

    assert found.value == 0.0
    assert found.details["after"]["silhouette"] is None


def test_records_that_are_all_alike_have_no_clusters() -> None:
    table = table_of({"x": (number("x", 1, 1), [1] * 4), "k": (target("k", "no"), [0, 1, 0, 1])})

    assert isinstance(ClustersFoundAgain().compute(table, table, context_for(table, table)), NotComputable)
