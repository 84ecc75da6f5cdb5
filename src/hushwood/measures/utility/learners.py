"""Models that learn the class from a table and predict it for others: our trees, and the majority class.

Those of scikit-learn are in `library_learners`; `prediction_accuracy` trains them all and counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.grown import Grown
from hushwood.tables.table import Array, Table
from hushwood.trees.forest import Forest
from hushwood.trees.routing import class_weights, counts_reached
from hushwood.trees.voting import vote, winners

Codes = NDArray[np.int64]
Predict = Callable[[Table], Codes]


class Learner(Protocol):
    """A kind of model."""

    @property
    def name(self) -> str:
        """Its name in the details."""

    def fit(self, grown: Grown) -> Predict:
        """Learn from a table; what comes back gives the class code of every record of another one."""


@dataclass(frozen=True, slots=True)
class MajorityLearner:
    """The most frequent class for everybody: all that is left when every input is at the root of its taxonomy."""

    name: ClassVar[str] = "majority"

    def fit(self, grown: Grown) -> Predict:
        """Count the classes."""
        training = grown.training
        largest = int(np.argmax(np.bincount(training.class_codes, minlength=len(training.classes))))
        return lambda table: np.full(table.rows, largest, np.int64)


@dataclass(frozen=True, slots=True)
class TreeLearner:
    """One tree of the context's builder; unknown values go down all branches in shares."""

    name: ClassVar[str] = "tree"

    def fit(self, grown: Grown) -> Predict:
        """Grow the tree, if nobody has yet."""
        if not grown.training.attributes:
            return MajorityLearner().fit(grown)
        forest = grown.tree

        tree = forest.trees[0]
        favourite = int(tree.label[0]) if forest.grown.get("variant") == "see5" else None

        def predict(table: Table) -> Codes:
            return winners(class_weights(tree, _columns(table, forest)), favourite)

        return predict


@dataclass(frozen=True, slots=True)
class ForestLearner:
    """A SysFor forest with credal voting; unknown values go down all branches in shares."""

    name: ClassVar[str] = "forest"

    def fit(self, grown: Grown) -> Predict:
        """Grow the forest, if nobody has yet."""
        if not grown.training.attributes:
            return MajorityLearner().fit(grown)
        forest = grown.forest

        def predict(table: Table) -> Codes:
            columns = _columns(table, forest)
            return vote(np.stack([counts_reached(tree, columns) for tree in forest.trees]), "credal")

        return predict


def _columns(table: Table, forest: Forest) -> list[Array]:
    return [table.columns[a.name] for a in forest.attributes]
