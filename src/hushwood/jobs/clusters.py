"""Which values of a table are similar: what CAPT would draw among, to look at before a release.

DETECTIVE finds pairs of similar values and the rules under which they are (thesis 6.4); EX-DETECTIVE clusters of
records; every clustering groups records for each categorical column. All of it describes the original table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from hushwood.arrays import Integers
from hushwood.errors import InputError, unknown_name
from hushwood.jobs.inputs import read_input
from hushwood.jobs.judging import AUDIT_SECRET
from hushwood.jobs.judging_requests import ClusterRequest
from hushwood.parameters import check_settings
from hushwood.random_streams import Streams
from hushwood.releasing.forest_for import sampled_rows
from hushwood.releasing.options import PerturbOptions
from hushwood.tables.schema import Role, Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.groupings import coded
from hushwood.trees.forest import describe_conditions, rules_of
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.detective import ExDetective, RecordCells, ex_detective
from hushwood.value_clusters.grouping.attribute_trees import detective, similarities
from hushwood.value_clusters.registry import VALUE_CLUSTERS


@dataclass(frozen=True, slots=True)
class SimilarPair:
    """Two similar values, the share of pairs of records that have them, and the leaves: one, or two siblings."""

    values: tuple[str, str]
    strength: float
    product: float
    leaves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GroupOfRecords:
    """Records among which a value would be redrawn, and how often each value is there (missing: an empty text)."""

    records: int
    values: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ClusteredColumn:
    """What was found for one column; nothing explains it if it has no groups. Only DETECTIVE gives pairs."""

    name: str
    values: int
    groups: tuple[GroupOfRecords, ...]
    pairs: tuple[SimilarPair, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundClusters:
    """What a clustering found in a table; only EX-DETECTIVE gives the sizes of clusters and the columns' weights."""

    clustering: str
    records: int
    grown_on: int
    min_leaf: float
    columns: tuple[ClusteredColumn, ...]
    clusters: tuple[int, ...] | None = None
    weights: Mapping[str, float] | None = None

    @property
    def in_no_cluster(self) -> int:
        """Records that EX-DETECTIVE put in no cluster."""
        return self.records - sum(self.clusters or ())

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        found = {"format": "hushwood-clusters", "version": 1, **asdict(self)}
        return {key: value for key, value in found.items() if value is not None}


def clusters(
    table: object,
    *,
    target: str | None = None,
    schema: Schema | Path | str | None = None,
    roles: Mapping[str, Role] | None = None,
    **options: Any,
) -> FoundClusters:
    """Which values of a table, a file or a frame are similar: what CAPT would draw among.

    `options` are those of the command: `value_clusters`, `column`, `settings`, `min_leaf`, `variant`, `criterion`,
    `confidence`. What is found describes the original table; keep it private.
    """
    known = [field.name for field in fields(ClusterRequest)]
    for name in options:
        if name not in known:
            raise unknown_name("option", name, known)
    reading = read_input(table, {"target": target, "schema": schema, "roles": roles})
    return clusters_of(reading.table, ClusterRequest(**options))


def clusters_of(table: Table, request: ClusterRequest) -> FoundClusters:
    """Cluster the values of all categorical columns, or of those asked for."""
    name = request.value_clusters
    if name not in VALUE_CLUSTERS:
        raise unknown_name("value clustering", name, VALUE_CLUSTERS)
    how = _parameters(request)
    options = PerturbOptions(
        technique="capt",
        min_leaf=request.min_leaf,
        variant=request.variant,
        criterion=request.criterion,
        confidence=request.confidence,
    )
    grow = options.grow_options(table.rows)
    rows = sampled_rows(range(table.rows), options.forest_rows, Streams(AUDIT_SECRET))
    found = tuple(_column(table, column, name, grow, how, rows) for column in _columns(table, request.column))
    sizes, weights = None, None
    if VALUE_CLUSTERS[name].parameters is ExDetective:
        cells = ex_detective(table, grow, how or ExDetective(), rows)
        sizes, weights = _sizes(table, cells), _weights(cells, how)
    grown_on = table.rows if rows is None else len(rows)
    return FoundClusters(name, table.rows, grown_on, grow.min_leaf, found, sizes, weights)


def _parameters(request: ClusterRequest) -> Any:
    """The parameters of the clustering that is asked for; None for its defaults."""
    name = request.value_clusters
    declared: dict[str, Any] = {n: c.parameters for n, c in VALUE_CLUSTERS.items() if c.parameter_class}
    check_settings(request.settings, declared, "value clustering")
    for other in request.settings:
        if other != name:
            raise InputError(f"Parameters of {other} are set, but {name} is asked for; omit them.")
    return declared[name](**request.settings[name]) if name in request.settings else None


def _columns(table: Table, asked: Sequence[str]) -> Sequence[str]:
    known = [a.name for a in table.schema.kept if a.kind == "categorical"]
    for name in asked:
        if name not in known:
            raise unknown_name("categorical column", name, known)
    found = asked or [a.name for a in table.schema.inputs if a.kind == "categorical"]
    if not found:
        raise InputError("The table has no categorical column, so there are no values to cluster.")
    return found


def _column(
    table: Table, name: str, clustering: str, grow: GrowOptions, how: Any, rows: Integers | None
) -> ClusteredColumn:
    groups = VALUE_CLUSTERS[clustering](table, name, grow, how, rows)
    categories = table.schema[name].categories
    if groups is None:
        return ClusteredColumn(name, len(categories), ())
    pairs = _pairs(table, name, grow, rows) if groups.siblings else ()
    return ClusteredColumn(name, len(categories), _groups(table, name, groups.group_of(table.columns)), pairs)


def _groups(table: Table, name: str, group: Integers) -> tuple[GroupOfRecords, ...]:
    """The values of every group, both with the most frequent first."""
    texts = (*table.schema[name].categories, "")
    cell = np.asarray(group, np.int64) * len(texts) + coded(table.columns[name], len(texts))
    cells, counts = np.unique(cell, return_counts=True)
    found: dict[int, dict[str, int]] = {}
    for at, count in sorted(zip(cells.tolist(), counts.tolist(), strict=True), key=lambda pair: -pair[1]):
        found.setdefault(at // len(texts), {})[texts[at % len(texts)]] = count
    sized = [GroupOfRecords(sum(values.values()), values) for values in found.values()]
    return tuple(sorted(sized, key=lambda one: -one.records))


def _pairs(table: Table, name: str, grow: GrowOptions, rows: Integers | None) -> tuple[SimilarPair, ...]:
    """The pairs that DETECTIVE finds, inside leaves first, and the rules of their leaves."""
    found = detective(table, name, grow, rows=rows)
    if found is None:
        return ()
    rules = rules_of(found.tree, found.forest)
    said = {
        leaf: describe_conditions(rule.conditions)
        for leaf, rule in zip(found.tree.leaves.tolist(), rules, strict=True)
    }
    return tuple(
        SimilarPair(s.values, s.strength, s.product, tuple(said[leaf] for leaf in s.leaves))
        for s in similarities(found)
    )


def _sizes(table: Table, cells: RecordCells | None) -> tuple[int, ...]:
    """The records of every cluster, the largest first."""
    if cells is None:
        return ()
    of_record = cells.cluster_of(table.columns)
    sizes = np.bincount(of_record[of_record >= 0], minlength=cells.count)
    return tuple(np.sort(sizes)[::-1].tolist())


def _weights(cells: RecordCells | None, how: Any) -> dict[str, float]:
    """The weight of every column that has a tree."""
    given = {} if how is None else how.weights
    return {name: float(given.get(name, 1.0)) for name in (cells.trees if cells else ())}
