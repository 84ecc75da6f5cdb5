"""The last steps of a synthesis that copies values: the blur of numbers that few records share, then the class."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from hushwood.arrays import Array, Codes
from hushwood.tables.domains import whole_domain
from hushwood.techniques.blurring.blur import SortedColumn, blurred
from hushwood.techniques.sequential.coded_columns import CodedColumn
from hushwood.techniques.sequential.taught_classes import TaughtClass, taught_class
from hushwood.techniques.sequential.teacher import Chances, Lesson, Teacher
from hushwood.techniques.synthesis.source import Source

ASKED_AT_ONCE = 1 << 16  # records whose chances are held in memory together
# Draw numbers beyond those of the columns.
_PLACE, _BLUR, _CLASS = 100, 101, 102


def blurred_values(source: Source, released: Mapping[str, CodedColumn], width: int) -> dict[str, Array]:
    """The released columns as a table holds them, their rare numbers blurred within the column's domain."""
    new = {name: column.values() for name, column in released.items()}
    for name, values in new.items():
        attribute = source.schema[name]
        if width and attribute.kind == "numeric":
            inside, everyone = whole_domain(attribute), np.zeros(len(values), np.int64)
            column = source.remembered(f"order of {name}", partial(_sorted, source, name, width))
            u, place = (source.slots.uniform(name, draw) for draw in (_BLUR, _PLACE))
            new[name], source.stuck[name] = blurred(values, inside, everyone, column, u, place)
    return new


def with_class(
    source: Source,
    released: Mapping[str, CodedColumn],
    new: Mapping[str, Array],
    teacher: Teacher,
    min_leaf: int,
) -> dict[str, Array]:
    """The columns with the class, drawn for every record from its teacher's chances."""
    label, slots = source.label, source.slots
    if label is None or label.constant:
        return dict(new)
    taught = source.remembered("class", lambda: _taught(source, label, teacher, min_leaf))
    if taught is None:
        labels = label.codes[source.drawn(label.name, _CLASS, len(label.codes))]
    else:
        labels = _drawn(source, label.name, taught.chances(label.codes, released, new, slots))
    return {**new, label.name: source.classes(label, labels)}


def _sorted(source: Source, name: str, width: int) -> SortedColumn:
    own = np.asarray(source.columns[name], np.float64)
    return SortedColumn.of(own, source.schema[name].precision, width)


def _taught(source: Source, label: CodedColumn, teacher: Teacher, min_leaf: int) -> TaughtClass | None:
    known, slots = source.with_class, source.slots
    sampled = [column.take(known) for column in source.varied]
    ids = source.ids_of(known)
    lesson = Lesson(sampled, label.take(known), ids, slots.streams, slots.purpose, slots.threads)
    return taught_class(lesson, teacher, min_leaf)


def _drawn(source: Source, name: str, chances: Chances) -> Codes:
    """A class for every record by its chances."""
    u = source.slots.uniform(name, _CLASS)
    out = np.empty(source.slots.count, np.int32)
    for begin in range(0, len(out), ASKED_AT_ONCE):
        part = np.arange(begin, min(begin + ASKED_AT_ONCE, len(out)))
        upto = np.cumsum(chances(part), axis=1)
        # A class without any chance is never reached: its step has no width.
        out[part] = (upto <= (u[part] * upto[:, -1])[:, None]).sum(axis=1)
    return out
