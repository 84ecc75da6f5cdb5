"""EX-DETECTIVE: clusters of records that fall into the same leaf for every categorical attribute (thesis 6.4.7).

Every categorical attribute, the class among them, has its DETECTIVE tree, cut back to the attribute's weight. Records
in the same leaf of every tree form a cell; inside a cell k-means divides the records by their numeric attributes. A
part with too few records is no cluster.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np

from hushwood.arrays import Integers
from hushwood.errors import unknown_name
from hushwood.parameters import SHARE, AtLeast, Checked
from hushwood.segments.partition import combine
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table, label_columns
from hushwood.trees.options import GrowOptions
from hushwood.trees.routing import leaf_of_each
from hushwood.value_clusters.grouping.attribute_trees import ValueClusters, detective, leaves_at
from hushwood.value_clusters.grouping.numeric_parts import NumericParts, numeric_parts
from hushwood.value_clusters.grouping.table_cache import cached_per_table
from hushwood.value_clusters.protocol import Columns, Sibling


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
