"""What a teacher says about the classes of slots: a chance for every class, and one for a missing class.

What it says about a number is in `taught_numbers`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hushwood.arrays import Array, Codes, Floats
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import class_codes
from hushwood.techniques.protocol import Columns
from hushwood.techniques.sequential.coded_columns import CodedColumn
from hushwood.techniques.sequential.slots import Slots
from hushwood.techniques.sequential.teacher import (
    Chances,
    Lesson,
    Teacher,
    ensemble_chances,
    folds_of_slots,
    kinds_of_models,
    tree_chances,
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
    return CodedColumn.of_categories(target.name, label, int(label.max(initial=0)) + 1)


def without_missing(label: CodedColumn, rows: Array) -> Array:
    """Those of some rows that have a class."""
    codes = label.codes[rows]
    return np.asarray(rows[codes > 0 if label.numeric else codes < label.levels - 1])


def taught_chances(
    lesson: Lesson,
    teacher: Teacher,
    own: Codes,
    codes: Mapping[str, CodedColumn],
    new: Mapping[str, Array],
    slots: Slots,
    least: int,
) -> Chances | None:
    """The chances [slot, class] of some slots, the last for a missing class; None if nothing can be taught.

    `own` are the classes of all original records. A tree whose leaves have `least` records or more reads the released
    `codes`, other teachers the `new` columns, whose numbers are blurred.
    """
    if teacher == "none" or not lesson.inputs or len(lesson.rows) < 2 * least:
        return None
    if teacher == "tree":
        known = tree_chances(lesson, codes, slots.count, least)
    else:

        def released(part: Array) -> list[CodedColumn]:
            return [column.like(new[column.name][part]) for column in lesson.inputs]

        kinds = kinds_of_models(teacher, lesson.classes)
        known = ensemble_chances(lesson, released, folds_of_slots(slots), kinds)
    # Records without a class are as likely anywhere.
    gone = float((own == lesson.classes).mean())

    def chances(part: Array) -> Floats:
        return np.hstack([known(part) * (1 - gone), np.full((len(part), 1), gone)])

    return chances
