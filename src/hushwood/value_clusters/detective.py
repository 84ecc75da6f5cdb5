"""DETECTIVE: records in the same leaf of the attribute's own tree are a group (thesis 6.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Integers
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table, label_columns
from hushwood.trees.options import GrowOptions
from hushwood.trees.routing import leaf_of_each
from hushwood.value_clusters.grouping.attribute_trees import ValueClusters, detective
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
