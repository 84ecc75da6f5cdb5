"""What a teacher says about the classes of slots: a chance for every class, and one for a missing class."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hushwood.arrays import Array, Codes, Floats
from hushwood.tables.schema import Schema
from hushwood.tables.table import label_columns
from hushwood.techniques.protocol import Columns
from hushwood.techniques.sequential.coded_columns import CodedColumn
from hushwood.techniques.sequential.slots import Slots
from hushwood.techniques.sequential.teacher import (
    FOLDS,
    Chances,
    Lesson,
    Teacher,
    ensemble_chances,
    kinds_of_models,
    tree_chances,
)


def label_column(schema: Schema, columns: Columns) -> CodedColumn | None:
    """The class of every record, or the bin of its class; the last code stands for a missing class."""
    target = schema.class_attribute
    if target is None:
        return None
    label = np.asarray(label_columns(schema, columns)[target.name])
    return CodedColumn.of_categories(target.name, label, int(label.max(initial=0)) + 1)


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
        u = slots.uniform("teacher fold of a slot", 0)
        folds = np.minimum((u * FOLDS).astype(np.int64), FOLDS - 1)

        def released(part: Array) -> list[CodedColumn]:
            return [column.like(new[column.name][part]) for column in lesson.inputs]

        known = ensemble_chances(lesson, released, folds, kinds_of_models(teacher, lesson.classes))
    # Records without a class are as likely anywhere.
    gone = float((own == lesson.classes).mean())

    def chances(part: Array) -> Floats:
        return np.hstack([known(part) * (1 - gone), np.full((len(part), 1), gone)])

    return chances
