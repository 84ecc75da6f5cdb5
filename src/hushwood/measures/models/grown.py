"""Trees and forests, grown on a table when a measure first asks for them, by the same builder for both tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hushwood.releasing.forest_for import default_min_leaf, with_large_leaves
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest, Tree
from hushwood.trees.grow import grow_tree
from hushwood.trees.options import Builder, GrowOptions
from hushwood.trees.sysfor import grow_trees
from hushwood.trees.training import TrainingSet

if TYPE_CHECKING:
    from hushwood.measures.models.forced_trees import ForcedTree


@dataclass(frozen=True)
class Grown:
    """A table and the models learnt from it; the table must have a class."""

    table: Table
    builder: Builder
    threads: int = 1

    @cached_property
    def training(self) -> TrainingSet:
        """The table as trees see it."""
        return TrainingSet.from_table(self.table, None, self.threads)

    @cached_property
    def tree(self) -> Forest:
        """One tree, as a forest of one."""
        return self._forest(
            self.builder.with_trees(1), (grow_tree(self.training, self.builder.grow, self.threads),)
        )

    @cached_property
    def forest(self) -> Forest:
        """The builder's forest: one plain tree if that is what it grows, or if the table has no good splits."""
        if self.builder.sysfor.trees == 1:
            return self.tree
        return self._forest(self.builder, grow_trees(self.training, self.builder, self.threads))

    @cached_property
    def weighed(self) -> tuple[ForcedTree, ...]:
        """Every tree of the forest with the gain ratios of all attributes in its own table."""
        from hushwood.measures.models.forced_trees import force_tree

        return tuple(force_tree(tree, self.forest, self, self.threads) for tree in self.forest.trees)

    def _forest(self, builder: Builder, trees: tuple[Tree, ...]) -> Forest:
        target = self.table.schema.class_attribute
        grown = {**builder.described(), "rows": self.training.records}
        name = target.name if target else ""
        forest = Forest(name, self.training.classes, self.training.attributes, trees, grown)
        return with_large_leaves(forest, self.table, builder.smallest_segment)[0]


def builder_for(records: int) -> Builder:
    """Three trees of C4.5 with the minimum leaf size of a release of this many records: the yardstick of a table."""
    return Builder(GrowOptions(min_leaf=default_min_leaf(records)))
