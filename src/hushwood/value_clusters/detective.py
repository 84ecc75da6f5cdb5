"""DETECTIVE and EX-DETECTIVE: clusters of records by the leaves of the attributes' own trees (thesis 6.4).

DETECTIVE takes the leaves of one attribute's tree. For EX-DETECTIVE (6.4.7) every categorical attribute, the class
among them, has its tree, cut back to the attribute's weight. Records in the same leaf of every tree form a cell; inside
a cell k-means divides the records by their numeric attributes. A part with too few records is not a cluster.

Numbers are measured in standard deviations of the whole table; a missing one counts as the mean. The search of k-means
starts at the means of equal slices along the widest column, so it involves no chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers, one_thread
from hushwood.errors import unknown_name
from hushwood.parameters import SHARE, AtLeast, Checked
from hushwood.random_streams import group_order
from hushwood.segments.partition import combine
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table, label_columns
from hushwood.trees.options import GrowOptions
from hushwood.trees.routing import leaf_of_each
from hushwood.value_clusters.grouping.attribute_trees import ValueClusters, detective, leaves_at
from hushwood.value_clusters.grouping.records import cached_per_table
from hushwood.value_clusters.protocol import Columns, Sibling


@dataclass(frozen=True, slots=True)
class LeafGroups:
    """For CAPT: the group of a record is its leaf in the attribute's own tree, by its node number."""

    clusters: ValueClusters
    schema: Schema

    @property
    def reads(self) -> tuple[str, ...]:
        """All attributes that the tree might have tested."""
        return tuple(a.name for a in self.clusters.forest.attributes)

    @property
    def siblings(self) -> dict[int, tuple[Sibling, ...]]:
        """Majority value and training weight of the siblings of every leaf."""
        tree = self.clusters.tree
        code, weight = tree.label.tolist(), tree.counts.sum(axis=1).tolist()
        return {
            leaf: tuple(Sibling(code[other], weight[other]) for other in others)
            for leaf, others in self.clusters.siblings.items()
        }

    def group_of(self, columns: Columns) -> Integers:
        """The leaf of every record."""
        named = label_columns(self.schema, columns)
        return leaf_of_each(self.clusters.tree, self.clusters.forest, named).astype(np.int64)


def detective_groups(
    table: Table, attribute: str, options: GrowOptions, *, rows: Integers | None = None
) -> LeafGroups | None:
    """The leaves as groups; None where nothing predicts the attribute."""
    clusters = detective(table, attribute, options, rows=rows)
    return None if clusters is None or clusters.unrelated else LeafGroups(clusters, table.schema)


@dataclass(frozen=True, slots=True)
class ExDetective(Checked):
    """Weights of categorical attributes (1 if not named, 0: not used), and the least records of a cluster.

    k-means looks for `parts` clusters among the `numeric` attributes (None: all) of the records of a cell; with one
    part numbers do not count.
    """

    acronym: ClassVar[str] = "EX-DETECTIVE"
    weights: Mapping[str, Annotated[float, SHARE]] = field(default_factory=dict)
    least: Annotated[int, AtLeast(1)] = 10
    parts: Annotated[int, AtLeast(1)] = 2
    numeric: tuple[str, ...] | None = None


DEFAULT = ExDetective()


@dataclass(frozen=True, slots=True)
class WeightedTree:
    """The tree of one attribute, and for every node the node that its records are in after the cut."""

    clusters: ValueClusters
    at: Integers

    def leaf_of(self, columns: Columns) -> Integers:
        """The leaf of every record."""
        return self.at[leaf_of_each(self.clusters.tree, self.clusters.forest, columns)]


@dataclass(frozen=True, slots=True)
class RecordCells:
    """The cells that hold clusters: `leaves[t, c]` is the leaf of tree t in which cell c lies, `cluster[c, p]` the
    cluster of its part p, -1 if too few records are there.
    """

    schema: Schema
    trees: Mapping[str, WeightedTree]
    leaves: Integers
    parts: NumericParts
    cluster: Integers

    @property
    def count(self) -> int:
        """How many clusters there are."""
        return int(self.cluster.max(initial=-1)) + 1

    def cluster_of(self, columns: Columns) -> Integers:
        """The cluster of every record, -1 where it is in none."""
        named = label_columns(self.schema, columns)
        known = self.leaves.shape[1]
        reached = [tree.leaf_of(named) for tree in self.trees.values()]
        ids, members = combine([np.concatenate(pair) for pair in zip(self.leaves, reached, strict=True)])
        cell_of = np.full(members.shape[1], -1, np.int64)
        cell_of[ids[:known]] = np.arange(known)
        cell = cell_of[ids[known:]]
        if not known:
            return cell
        return np.where(cell < 0, -1, self.cluster[cell, self.parts.part_of(cell, named)])


@cached_per_table
def ex_detective(
    table: Table, options: GrowOptions, how: ExDetective = DEFAULT, rows: Integers | None = None
) -> RecordCells | None:
    """Cluster the records; None if no categorical attribute has a tree. `rows` are those to grow on, None for all."""
    trees = _trees(table, options, how, rows)
    if not trees:
        return None
    columns = label_columns(table.schema, table.columns)
    cell, leaves = combine([tree.leaf_of(columns) for tree in trees.values()])
    parts = numeric_parts(table, cell, _numeric(table, how), how.parts, 2 * how.least)
    place = cell * how.parts + parts.part_of(cell, columns)
    size = np.bincount(place, minlength=leaves.shape[1] * how.parts)
    enough = (size >= how.least).reshape(-1, how.parts)
    held = np.asarray(enough.any(axis=1))  # the other cells need not be remembered
    cluster = np.where(enough[held], np.cumsum(enough[held]).reshape(-1, how.parts) - 1, -1)
    return RecordCells(table.schema, trees, leaves[:, held], parts.of_cells(held), cluster)


