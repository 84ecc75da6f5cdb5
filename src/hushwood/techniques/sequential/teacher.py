"""Teachers: the probability of every class, given a record's other values.

The `ensemble` is cross-fitted: three models that were fitted without a third of the people speak for a slot, so that a
slot that looks like a record is not simply given that record's class. The `tree` is one tree, the cheapest; `none`
knows nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from threading import Lock
from typing import Any, Literal

import numpy as np

from hushwood.arrays import Array, Floats, Floats32, Integers, one_thread, spurious_flags_ignored
from hushwood.random_streams import Streams
from hushwood.techniques.sequential.coded_columns import CodedColumn, level_scores
from hushwood.techniques.sequential.hand_outs import Slots
from hushwood.techniques.sequential.proposal_trees import ProposalTree, grow_proposal_tree

Teacher = Literal["ensemble", "boosting", "tree", "none"]
Chances = Callable[[Array], Floats]
Released = Callable[[Array], Sequence[CodedColumn]]  # the input columns of some slots
Coding = Callable[[Sequence[CodedColumn]], Array]

FOLDS = 3
MOST_ONE_HOT = 50  # levels of a category that a logistic regression tells apart
MOST_BOOSTED_LEVELS = 255
MOST_BOOSTED_CLASSES = 50  # boosting grows a tree per class and round
PREDICTED_AT_ONCE = 1 << 14
_FARTHEST = (
    1e30  # in standard deviations, or times the largest that was learnt: single precision has room for it
)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What teachers learn from: the input columns and the class of some original records, and their rows."""

    inputs: Sequence[CodedColumn]
    target: CodedColumn
    rows: Array
    streams: Streams
    purpose: str
    threads: int = 1

    @property
    def classes(self) -> int:
        """The number of classes; the last code of the target stands for a missing one."""
        return self.target.levels - 1

    def seed(self, fold: int) -> int:
        """A seed for a library's own draws."""
        return int.from_bytes(self.streams.derive(self.purpose, "teacher", fold)[:4], "big") >> 1


@dataclass(frozen=True, slots=True)
class TaughtTree:
    """One tree and the class shares of its leaves."""

    tree: ProposalTree
    shares: Floats

    @classmethod
    def of(cls, lesson: Lesson, min_leaf: int) -> TaughtTree:
        """Grow the tree."""
        rows = np.arange(len(lesson.rows))
        tree = grow_proposal_tree(lesson.target, lesson.inputs, rows, min_leaf)
        return cls(tree, tree.shares(lesson.target.levels)[:, : lesson.classes])

    def chances(self, released: Mapping[str, CodedColumn], slots: int, threads: int) -> Chances:
        """The class shares of the leaf that a slot falls into."""
        leaf = self.tree.leaves(released, slots, threads)
        return lambda part: self.shares[leaf[part]]


def folds_of_people(lesson: Lesson) -> Integers:
    """The fold of every record of a lesson."""
    words = lesson.streams.words(lesson.purpose, "teacher folds", 0, lesson.rows)
    return (words % np.uint64(FOLDS)).astype(np.int64)


def folds_of_slots(slots: Slots) -> Integers:
    """The fold that every slot asks."""
    u = slots.uniform("teacher fold of a slot", 0)
    return np.minimum((u * FOLDS).astype(np.int64), FOLDS - 1)


@dataclass(frozen=True, slots=True)
class Ensemble:
    """Several kinds of models, each fitted three times without one fold of the people; every slot asks one fold."""

    kinds: tuple[str, ...]
    models: Mapping[tuple[int, str], _Fitted]
    classes: int

    @classmethod
    def of(cls, lesson: Lesson, kinds: Sequence[str]) -> Ensemble:
        """Fit all models."""
        fold_of_row = folds_of_people(lesson)
        tasks = [(fold, kind) for fold in range(FOLDS) for kind in kinds]

        def fit(task: tuple[int, str]) -> _Fitted:
            fold, kind = task
            with spurious_flags_ignored(), one_at_a_time(kind):
                return _fitted(kind, lesson, np.flatnonzero(fold_of_row != fold), lesson.seed(fold))

        with quiet_threads(lesson.threads) as pool:
            return cls(tuple(kinds), dict(zip(tasks, pool.map(fit, tasks), strict=True)), lesson.classes)

    def chances(self, released: Released, fold_of_slot: Integers, threads: int) -> Chances:
        """The mean of the models that were fitted without the slot's fold."""

        def chances(slots: Array) -> Floats:
            out = np.zeros((len(slots), self.classes))

            def ask(part: Array) -> None:
                fold = fold_of_slot[slots[part]]
                for number in range(FOLDS):
                    asking = part[fold == number]
                    if len(asking):
                        columns = released(slots[asking])
                        for kind in self.kinds:
                            with spurious_flags_ignored(), one_at_a_time(kind):
                                out[asking] += self.models[number, kind].chances(columns)

            parts = [
                np.arange(begin, min(begin + PREDICTED_AT_ONCE, len(slots)))
                for begin in range(0, len(slots), PREDICTED_AT_ONCE)
            ]
            with quiet_threads(threads) as pool:
                list(pool.map(ask, parts))
            return out / len(self.kinds)

        return chances


