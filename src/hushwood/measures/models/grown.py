"""Trees and forests, grown on a table when a measure first asks for them, with the same options for both tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from hushwood.releasing.forest_for import default_min_leaf
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest, Tree
from hushwood.trees.grow import grow_tree
from hushwood.trees.options import GrowOptions
from hushwood.trees.sysfor import SysForOptions, grow_forest
from hushwood.trees.training import TrainingSet

if TYPE_CHECKING:
    from hushwood.measures.models.forced_trees import ForcedTree

TREES = 3


@dataclass(frozen=True)
class Grown:
    """A table and the models learnt from it; the table must have a class."""

    table: Table
    options: GrowOptions
    sysfor: SysForOptions = field(default_factory=lambda: SysForOptions(trees=TREES))
    threads: int = 1

    @cached_property
    def training(self) -> TrainingSet:
        """The table as trees see it."""
        return TrainingSet.from_table(self.table, None, self.threads)

    @cached_property
    def tree(self) -> Forest:
        """One tree, as a forest of one."""
        return self._forest((grow_tree(self.training, self.options, self.threads),))

    @cached_property
    def forest(self) -> Forest:
        """A SysFor forest; of one plain tree if the table has no good splits."""
        trees = tuple(grow_forest(self.training, self.options, self.sysfor, self.threads))
        return self._forest(trees) if trees else self.tree

    @cached_property
    def weighed(self) -> tuple[ForcedTree, ...]:
        """Every tree of the forest with the gain ratios of all attributes in its own table."""
        from hushwood.measures.models.forced_trees import force_tree

        return tuple(force_tree(tree, self.forest, self, self.threads) for tree in self.forest.trees)

    def _forest(self, trees: tuple[Tree, ...]) -> Forest:
        target = self.table.schema.class_attribute
        grown = {**self.options.described(), "rows": self.training.records}
        name = target.name if target else ""
        return Forest(name, self.training.classes, self.training.attributes, trees, grown)


def builder_for(records: int) -> GrowOptions:
    """C4.5 with the minimum leaf size of a release of this many records."""
    return GrowOptions(min_leaf=default_min_leaf(records))
