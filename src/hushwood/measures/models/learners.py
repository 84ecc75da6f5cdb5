"""Models that learn the class from a table and predict it for unseen records: our trees, the majority, scikit-learn's.

A response, a class that is a number, is predicted by regression trees, and by its mean. Unseen records are the hold-out
if there is one, else a keyed 30 % of the original's rows whose partners are kept from the training. Without either,
they are the original's own records, which the models may have seen. Each of scikit-learn's models is fitted, with its
coding of the columns, on the training table alone, and on a keyed sample of it if it is large.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from hushwood.arrays import Array, Floats, Integers, one_thread, spurious_flags_ignored
from hushwood.measures.models.grown import Grown, builder_for
from hushwood.measures.protocol import Context
from hushwood.random_streams import Streams
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, class_labels, missing_values
from hushwood.trees.forest import Forest
from hushwood.trees.options import Builder
from hushwood.trees.regression import RegressionSet
from hushwood.trees.routing import class_weights, counts_reached, predictions, vote, winners

Predict = Callable[[Table], Array]  # class codes, or the numbers of a response
UNSEEN_SHARE = 0.3
MOST_CATEGORIES = 30  # columns of a one-hot coding; rarer categories share one
MOST_BOOSTED_CATEGORIES = 255  # more are coded as numbers: scikit-learn's limit
BOOSTED_TREES = 200  # over all rounds; a round grows a tree per class
NETWORK_STEPS = 2000  # of gradient descent, on BATCH records each
BATCH, MOST_EPOCHS = 200, 300
BLOCK = 1 << 16  # records predicted together: their one-hot codes stay small


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
class PredictionTrial:
    """Training tables of both sides, and the records to test the models on."""

    original: Grown
    released: Grown
    unseen: Table
    kind: Literal["holdout", "split", "perhaps seen"]


def trial_for(original: Table, released: Table, context: Context) -> PredictionTrial:
    """The best trial that the context allows.

    Trees are grown by one yardstick per table, whatever the settings of the release, so that releases can be compared.
    """
    yardstick = builder_for(original.rows)
    before, after = (replace(g, builder=yardstick) for g in (context.original_grown, context.released_grown))
    if context.holdout is not None:
        return PredictionTrial(before, after, context.holdout, "holdout")
    if context.partner is None:
        return PredictionTrial(before, after, original, "perhaps seen")
    unseen = round(UNSEEN_SHARE * original.rows)
    tried = context.streams.sample("prediction_accuracy", "split", original.rows, unseen)
    learnt = np.setdiff1d(np.arange(original.rows), tried, assume_unique=True)
    partners = context.partner[learnt]
    return PredictionTrial(
        _grown_on(original.take(learnt), before),
        _grown_on(released.take(partners[partners >= 0]), after),
        original.take(tried),
        "split",
    )


def _grown_on(table: Table, like: Grown) -> Grown:
    return replace(like, table=table)


@dataclass(frozen=True, slots=True)
class LearningTask:
    """What a model is to be made for; a number has no classes."""

    attributes: Sequence[Attribute]
    classes: int
    records: int
    seed: int


Make = Callable[[LearningTask], Any]


@dataclass(frozen=True, slots=True)
class LibraryLearner:
    """A model of scikit-learn and how it is made."""

    name: str
    make: Make
    streams: Streams
    most_rows: int

    def fit(self, grown: Grown) -> Predict:
        """Learn from the table, or from a keyed sample of its records."""
        codes = learnt_values(grown.table)
        rows = self._sample(np.flatnonzero(~missing_values(codes)))
        table, codes = grown.table.take(rows), codes[rows]
        known = [a for a in grown.training.attributes if not missing_values(table.columns[a.name]).all()]
        different = len(np.unique(codes))
        if different < 2 or not known:
            return MajorityLearner().fit(grown)
        seed = int(self.streams.words("prediction_accuracy", self.name, 0, range(1))[0] >> np.uint64(33))
        model = self.make(LearningTask(known, 0 if grown.response else different, len(rows), seed))
        # Models count in units of the response, and squares of very large numbers would overflow.
        centre, unit = (float(codes.mean()), float(codes.std())) if grown.response else (0, 1)
        _fit_quietly(model, _matrix(table, known), (codes - centre) / unit if grown.response else codes)

        def predict(table: Table) -> Array:
            matrix, found = (
                _matrix(table, known),
                np.zeros(table.rows, np.float64 if grown.response else np.int64),
            )
            with one_thread(), spurious_flags_ignored():
                for at in range(0, table.rows, BLOCK):
                    found[at : at + BLOCK] = model.predict(matrix[at : at + BLOCK])
            return found * unit + centre

        return predict

    def _sample(self, rows: Integers) -> Integers:
        return rows[self.streams.sample("prediction_accuracy", "sample", len(rows), self.most_rows)]


def learnt_values(table: Table) -> Array:
    """What models learn: the class codes (-1: missing), or the numbers of a response (NaN: missing)."""
    target = table.schema.class_attribute
    if target is not None and target.response:
        return np.asarray(table.columns[target.name], np.float64)
    return class_labels(table)[0]


def library_learners(
    streams: Streams, most_rows: int, *, response: bool = False
) -> tuple[LibraryLearner, ...]:
    """All models of scikit-learn that are tried, for classes or for a response."""
    makes: dict[str, Make] = {
        "gradient_boosting": _gradient_boosting,
        "linear_regression" if response else "logistic_regression": _regression,
        "neural_network": _neural_network,
    }
    return tuple(LibraryLearner(name, make, streams, most_rows) for name, make in makes.items())


def _matrix(table: Table, attributes: Sequence[Attribute]) -> Floats:
    """Numbers and category codes side by side, NaN where missing."""
    matrix = np.empty((table.rows, len(attributes)))
    for i, attribute in enumerate(attributes):
        column = table.columns[attribute.name]
        matrix[:, i] = np.where(missing_values(column), np.nan, column)
    return matrix


def _fit_quietly(model: Any, matrix: Floats, codes: Array) -> None:
    """Fit without convergence warnings: a model gets few rounds to save time."""
    from sklearn.exceptions import ConvergenceWarning

    quiet = warnings.catch_warnings(category=ConvergenceWarning, action="ignore")
    with one_thread(), spurious_flags_ignored(), quiet:
        model.fit(matrix, codes)


def _gradient_boosting(task: LearningTask) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    kind = HistGradientBoostingClassifier if task.classes else HistGradientBoostingRegressor
    categorical = [
        a.kind == "categorical" and len(a.categories) <= MOST_BOOSTED_CATEGORIES for a in task.attributes
    ]
    return kind(
        max_iter=max(BOOSTED_TREES // max(task.classes, 2), 10),
        early_stopping=False,
        categorical_features=categorical,
        random_state=task.seed,
    )


def _regression(task: LearningTask) -> Any:
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.pipeline import make_pipeline

    model = LogisticRegression(max_iter=300, random_state=task.seed) if task.classes else Ridge()
    return make_pipeline(_coding(task.attributes), model)


def _neural_network(task: LearningTask) -> Any:
    from sklearn.neural_network import MLPClassifier, MLPRegressor
    from sklearn.pipeline import make_pipeline

    epochs = min(max(NETWORK_STEPS * BATCH // task.records, 1), MOST_EPOCHS)
    network = (MLPClassifier if task.classes else MLPRegressor)(
        hidden_layer_sizes=(16,),
        batch_size=min(BATCH, task.records),
        learning_rate_init=0.003,
        max_iter=epochs,
        random_state=task.seed,
    )
    return make_pipeline(_coding(task.attributes), network)


def _coding(attributes: Sequence[Attribute]) -> Any:
    """Numbers standardised, missing ones imputed and marked; categories one-hot, missing being a category."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MaxAbsScaler, OneHotEncoder, StandardScaler

    # Scaled by the largest number first: squares of very large ones would overflow.
    imputer = SimpleImputer(strategy="median", add_indicator=True)
    numbers = make_pipeline(MaxAbsScaler(), imputer, StandardScaler())
    one_hot = OneHotEncoder(
        max_categories=MOST_CATEGORIES, handle_unknown="infrequent_if_exist", sparse_output=False
    )
    return ColumnTransformer(
        [
            ("numbers", numbers, [a.kind == "numeric" for a in attributes]),
            ("categories", one_hot, [a.kind == "categorical" for a in attributes]),
        ]
    )
