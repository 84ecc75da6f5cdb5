"""C4.5 trees and SysFor forests as scikit-learn classifiers.

The order of classes, which decides ties, is scikit-learn's: sorted.
"""

# ruff: noqa: N803  X is what scikit-learn calls its first argument

from __future__ import annotations

import json
import os
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import fields
from numbers import Integral
from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from hushwood.arrays import Array, Codes, Floats, Integers
from hushwood.errors import InputError, unknown_name
from hushwood.parameters import available_threads
from hushwood.python_words import speaking_python
from hushwood.sklearn.inputs import class_texts, read_columns, read_training, weights_of
from hushwood.trees.drawing.as_text import tree_as_text
from hushwood.trees.drawing.drawing import draw_svg
from hushwood.trees.forest import Forest, Tree
from hushwood.trees.grow import grow_forest, grow_tree, importances
from hushwood.trees.model_file import forest_to_json
from hushwood.trees.options import GrowOptions, SysForOptions
from hushwood.trees.pmml import forest_to_pmml
from hushwood.trees.routing import (
    VOTINGS,
    class_weights,
    counts_reached,
    depths,
    leaf_of_each,
    path_matrix,
    scores,
    winners,
)
from hushwood.trees.training import TrainingSet

_TREE_PARAMETERS = tuple(field.name for field in fields(GrowOptions))
_SYSFOR_PARAMETERS = ("trees", "goodness", "separation", "minimum_gain_ratio")


class Picture(str):
    """The text of an SVG file, which notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: Path | str) -> None:
        """Write the picture to a file."""
        Path(path).write_text(self, encoding="utf-8")


class _TreeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Fit and predict, for both classifiers."""

    def __init__(
        self,
        *,
        variant: str = "c45",
        criterion: str = "gain_ratio",
        min_leaf: float = 2,
        confidence: float = 0.25,
        prune: bool = True,
        global_pruning: bool = True,
        max_depth: int | None = None,
        thresholds: str = "data",
        n_jobs: int | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        random_state: Any = None,
    ) -> None:
        self.variant = variant
        self.criterion = criterion
        self.min_leaf = min_leaf
        self.confidence = confidence
        self.prune = prune
        self.global_pruning = global_pruning
        self.max_depth = max_depth
        self.thresholds = thresholds
        self.n_jobs = n_jobs
        self.class_weight = class_weight
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from an array of numbers or a frame, which may have categories and missing values, and the classes.

        A record of weight 3 counts as three equal ones, also for `min_leaf`; one of weight 0 is left out.
        """
        with speaking_python():
            options = GrowOptions(**_values(self, _TREE_PARAMETERS))
            threads = thread_count(self.n_jobs)
            self._check()
            data = read_training(self, X, y, threads)
            weights = weights_of(sample_weight, self.class_weight, data)
            training = TrainingSet.from_columns(
                data.features.attributes,
                data.columns,
                data.codes,
                class_texts(data.classes),
                threads,
                weights,
                repeated=True,
            )
            data.columns.clear()  # growing needs the memory
            trees = self._grow(training, options, threads)
        self.classes_ = data.classes
        self.forest_ = Forest(
            data.class_name,
            training.classes,
            training.attributes,
            trees,
            {**options.described(), **self._described(), "rows": training.records},
        )
        self._features = data.features
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Class probabilities of every record, in the order of `classes_`."""
        check_is_fitted(self)
        with speaking_python():
            return self._shares(read_columns(self, X, self._features))

    def predict(self, X: Any) -> Array:
        """The most probable class of every record."""
        winner = winners(self.predict_proba(X), self._favourite())
        return np.asarray(self.classes_[winner])

    def get_n_leaves(self, tree: int = 0) -> int:
        """How many leaves a tree has."""
        return len(self._tree(tree).leaves)

    def get_depth(self, tree: int = 0) -> int:
        """How many tests lead to the deepest leaf of a tree."""
        return int(depths(self._tree(tree)).max())

    def _leaves(self, X: Any) -> list[Codes]:
        """By tree, the leaf of every record; one with a missing value goes where most training records went."""
        check_is_fitted(self)
        with speaking_python():
            columns = read_columns(self, X, self._features)
        named = {a.name: column for a, column in zip(self.forest_.attributes, columns, strict=True)}
        return [leaf_of_each(tree, self.forest_, named) for tree in self.forest_.trees]

    @property
    def feature_importances_(self) -> Floats:
        """The share of each feature in the information that the tests win about the class; they sum to 1."""
        check_is_fitted(self)
        return importances(self.forest_)

    def export_text(self) -> str:
        """The trees as text: the tests, and each leaf's class with its training records per class."""
        check_is_fitted(self)
        texts = [tree_as_text(tree, self.forest_) for tree in self.forest_.trees]
        if len(texts) == 1:
            return texts[0]
        return "\n".join(f"Tree {number}\n{text}" for number, text in enumerate(texts, start=1))

    def plot(self, tree: int = 0) -> Picture:
        """A picture of one tree: notebooks show it, and `save` writes it as an SVG file."""
        found = self._tree(tree)
        return Picture(draw_svg(found, self.forest_))

    def to_json(self) -> str:
        """The trees as the text of a `forest.json`."""
        check_is_fitted(self)
        return json.dumps(forest_to_json(self.forest_), ensure_ascii=False)

    def to_pmml(self, tree: int = 0) -> str:
        """One tree as the text of a PMML 4.4 document, for other programs to score with.

        There, a record with a missing value follows the branch with the most training records; `predict` splits it.
        """
        self._tree(tree)
        return forest_to_pmml(self.forest_, tree)

    def _tree(self, place: int) -> Tree:
        check_is_fitted(self)
        count = len(self.forest_.trees)
        if not 0 <= place < count:
            raise ValueError(f"tree must be from 0 to {count - 1}; {place} was given.")
        return self.forest_.trees[place]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _check(self) -> None:
        """Refuse wrong parameters before learning starts."""

    @abstractmethod
    def _grow(self, training: TrainingSet, options: GrowOptions, threads: int) -> tuple[Tree, ...]:
        """The trees."""

    def _described(self) -> dict[str, Any]:
        """Parameters for `forest.json` in addition to those of a tree."""
        return {}

    def _favourite(self) -> int | None:
        """The class that wins ties; None for the first."""
        return None

    @abstractmethod
    def _shares(self, columns: Sequence[Array]) -> Floats:
        """Probabilities as [record, class]."""