def kinds_of_models(teacher: str, classes: int) -> tuple[str, ...]:
    """The models of a teacher; boosting is too slow for very many classes."""
    few = classes <= MOST_BOOSTED_CLASSES
    if teacher == "boosting":
        return ("boosting",) if few else ("forest",)
    return ("boosting", "regression", "forest") if few else ("regression", "forest")


@dataclass(frozen=True, slots=True)
class _Fitted:
    """A model, how it codes columns, and the class of each of its outputs."""

    model: Any
    coding: Coding
    present: Integers
    classes: int

    def chances(self, columns: Sequence[CodedColumn]) -> Floats:
        """Probabilities [record, class]; classes that the model never saw have none."""
        found = np.zeros((len(columns[0].codes), self.classes))
        if self.model is None:
            found[:, self.present[0]] = 1.0
        else:
            found[:, self.present] = self.model.predict_proba(self.coding(columns))
        return found


def _fitted(kind: str, lesson: Lesson, rows: Integers, seed: int) -> _Fitted:
    columns = [column.take(rows) for column in lesson.inputs]
    labels = lesson.target.codes[rows].astype(np.int64)
    present = np.unique(labels)
    if len(present) < 2:
        only = present if len(present) else np.zeros(1, np.int64)
        return _Fitted(None, _WithScores({}), only, lesson.classes)
    coding = CODINGS[kind](columns, labels, lesson.classes)
    model = _MODELS[kind](columns, seed).fit(coding(columns), labels)
    return _Fitted(model, coding, present, lesson.classes)


