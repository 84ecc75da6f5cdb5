"""The table as a synthesis sees it: coded columns that vary, the class, the records to learn on, and random numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

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

_VALUE = 200  # the draw number for the values of a class that is cut into bins


@dataclass(frozen=True, slots=True)
class Source:
    """What there is to learn from, and the empty records to fill: as many as the table has, all in one group.

    `varied` are the columns with more than one value, except the class; `linked` are those of them that follow from
    another. `label` is the class of every record, or the bin of its class, whether or not it is to be drawn. `stuck`
    counts the numbers that the blur had no room to move.
    """

    schema: Schema
    columns: Columns
    varied: tuple[CodedColumn, ...]
    linked: Sequence[Linked]
    label: CodedColumn | None
    rows: Integers
    slots: Slots
    stuck: dict[str, int] = field(default_factory=dict)

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
        count = len(row_ids)
        slots = Slots(
            np.zeros(count, np.int64), np.array([0, count]), row_ids, streams, purpose, available_threads()
        )
        rows = streams.sample(purpose, "growing rows", count, MOST_GROWING_ROWS)
        return cls(schema, columns, varied, linked_columns(varied), label, rows, slots)

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
