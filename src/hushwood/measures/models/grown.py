"""Trees and forests, grown on a table when a measure first asks for them, by the same builder for both tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hushwood.releasing.forest_for import with_large_leaves
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest
from hushwood.trees.grow import class_forest, regression_forest
from hushwood.trees.options import Builder, GrowOptions, default_min_leaf
from hushwood.trees.regression import RegressionSet
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

    @property
    def response(self) -> bool:
        """Whether the class is a number, which regression trees predict."""
        target = self.table.schema.class_attribute
        return target is not None and target.response

    @cached_property
    def tree(self) -> Forest:
        """One tree, as a forest of one."""
        return self._learnt(self.builder.with_trees(1))

    @cached_property
    def forest(self) -> Forest:
        """The builder's forest: one plain tree if that is what it grows, or if the table has no good splits."""
        return self.tree if self.builder.sysfor.trees == 1 else self._learnt(self.builder)

    @cached_property
    def weighed(self) -> tuple[ForcedTree, ...]:
        """Every tree of the forest with the gain ratios of all attributes in its own table."""
        from hushwood.measures.models.forced_trees import force_tree

        return tuple(force_tree(tree, self.forest, self, self.threads) for tree in self.forest.trees)

    def _learnt(self, builder: Builder) -> Forest:
        target = self.table.schema.class_attribute
        name = target.name if target else ""
        if self.response:
            forest = regression_forest(name, RegressionSet.from_table(self.table), builder)
        else:
            forest = class_forest(name, self.training, builder, self.threads)
        return with_large_leaves(forest, self.table, builder.smallest_segment)[0]


def builder_for(records: int) -> Builder:
    """Three trees of C4.5 with the minimum leaf size of a release of this many records: the yardstick of a table."""
    return Builder(GrowOptions(min_leaf=default_min_leaf(records)))
