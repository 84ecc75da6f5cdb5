"""What a teacher says about the classes of slots: a chance for every class, and one for a missing class.

What it says about a number is in `taught_numbers`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Codes, Floats
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import class_codes, label_names
from hushwood.techniques.protocol import Columns
from hushwood.techniques.sequential.coded_columns import CodedColumn
from hushwood.techniques.sequential.slots import Slots
from hushwood.techniques.sequential.teacher import (
    Chances,
    Ensemble,
    Lesson,
    TaughtTree,
    Teacher,
    folds_of_slots,
    kinds_of_models,
)


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