def _trees(
    table: Table, options: GrowOptions, how: ExDetective, rows: Integers | None
) -> dict[str, WeightedTree]:
    names = [a.name for a in table.schema.kept if a.kind == "categorical"]
    for name in how.weights:
        if name not in names:
            raise unknown_name("categorical column", name, names)
    grown = {name: detective(table, name, options, rows=rows) for name in names}
    return {
        name: WeightedTree(clusters, leaves_at(clusters.tree, how.weights.get(name, 1.0)))
        for name, clusters in grown.items()
        if clusters is not None
    }


def _numeric(table: Table, how: ExDetective) -> tuple[str, ...]:
    names = tuple(a.name for a in table.schema.inputs if a.kind == "numeric")
    for name in how.numeric or ():
        if name not in names:
            raise unknown_name("numeric column", name, names)
    return names if how.numeric is None else how.numeric


@dataclass(frozen=True, slots=True)
class CellGroups:
    """For CAPT: a record's cluster, or for one that is in none its leaf in the attribute's own tree."""

    attribute: str
    cells: RecordCells

    @property
    def reads(self) -> tuple[str, ...]:
        """All columns that trees or numbers could decide by."""
        trees = self.cells.trees.values()
        tested = (a.name for tree in trees for a in tree.clusters.forest.attributes)
        return tuple(dict.fromkeys([*tested, *self.cells.parts.names]))

    @property
    def siblings(self) -> Mapping[int, tuple[Sibling, ...]]:
        """None: clusters have no neighbours."""
        return {}

    def group_of(self, columns: Columns) -> Integers:
        """The group of every record."""
        cluster = self.cells.cluster_of(columns)
        own = self.cells.trees[self.attribute].leaf_of(label_columns(self.cells.schema, columns))
        return np.where(cluster >= 0, cluster, self.cells.count + own)


def ex_detective_groups(
    table: Table,
    attribute: str,
    options: GrowOptions,
    how: ExDetective = DEFAULT,
    *,
    rows: Integers | None = None,
) -> CellGroups | None:
    """The clusters as groups; None where nothing predicts the attribute."""
    cells = ex_detective(table, options, how, rows)
    if cells is None or attribute not in cells.trees or cells.trees[attribute].clusters.unrelated:
        return None
    return CellGroups(attribute, cells)


@dataclass(frozen=True, slots=True)
class NumericParts:
    """How numbers become points, and the centres [cell, part, column] of every cell; infinite where there is none."""

    names: tuple[str, ...]
    mean: Floats
    scale: Floats
    centres: Floats

    def of_cells(self, which: Flags) -> NumericParts:
        """The same for some of the cells."""
        return replace(self, centres=self.centres[which])

    def points(self, columns: Columns) -> Floats:
        """Every record as a point."""
        if not self.names:
            return np.zeros((len(next(iter(columns.values()))), 0))
        values = np.stack([np.asarray(columns[name], np.float64) for name in self.names], axis=1)
        return np.where(np.isnan(values), 0.0, (values - self.mean) / self.scale)

    def part_of(self, cell: Array, columns: Columns) -> Integers:
        """The part of its cell whose centre is nearest to every record, the first of equally near ones."""
        if self.centres.shape[1] == 1 or not self.names:
            return np.zeros(len(cell), np.int64)
        away = self.points(columns)[:, None, :] - self.centres[cell]
        return np.asarray(np.argmin((away * away).sum(axis=2), axis=1))


def numeric_parts(table: Table, cell: Array, names: Sequence[str], parts: int, least: int) -> NumericParts:
    """Divide the cells that hold at least `least` records."""
    columns = [np.asarray(table.columns[name], np.float64) for name in names]
    known = [column[~np.isnan(column)] for column in columns]
    mean = np.array([values.mean() if len(values) else 0.0 for values in known])
    spread = np.array([values.std() if len(values) else 0.0 for values in known])
    centres = np.full((int(cell.max(initial=-1)) + 1, parts, len(names)), np.inf)
    centres[:, 0] = 0
    found = NumericParts(tuple(names), mean, np.where(spread > 0, spread, 1.0), centres)
    if parts > 1 and names:
        _find_centres(found.points(table.columns), cell, centres, least)
    return found


def _find_centres(points: Floats, cell: Array, centres: Floats, least: int) -> None:
    """Write the centres of the cells that are large enough and hold different points."""
    from sklearn.cluster import KMeans

    size = np.bincount(cell, minlength=len(centres))
    rows = np.split(group_order(cell), np.cumsum(size)[:-1])
    # One thread: with more, sums are taken in any order and the last digits change from run to run.
    with one_thread("openmp"):
        for large in np.flatnonzero(size >= least).tolist():
            mine = points[rows[large]]
            begin = _slices(mine, min(centres.shape[1], len(np.unique(mine, axis=0))))
            if len(begin) > 1:
                found = KMeans(len(begin), init=begin, n_init=1, random_state=0).fit(mine)
                centres[large, : len(begin)] = found.cluster_centers_


def _slices(points: Floats, count: int) -> Floats:
    """The means of equal slices of the points, in the order of the column that varies most."""
    order = np.argsort(points[:, np.argmax(points.var(axis=0))], kind="stable")
    return np.array([points[part].mean(axis=0) for part in np.array_split(order, count)])
