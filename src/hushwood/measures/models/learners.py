"""Models that learn the class from a table and predict it for unseen records: our trees, and the majority class.

A response, a class that is a number, is predicted by regression trees, and by its mean.
Unseen records are the hold-out if there is one, else a keyed 30 % of the original's rows whose partners are kept from
the training. Without either, they are the original's own records, which the models may have seen. The models of
scikit-learn are in `library_learners`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Protocol

import numpy as np

from hushwood.arrays import Array, Integers
from hushwood.measures.models.grown import Grown, builder_for
from hushwood.measures.protocol import Context
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest
from hushwood.trees.options import Builder
from hushwood.trees.regression import RegressionSet
from hushwood.trees.routing import class_weights, counts_reached, predictions, vote, winners

Predict = Callable[[Table], Array]  # class codes, or the numbers of a response
UNSEEN_SHARE = 0.3


class Learner(Protocol):
    """A kind of model."""

    @property
    def name(self) -> str:
        """Its name in the details."""

    def fit(self, grown: Grown) -> Predict:
        """Learn from a table; the result predicts the class codes, or the response, of another one."""


@dataclass(frozen=True, slots=True)
class MajorityLearner:
    """The most frequent class for every record: what a release of the classes only allows."""

    name: ClassVar[str] = "majority"

    def fit(self, grown: Grown) -> Predict:
        """Count the classes, or take the mean."""
        if grown.response:
            mean = RegressionSet.from_table(grown.table).mean
            return lambda table: np.full(table.rows, mean)
        training = grown.training
        counts = np.bincount(training.class_codes, training.weights, minlength=len(training.classes))
        largest = int(np.argmax(counts))
        return lambda table: np.full(table.rows, largest, np.int64)


@dataclass(frozen=True, slots=True)
class TreeLearner:
    """One tree of the trial's builder; unknown values go down all branches in shares."""

    name: ClassVar[str] = "tree"

    def fit(self, grown: Grown) -> Predict:
        """Grow the tree, or take the one grown before."""
        if not grown.training.attributes:
            return MajorityLearner().fit(grown)
        forest = grown.tree
        if grown.response:
            return lambda table: predictions(forest, table)
        tree = forest.trees[0]
        favourite = int(tree.label[0]) if forest.grown.get("variant") == "see5" else None

        def predict(table: Table) -> Integers:
            return winners(class_weights(tree, _columns(table, forest)), favourite)

        return predict


@dataclass(frozen=True, slots=True)
class ForestLearner:
    """A SysFor forest with credal voting; unknown values go down all branches in shares."""

    name: ClassVar[str] = "forest"

    def fit(self, grown: Grown) -> Predict:
        """Grow the forest, or take the one grown before."""
        if not grown.training.attributes:
            return MajorityLearner().fit(grown)
        forest = grown.forest
        if grown.response:
            return lambda table: predictions(forest, table)

        def predict(table: Table) -> Integers:
            columns = _columns(table, forest)
            return vote(np.stack([counts_reached(tree, columns) for tree in forest.trees]), "credal")

        return predict


@dataclass(frozen=True, slots=True)
class BuilderLearner:
    """A tree or forest of another builder than the trial's, under a name of its own."""

    name: str
    learner: TreeLearner | ForestLearner
    builder: Builder

    def fit(self, grown: Grown) -> Predict:
        """Grow what this builder grows."""
        return self.learner.fit(replace(grown, builder=self.builder))


def learners_of(builder: Builder, yardstick: Builder) -> list[Learner]:
    """The tree of the builder that a release was made with, and its forest if it grows several trees.

    There are none where the yardstick of the table is that builder.
    """
    if builder == yardstick:
        return []
    tree: list[Learner] = [BuilderLearner("builder_tree", TreeLearner(), builder)]
    several = builder.sysfor.trees > 1
    return tree + ([BuilderLearner("builder_forest", ForestLearner(), builder)] if several else [])


def _columns(table: Table, forest: Forest) -> list[Array]:
    return [table.columns[a.name] for a in forest.attributes]


@dataclass(frozen=True, slots=True)
class Trial:
    """Training tables of both sides, and the records to test the models on."""

    original: Grown
    released: Grown
    unseen: Table
    kind: Literal["holdout", "split", "perhaps seen"]


def trial_for(original: Table, released: Table, context: Context) -> Trial:
    """The best trial that the context allows.

    Trees are grown by one yardstick per table, whatever the settings of the release, so that releases can be compared.
    """
    yardstick = builder_for(original.rows)
    before, after = (replace(g, builder=yardstick) for g in (context.original_grown, context.released_grown))
    if context.holdout is not None:
        return Trial(before, after, context.holdout, "holdout")
    if context.partner is None:
        return Trial(before, after, original, "perhaps seen")
    unseen = round(UNSEEN_SHARE * original.rows)
    tried = context.streams.sample("prediction_accuracy", "split", original.rows, unseen)
    learnt = np.setdiff1d(np.arange(original.rows), tried, assume_unique=True)
    partners = context.partner[learnt]
    return Trial(
        _grown_on(original.take(learnt), before),
        _grown_on(released.take(partners[partners >= 0]), after),
        original.take(tried),
        "split",
    )


def _grown_on(table: Table, like: Grown) -> Grown:
    return replace(like, table=table)