def _boosting(columns: Sequence[CodedColumn], seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(**boosting_settings(columns, seed))


def boosting_settings(columns: Sequence[CodedColumn], seed: int) -> dict[str, Any]:
    """How gradient boosting is set, for classes and for numbers."""
    return {
        "max_iter": 50,
        "max_leaf_nodes": 15,
        "learning_rate": 0.1,
        "min_samples_leaf": 20,
        "early_stopping": False,
        "categorical_features": [not c.numeric and c.levels <= MOST_BOOSTED_LEVELS for c in columns],
        "random_state": seed,
    }


def _regression(columns: Sequence[CodedColumn], seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=0.5, max_iter=200, random_state=seed)


def _forest(columns: Sequence[CodedColumn], seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(40, min_samples_leaf=5, random_state=seed, n_jobs=1)


_MODELS: Mapping[str, Callable[[Sequence[CodedColumn], int], Any]] = {
    "boosting": _boosting,
    "regression": _regression,
    "forest": _forest,
}


def _plain(columns: Sequence[CodedColumn], labels: Array, classes: int) -> Coding:
    """Numbers, and category codes for boosting; scores where a column has too many levels for it."""
    return _WithScores(
        {
            c.name: level_scores(c.codes, c.levels, labels, classes)
            for c in columns
            if not c.numeric and c.levels > MOST_BOOSTED_LEVELS
        }
    )


def _scored(columns: Sequence[CodedColumn], labels: Array, classes: int) -> Coding:
    """Numbers, and scores of categories: an order in which a forest can cut.

    Numbers are scaled to 1, because a forest counts in single precision, which has no room for the largest.
    """
    plain = _WithScores(
        {c.name: level_scores(c.codes, c.levels, labels, classes) for c in columns if not c.numeric}
    )
    largest = np.array([1.0 if c.numbers is None else np.nanmax(np.abs(c.numbers)) for c in columns])
    scale = np.where(largest > 0, largest, 1.0)
    return _Scaled(plain, scale)


# Codings are classes, and not functions within functions, so that a fitted release can be sent to another process.
@dataclass(frozen=True, slots=True)
class _WithScores:
    """A matrix of numbers, of codes, and of scores where a column has some."""

    scores: Mapping[str, Floats]

    def __call__(self, columns: Sequence[CodedColumn]) -> Floats:
        matrix = np.empty((len(columns[0].codes), len(columns)))
        for place, column in enumerate(columns):
            known = self.scores.get(column.name, column.numbers)
            matrix[:, place] = column.codes if known is None else known[column.codes]
        return matrix


@dataclass(frozen=True, slots=True)
class _Scaled:
    """The same in other units."""

    plain: _WithScores
    scale: Floats

    def __call__(self, columns: Sequence[CodedColumn]) -> Floats:
        return np.clip(self.plain(columns) / self.scale, -_FARTHEST, _FARTHEST)


def _standardised(columns: Sequence[CodedColumn], labels: Array, classes: int) -> Coding:
    """Standardised numbers, a mark for missing ones, and indicators of the frequent levels."""
    return _Standardised(tuple(_StandardNumber.of(c) if c.numeric else _Indicators.of(c) for c in columns))


@dataclass(frozen=True, slots=True)
class _Standardised:
    """One column after the other, each in its own way."""

    parts: tuple[_StandardNumber | _Indicators, ...]

    def __call__(self, columns: Sequence[CodedColumn]) -> Floats32:
        width = sum(part.width for part in self.parts)
        # Single precision is exact enough, and half as large.
        matrix, at = np.empty((len(columns[0].codes), width), np.float32), 0
        for part, column in zip(self.parts, columns, strict=True):
            matrix[:, at : at + part.width] = part.of_column(column)
            at += part.width
        return matrix


@dataclass(frozen=True, slots=True)
class _Indicators:
    """A standardised indicator of every frequent level [level, indicator]."""

    table: Floats

    @classmethod
    def of(cls, column: CodedColumn) -> _Indicators:
        counts = column.counts
        levels = np.argsort(-counts, kind="stable")[: min(int(np.count_nonzero(counts)), MOST_ONE_HOT)]
        table = np.zeros((column.levels, len(levels)))
        table[levels, np.arange(len(levels))] = 1.0
        share = counts[levels] / max(len(column.codes), 1)
        return cls((table - share) / np.sqrt(np.maximum(share * (1 - share), 1e-12)))

    @property
    def width(self) -> int:
        return int(self.table.shape[1])

    def of_column(self, column: CodedColumn) -> Floats:
        return np.asarray(self.table[column.codes])


@dataclass(frozen=True, slots=True)
class _StandardNumber:
    """A standardised number and, if some are missing, a mark of those."""

    mean: float
    spread: float
    gaps: bool

    @classmethod
    def of(cls, column: CodedColumn) -> _StandardNumber:
        values = column.values()
        known = values[~np.isnan(values)]
        mean, spread = (float(known.mean()), float(known.std())) if len(known) else (0.0, 0.0)
        return cls(mean, spread, len(known) < len(values))

    @property
    def width(self) -> int:
        return 2 if self.gaps else 1

    def of_column(self, column: CodedColumn) -> Floats:
        values = column.values()
        scaled = np.where(np.isnan(values), 0.0, (values - self.mean) / (self.spread or 1.0))
        scaled = np.clip(scaled, -_FARTHEST, _FARTHEST)
        return np.stack([scaled, np.isnan(values)], axis=1) if self.gaps else scaled[:, None]


CODINGS: Mapping[str, Callable[[Sequence[CodedColumn], Array, int], Coding]] = {
    "boosting": _plain,
    "regression": _standardised,
    "forest": _scored,
}


# A forest of scikit-learn resets the warning filters of the whole process while it works, and warns if it finds them
# reset by another.
_ONE_FOREST = Lock()


def one_at_a_time(kind: str) -> AbstractContextManager[Any]:
    """Forests work one after another; other models need not wait."""
    return _ONE_FOREST if kind == "forest" else nullcontext()


@contextmanager
def quiet_threads(threads: int) -> Iterator[ThreadPoolExecutor]:
    """Threads on which a library uses one thread, so that sums do not depend on how many there are; no warnings."""

    def limited() -> None:
        one_thread("openmp").__enter__()  # for as long as the thread lives

    with (
        one_thread("blas"),
        warnings.catch_warnings(category=UserWarning, action="ignore"),
        ThreadPoolExecutor(max(threads, 1), initializer=limited) as pool,
    ):
        yield pool
