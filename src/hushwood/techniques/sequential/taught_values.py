"""What a teacher says about the class of slots, or about their response.

For a class it is a chance for every one of them, and for a missing one. For a response it is a number for each slot, by
which the group's own numbers are handed out: a prediction plus the residual of a person that the model did not learn
from and for whom it predicted about the same. Predictions alone would lie too close together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hushwood.arrays import Array, Codes, Floats, Integers, spurious_flags_ignored
from hushwood.random_streams import group_order, keyed_order
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import class_codes, label_names
from hushwood.techniques.protocol import Columns
from hushwood.techniques.sequential.coded_columns import CodedColumn
from hushwood.techniques.sequential.hand_outs import Slots, classes_by_teacher, numbers_by_rank, permuted
from hushwood.techniques.sequential.proposal_trees import ProposalTree, grow_proposal_tree
from hushwood.techniques.sequential.teacher import (
    CODINGS,
    FOLDS,
    PREDICTED_AT_ONCE,
    Chances,
    Coding,
    Ensemble,
    Lesson,
    TaughtTree,
    Teacher,
    boosting_settings,
    folds_of_people,
    folds_of_slots,
    kinds_of_models,
    one_at_a_time,
    quiet_threads,
)

NEIGHBOURS = 50  # people with about the same prediction whose residual a slot may get
KINDS: Mapping[str, tuple[str, ...]] = {
    "ensemble": ("boosting", "regression", "forest"),
    "boosting": ("boosting",),
}
_DONOR, _RESIDUAL = 0, 1
_GAPS = 102  # the draw number of where a response is missing


def label_column(schema: Schema, columns: Columns) -> CodedColumn | None:
    """The class of every record, or the bin of its class; the last code stands for a missing class."""
    target = schema.class_attribute
    return None if target is None else labelled(target, columns)


def labelled(target: Attribute, columns: Columns) -> CodedColumn:
    """One class of every record, as a teacher learns it: a response by its numbers, another by its label."""
    if target.response:
        return CodedColumn.of_numbers(target.name, np.asarray(columns[target.name], np.float64))
    label = class_codes(target, np.asarray(columns[target.name]))
    return CodedColumn.of_categories(target.name, label, len(label_names(target)))


def without_missing(label: CodedColumn, rows: Array) -> Array:
    """Those of some rows that have a class."""
    codes = label.codes[rows]
    return np.asarray(rows[codes > 0 if label.numeric else codes < label.levels - 1])


@dataclass(frozen=True, slots=True)
class TaughtClass:
    """What was learnt about one class: by a tree, which reads released codes, or by models, which read values.

    `inputs` are the columns that models read, without their records.
    """

    inputs: tuple[CodedColumn, ...]
    classes: int
    by: TaughtTree | Ensemble

    def chances(
        self, own: Codes, codes: Mapping[str, CodedColumn], new: Mapping[str, Array], slots: Slots
    ) -> Chances:
        """The chances [slot, class] of some slots, the last for a missing class.

        `own` are the classes of the original records. A tree reads the released `codes`, models the `new` columns,
        whose numbers are blurred.
        """
        if isinstance(self.by, TaughtTree):
            known = self.by.chances(codes, slots.count, slots.threads)
        else:

            def released(part: Array) -> list[CodedColumn]:
                return [column.like(new[column.name][part]) for column in self.inputs]

            known = self.by.chances(released, folds_of_slots(slots), slots.threads)
        # Records without a class are as likely anywhere.
        gone = float((own == self.classes).mean())

        def chances(part: Array) -> Floats:
            return np.hstack([known(part) * (1 - gone), np.full((len(part), 1), gone)])

        return chances


def taught_class(lesson: Lesson, teacher: Teacher, least: int) -> TaughtClass | None:
    """Learn a class from the columns of a lesson, with `least` records or more in a leaf; None if nothing is taught."""
    if teacher == "none" or not lesson.inputs or len(lesson.rows) < 2 * least:
        return None
    by: TaughtTree | Ensemble
    if teacher == "tree":
        by = TaughtTree.of(lesson, least)
    else:
        by = Ensemble.of(lesson, kinds_of_models(teacher, lesson.classes))
    return TaughtClass(tuple(column.without_records() for column in lesson.inputs), lesson.classes, by)


@dataclass(frozen=True, slots=True)
class TaughtNumber:
    """What was learnt about a response: by a tree, or by models with the residuals of people they did not learn from.

    `inputs` are the columns that models read, without their records; `left_out` has, for every fold, the predictions
    and the true numbers of its people.
    """

    name: str
    inputs: tuple[CodedColumn, ...]
    tree: ProposalTree | None = None
    kinds: tuple[str, ...] = ()
    models: Mapping[tuple[int, str], _Model] = field(default_factory=dict)
    left_out: tuple[tuple[Floats, Floats], ...] = ()

    def proposals(self, codes: Mapping[str, CodedColumn], new: Mapping[str, Array], slots: Slots) -> Floats:
        """A number for every slot; a tree reads the released `codes`, other teachers the `new` columns."""
        name = f"teacher of {self.name}"
        if self.tree is not None:
            leaves = self.tree.leaves(codes, slots.count, slots.threads)
            return self.tree.draw(leaves, slots.uniform(name, _DONOR)).astype(np.float64)
        fold_of_slot, u = folds_of_slots(slots), slots.uniform(name, _RESIDUAL)
        out = np.empty(slots.count)

        def ask(part: Array) -> None:
            for fold in range(FOLDS):
                asking = part[fold_of_slot[part] == fold]
                columns = [column.like(new[column.name][asking]) for column in self.inputs]
                out[asking] = _mean(self.models, fold, self.kinds, columns) if len(asking) else 0.0

        parts = [
            np.arange(begin, min(begin + PREDICTED_AT_ONCE, slots.count))
            for begin in range(0, slots.count, PREDICTED_AT_ONCE)
        ]
        with quiet_threads(slots.threads) as pool:
            list(pool.map(ask, parts))
        for fold, (predicted, true) in enumerate(self.left_out):
            if len(predicted):
                mine = fold_of_slot == fold
                out[mine] += _residuals_near(out[mine], predicted, true, u[mine])
        return out


def taught_number(lesson: Lesson, teacher: Teacher, least: int) -> TaughtNumber | None:
    """Learn a response, with `least` records or more in a leaf; None if nothing is taught."""
    if teacher == "none" or not lesson.inputs or len(lesson.rows) < 2 * least:
        return None
    inputs = tuple(column.without_records() for column in lesson.inputs)
    if teacher == "tree":
        rows = np.arange(len(lesson.rows))
        return TaughtNumber(
            lesson.target.name, inputs, grow_proposal_tree(lesson.target, lesson.inputs, rows, least)
        )
    kinds = KINDS[teacher]
    fold_of_row, numbers = folds_of_people(lesson), np.asarray(lesson.target.values(), np.float64)
    tasks = [(fold, kind) for fold in range(FOLDS) for kind in kinds]

    def fit(task: tuple[int, str]) -> _Model:
        fold, kind = task
        with spurious_flags_ignored(), one_at_a_time(kind):
            return _fitted(kind, lesson, np.flatnonzero(fold_of_row != fold), numbers, lesson.seed(fold))

    with quiet_threads(lesson.threads) as pool:
        models = dict(zip(tasks, pool.map(fit, tasks), strict=True))
    left_out = []
    for fold in range(FOLDS):
        rows = np.flatnonzero(fold_of_row == fold)
        columns = [column.take(rows) for column in lesson.inputs]
        left_out.append((_mean(models, fold, kinds, columns) if len(rows) else numbers[rows], numbers[rows]))
    return TaughtNumber(lesson.target.name, inputs, None, kinds, models, tuple(left_out))


def _mean(
    models: Mapping[tuple[int, str], _Model], fold: int, kinds: Sequence[str], columns: Sequence[CodedColumn]
) -> Floats:
    total = np.zeros(len(columns[0].codes))
    for kind in kinds:
        with spurious_flags_ignored(), one_at_a_time(kind):
            total += models[fold, kind].predicted(columns)
    return total / len(kinds)


def _residuals_near(asked: Floats, predicted: Floats, true: Floats, u: Floats) -> Floats:
    """For every prediction the residual of one of the 50 people whose own prediction is nearest in order.

    >>> _residuals_near(np.array([1.0, 9.0]), np.array([1.0, 9.0]), np.array([2.0, 6.0]), np.array([0.1, 0.9])).tolist()
    [1.0, -3.0]
    """
    order = np.argsort(predicted, kind="stable")
    size = min(NEIGHBOURS, len(order))
    first = np.searchsorted(predicted[order], asked) - size // 2
    first = np.clip(first, 0, len(order) - size)
    chosen = order[first + np.minimum((u * size).astype(np.int64), size - 1)]
    return np.asarray((true - predicted)[chosen])


@dataclass(frozen=True, slots=True)
class _Model:
    """A model of standardised numbers, or none if they do not differ."""

    model: Any
    coding: Coding | None
    mean: float
    spread: float

    def predicted(self, columns: Sequence[CodedColumn]) -> Floats:
        if self.coding is None:
            return np.full(len(columns[0].codes), self.mean)
        found = np.asarray(self.model.predict(self.coding(columns)), np.float64)
        return found * self.spread + self.mean


def _fitted(kind: str, lesson: Lesson, rows: Integers, numbers: Floats, seed: int) -> _Model:
    own = numbers[rows]
    mean, spread = (float(own.mean()), float(own.std())) if len(own) else (0.0, 0.0)
    if spread == 0:
        return _Model(None, None, mean, spread)
    columns = [column.take(rows) for column in lesson.inputs]
    target = (own - mean) / spread
    coding: Coding = CODINGS[kind](columns, target, 0)
    model = _MODELS[kind](columns, seed).fit(coding(columns), target)
    return _Model(model, coding, mean, spread)


def _boosting(columns: Sequence[CodedColumn], seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingRegressor

    return HistGradientBoostingRegressor(**boosting_settings(columns, seed))


def _regression(columns: Sequence[CodedColumn], seed: int) -> Any:
    from sklearn.linear_model import Ridge

    return Ridge(alpha=1.0)


def _forest(columns: Sequence[CodedColumn], seed: int) -> Any:
    from sklearn.ensemble import RandomForestRegressor

    return RandomForestRegressor(40, min_samples_leaf=5, random_state=seed, n_jobs=1)


_MODELS: Mapping[str, Callable[[Sequence[CodedColumn], int], Any]] = {
    "boosting": _boosting,
    "regression": _regression,
    "forest": _forest,
}


def handed_labels(
    taught: TaughtClass | TaughtNumber | None,
    own: CodedColumn,
    codes: Mapping[str, CodedColumn],
    new: Mapping[str, Array],
    slots: Slots,
) -> Codes:
    """The class, or the bin of the class, of every slot; the last code stands for a missing class."""
    if not isinstance(taught, TaughtClass):
        return permuted(slots, own.name, 0, own.codes)
    chances = taught.chances(own.codes, codes, new, slots)
    return classes_by_teacher(slots, own.name, own.codes, own.levels, chances)


def handed_numbers(
    taught: TaughtClass | TaughtNumber | None,
    own: CodedColumn,
    codes: Mapping[str, CodedColumn],
    new: Mapping[str, Array],
    slots: Slots,
) -> CodedColumn:
    """The response of every slot: missing ones at random, numbers in the order that the teacher proposes."""
    there = None
    if (own.codes == 0).any():
        there = permuted(slots, own.name, _GAPS, (own.codes > 0).astype(np.int32)) > 0
    if not isinstance(taught, TaughtNumber):
        return own.with_codes(permuted(slots, own.name, 0, own.codes))
    return own.with_codes(
        numbers_by_rank(slots, own.name, 0, own.codes, taught.proposals(codes, new, slots), there)
    )


def classes_of_labels(labels: Codes, own: Codes, column: Array, slots: Slots, name: str) -> Array:
    """The classes themselves: those of a group and bin are permuted, where the class is a number cut into bins."""
    width = int(max(labels.max(initial=0), own.max(initial=0))) + 1
    words = slots.streams.words(slots.purpose, name, 1000, slots.rows)
    out = np.empty_like(column)
    out[keyed_order(words, slots.groups * width + labels)] = column[group_order(slots.groups * width + own)]
    return out