class C45Classifier(_TreeClassifier):
    """A tree of C4.5 release 8 (`variant="c45"`), Weka's J48 (`"j48"`) or See5/C5.0 (`"see5"`), or a credal one.

    A record with a missing value is split among all branches, in training and in prediction; a category not seen in
    training counts as missing. `criterion` is "gain_ratio", "information_gain" or "gini"; See5 has only the first, and
    a credal tree (`"credal"`) chooses by imprecise information gain and ignores `confidence` and `prune`.
    `thresholds` are values of the "data" or the "midpoint" between two of them. `global_pruning` is See5's second
    pruning, which the others ignore; `prune=False` turns off both. If two classes are equally probable, See5 predicts
    the table's most frequent class if it is one of the two; the other variants predict the first of `classes_`.
    `n_jobs` is the number of threads to fit with, which changes nothing but the time: None for all processors, at
    most 8; -1 for all, -2 for all but one. `class_weight` gives classes weights, such as {"yes": 5}, or "balanced";
    like `sample_weight` it is for `c45` and `j48`. `random_state` has no effect: nothing is drawn. After `fit`:
    `classes_`, `forest_`, `n_features_in_`, `feature_names_in_`, `feature_importances_`.

    >>> tree = C45Classifier().fit([[1], [2], [3], [4]], ["low", "low", "high", "high"])
    >>> tree.predict([[0], [9]]).tolist()
    ['low', 'high']
    >>> print(tree.export_text(), end="")
    x0 ≤ 2: low (0, 2)
    x0 > 2: high (2, 0)
    """

    def apply(self, X: Any) -> Codes:
        """The leaf that every record reaches, by its node; with a missing value, where most training records went."""
        return self._leaves(X)[0]

    def decision_path(self, X: Any) -> Any:
        """A sparse matrix [record, node]: the nodes on each record's way to its leaf."""
        return path_matrix(self._tree(0), self.apply(X))

    def _grow(self, training: TrainingSet, options: GrowOptions, threads: int) -> tuple[Tree, ...]:
        return (grow_tree(training, options, threads),)

    def _shares(self, columns: Sequence[Array]) -> Floats:
        shares = class_weights(self.forest_.trees[0], columns)
        # See5 drops parts of a record that are too small for a branch, so shares may sum to less than 1.
        return shares / shares.sum(axis=1, keepdims=True) if self._see5 else shares

    def _favourite(self) -> int | None:
        return int(self.forest_.trees[0].label[0]) if self._see5 else None

    @property
    def _see5(self) -> bool:
        return bool(self.forest_.grown["variant"] == "see5")


