"""The table as a synthesis sees it: coded columns that vary, the class, the records to learn on, and random numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from hushwood.arrays import Array, Codes, Integers
from hushwood.parameters import available_threads
from hushwood.random_streams import Rows, Streams, group_order
from hushwood.tables.schema import Schema
from hushwood.techniques.protocol import Columns
from hushwood.techniques.sequential.coded_columns import CodedColumn, coded_inputs
from hushwood.techniques.sequential.column_order import Linked, linked_columns, with_linked
from hushwood.techniques.sequential.proposal_trees import MOST_GROWING_ROWS
from hushwood.techniques.sequential.slots import Slots
from hushwood.techniques.sequential.taught_classes import label_column

Learnt = TypeVar("Learnt")
_VALUE = 200  # the draw number for the values of a class that is cut into bins


@dataclass(frozen=True, slots=True)
class Source:
    """What there is to learn from, the table or a sample of it, and the empty records to fill, all in one group.

    `row_ids` are those of the records to learn from. `varied` are the columns with more than one value, except the
    class; `linked` are those of them that follow from another. `label` is the class of every record, or the bin of its
    class, whether or not it is to be drawn. `stuck` counts the numbers that the blur had no room to move. `memory`
    keeps what was learnt for the next empty records.
    """

    schema: Schema
    columns: Columns
    varied: tuple[CodedColumn, ...]
    linked: Sequence[Linked]
    label: CodedColumn | None
    rows: Integers
    row_ids: Rows
    slots: Slots
    stuck: dict[str, int] = field(default_factory=dict)
    memory: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        schema: Schema,
        names: Sequence[str],
        columns: Columns,
        row_ids: Rows,
        streams: Streams,
        purpose: str,
    ) -> Source:
        """The named columns of a table; a numeric class is a number like any other."""
        target = schema.class_attribute
        classes = target is not None and target.kind == "categorical"
        label = label_column(schema, columns) if classes else None
        inputs = [name for name in schema.names if name in names and not (label and name == label.name)]
        varied = tuple(c for c in coded_inputs(schema, inputs, columns) if not c.constant)
        rows = streams.sample(purpose, "growing rows", row_ids, MOST_GROWING_ROWS)
        slots = _slots(row_ids, streams, purpose)
        return cls(schema, columns, varied, linked_columns(varied), label, rows, row_ids, slots)

    def filling(self, row_ids: Rows) -> Source:
        """The same with other empty records."""
        slots = _slots(row_ids, self.slots.streams, self.slots.purpose)
        return replace(self, slots=slots, stuck={})

    def remembered(self, what: str, learn: Callable[[], Learnt]) -> Learnt:
        """What is learnt once from the records, however often empty records are filled."""
        if what not in self.memory:
            self.memory[what] = learn()
        found: Learnt = self.memory[what]
        return found

    def ids_of(self, rows: Integers) -> Integers:
        """The identities of some of the records to learn from."""
        ids = self.row_ids
        return np.asarray(rows + ids.start if isinstance(ids, range) else ids[rows])

    @property
    def led(self) -> list[CodedColumn]:
        """The columns to draw: those that follow from no other."""
        follow = {link.name for link in self.linked}
        return [column for column in self.varied if column.name not in follow]

    @property
    def with_class(self) -> Integers:
        """The rows to learn classes on: those that have one."""
        label = self.label
        return self.rows if label is None else self.rows[label.codes[self.rows] < label.levels - 1]

    def drawn(self, name: str, draw: int, among: int) -> Integers:
        """A whole number below `among` for every record, each as likely."""
        u = self.slots.uniform(name, draw)
        return np.minimum((u * among).astype(np.int64), among - 1)

    def complete(self, drawn: Mapping[str, CodedColumn]) -> dict[str, CodedColumn]:
        """The drawn columns, and those that follow from them."""
        return with_linked(drawn, self.linked)

    def classes(self, label: CodedColumn, drawn: Codes) -> Array:
        """The classes themselves: of a class that is cut into bins, any number of the bin that some record has."""
        order = group_order(label.codes)
        first, sizes = np.searchsorted(label.codes[order], drawn), label.counts[drawn]
        u = self.slots.uniform(label.name, _VALUE)
        chosen = first + np.minimum((u * sizes).astype(np.int64), sizes - 1)
        return np.asarray(np.asarray(self.columns[label.name])[order[chosen]])


def _slots(row_ids: Rows, streams: Streams, purpose: str) -> Slots:
    count = len(row_ids)
    return Slots(
        np.zeros(count, np.int64), np.array([0, count]), row_ids, streams, purpose, available_threads()
    )