class SysForClassifier(_TreeClassifier):
    """A SysFor forest: trees that start from different good splits, and vote.

    `trees` is the number of trees; a table with fewer good splits gets fewer. A good split has a gain ratio at most
    `goodness` below the best and at least `minimum_gain_ratio`; cuts of one attribute lie `separation` of its domain
    apart. `voting` is "credal", "credal-majority", "credal-dominance", "voting1", "voting2" or
    "package". The tree parameters are those of `C45Classifier`. With `variant="credal"` it is a credal forest: tree i
    starts with the i-th best attribute, and `goodness`, `separation` and `minimum_gain_ratio` have no say.

    >>> table = [[1, 8], [2, 6], [3, 7], [4, 1], [5, 3], [6, 2]]
    >>> forest = SysForClassifier(trees=2).fit(table, [0, 0, 0, 1, 1, 1])
    >>> len(forest.forest_.trees), forest.predict([[1, 9], [6, 1]]).tolist()
    (2, [0, 1])
    """

    def __init__(
        self,
        *,
        trees: int = 3,
        goodness: float = 0.5,
        separation: float = 0.3,
        minimum_gain_ratio: float = 0.01,
        voting: str = "credal",
        variant: str = "c45",
        criterion: str = "gain_ratio",
        min_leaf: float = 2,
        confidence: float = 0.25,
        prune: bool = True,
        global_pruning: bool = True,
        max_depth: int | None = None,
        thresholds: str = "data",
        n_jobs: int | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        random_state: Any = None,
    ) -> None:
        self.trees = trees
        self.goodness = goodness
        self.separation = separation
        self.minimum_gain_ratio = minimum_gain_ratio
        self.voting = voting
        super().__init__(
            variant=variant,
            criterion=criterion,
            min_leaf=min_leaf,
            confidence=confidence,
            prune=prune,
            global_pruning=global_pruning,
            max_depth=max_depth,
            thresholds=thresholds,
            n_jobs=n_jobs,
            class_weight=class_weight,
            random_state=random_state,
        )

    def apply(self, X: Any) -> Codes:
        """The leaf that every record reaches, as [record, tree]; see `C45Classifier.apply`."""
        return np.stack(self._leaves(X), axis=1)

    def decision_path(self, X: Any) -> tuple[Any, Integers]:
        """A sparse matrix [record, node] of all trees side by side, and where each tree's nodes begin and end."""
        from scipy.sparse import hstack

        trees = self.forest_.trees
        ways = [path_matrix(tree, leaves) for tree, leaves in zip(trees, self._leaves(X), strict=True)]
        return hstack(ways, format="csr"), np.cumsum([0, *map(len, trees)])

    def _check(self) -> None:
        SysForOptions(**_values(self, _SYSFOR_PARAMETERS))
        if self.voting not in VOTINGS:
            raise unknown_name("voting", str(self.voting), VOTINGS)

    def _grow(self, training: TrainingSet, options: GrowOptions, threads: int) -> tuple[Tree, ...]:
        sysfor = SysForOptions(**_values(self, _SYSFOR_PARAMETERS))
        return grow_forest(training, options, sysfor, threads) or (grow_tree(training, options, threads),)

    def _described(self) -> dict[str, Any]:
        return _values(self, _SYSFOR_PARAMETERS)

    def _shares(self, columns: Sequence[Array]) -> Floats:
        votes = scores(np.stack([counts_reached(tree, columns) for tree in self.forest_.trees]), self.voting)
        return np.asarray(votes / votes.sum(axis=1, keepdims=True))


def thread_count(n_jobs: Any) -> int:
    """The number of threads that scikit-learn's parameter stands for.

    >>> thread_count(2), thread_count(-1) == os.cpu_count(), thread_count(-1000)
    (2, True, 1)
    """
    if n_jobs is None:
        return available_threads()
    if not isinstance(n_jobs, Integral) or n_jobs == 0:
        raise InputError(f"n_jobs must be a whole number other than 0, or None; {n_jobs!r} was given.")
    wanted = int(n_jobs)
    return wanted if wanted > 0 else max((os.cpu_count() or 1) + 1 + wanted, 1)


def _values(estimator: Any, names: Sequence[str]) -> dict[str, Any]:
    """Parameters by name; NumPy scalars, as passed by grid searches, become plain numbers."""
    given = {name: getattr(estimator, name) for name in names}
    return {name: value.item() if isinstance(value, np.generic) else value for name, value in given.items()}
