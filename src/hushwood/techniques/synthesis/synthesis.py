"""What all syntheses share: the table as they see it, the header, the perturber, and a law of what little is certain.

And the last steps of those that copy values: the blur of numbers that few records share, then the class.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats, Integers
from hushwood.parameters import AtLeast, available_threads
from hushwood.random_streams import Rows, Streams, group_order
from hushwood.segments.segments import Segments
from hushwood.tables.domains import whole_domain
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table, missing_values
from hushwood.techniques.blurring.blur import SortedColumn, blurred, common_at
from hushwood.techniques.laws.promises import Promise
from hushwood.techniques.protocol import Columns, Law, LearntOn, RowOrder, Target, Technique
from hushwood.techniques.sequential.coded_columns import CodedColumn, coded_inputs
from hushwood.techniques.sequential.hand_outs import Slots
from hushwood.techniques.sequential.proposal_trees import (
    MOST_GROWING_ROWS,
    Linked,
    linked_columns,
    with_linked,
)
from hushwood.techniques.sequential.taught_values import TaughtClass, label_column, taught_class
from hushwood.techniques.sequential.teacher import Chances, Lesson, Teacher

Learnt = TypeVar("Learnt")
_VALUE = 200  # the draw number for the values of a class that is cut into bins
ASKED_AT_ONCE = 1 << 16  # records whose chances are held in memory together
# Draw numbers beyond those of the columns.
_PLACE, _BLUR, _CLASS = 100, 101, 102
_FEW = 2  # records that are drawn to learn the model
TRUST = (
    "Do not rely on single records: none stands for one person. Distributions, and how columns go together, are as "
    "close as the model learnt them; rare combinations may be missing or made up."
)


@dataclass(frozen=True, slots=True)
class Synthesis(Technique):
    """A technique that learns a model of the whole table and draws as many new records from it.

    It keeps no segments, and the draw of a record knows nothing of the record that was in its row.
    """

    perturbs: ClassVar[Target] = "any"
    trust: ClassVar[str] = TRUST
    jointly: ClassVar[bool] = True
    keeps_segment: ClassVar[bool] = False
    hides_all: ClassVar[bool] = True
    row_order: ClassVar[RowOrder] = "none"
    learnt_on: ClassVar[LearntOn] = "sample"
    promise: ClassVar[Promise] = Promise("drawn", "held", "table")

    @property
    def copies_numbers(self) -> bool:
        """Whether every released number is one that some record has."""
        return False

    def promise_for(self, attribute: Attribute) -> Promise:
        """Categories are some that the column has; so are numbers that are copied, and others stay in the domain."""
        free = attribute.kind == "numeric" and not self.copies_numbers
        return Promise("drawn", "inside", "table") if free else self.promise

    @abstractmethod
    def records(self, source: SynthesisSource) -> dict[str, Array]:
        """New columns for all records; columns that do not vary may be missing."""

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> SynthesisPerturber:
        """Remember the columns; all is learnt when they are drawn."""
        return SynthesisPerturber(self, tuple(attributes), original.schema)


@dataclass(frozen=True, slots=True)
class TaughtSynthesis(Synthesis):
    """One that hands out numbers of the table, blurred if few share them, and asks a teacher for the class.

    `min_leaf` is the smallest leaf of its trees, those of the teacher `tree` included.
    """

    min_leaf: Annotated[int, AtLeast(1)] = 10
    teacher: Teacher = "tree"
    blur: Annotated[int, AtLeast(0)] = 5
    options: ClassVar[Mapping[str, str]] = {"teacher": "teacher", "blur": "blur"}

    @property
    def copies_numbers(self) -> bool:
        return self.blur == 0

    def said_blur(self) -> str:
        """The end of a sentence; nothing without a blur."""
        shared = common_at(self.blur)
        return f"; numbers that fewer than {shared} records share are blurred" if self.blur else ""


@dataclass(frozen=True, slots=True)
class SynthesisPerturber:
    """Draws all columns together from what it has learnt; `stuck` counts numbers that had no room to move.

    Without a `source` it learns from the records in whose place it draws.
    """

    technique: Synthesis
    attributes: tuple[str, ...]
    schema: Schema
    source: SynthesisSource | None = None
    stuck: dict[str, int] = field(default_factory=dict, repr=False, compare=False)
    whole_column: ClassVar[bool] = True

    def covers(self, attribute: str) -> Flags | None:
        return None

    def law(self) -> SynthesisLaw:
        return SynthesisLaw(self.technique, self.attributes, self.schema)

    def learnt(self, columns: Columns, row_ids: Rows, streams: Streams) -> SynthesisPerturber:
        """Learn the model; a few records are drawn, so that all of it is there."""
        source = SynthesisSource.of(
            self.schema, self.attributes, columns, row_ids, streams, self.technique.acronym
        )
        self.technique.records(source.filling(row_ids[:_FEW]))
        return replace(self, source=source)

    def perturb(self, columns: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """New columns for all records; those that do not vary are copied."""
        technique = self.technique
        if self.source is None:
            source = SynthesisSource.of(
                self.schema, self.attributes, columns, row_ids, streams, technique.acronym
            )
        else:
            source = self.source.filling(row_ids)
        new = technique.records(source)
        self.stuck.clear()
        self.stuck.update(source.stuck)
        return {name: new.get(name, self._constant(name, columns)) for name in self.attributes}

    def _constant(self, name: str, columns: Columns) -> Array:
        """A column that does not vary: as it is, or as the sample has it that the model was learnt on."""
        own = np.asarray(columns[name])
        return own if self.source is None else np.repeat(np.asarray(self.source.columns[name])[:1], len(own))


@dataclass(frozen=True, slots=True)
class SynthesisLaw(Law):
    """What is certain of a released record: its values are in the domain, and no record's own values play a part.

    The model itself has no formula that could be asked about single records.
    """

    technique: Synthesis
    attributes: tuple[str, ...]
    schema: Schema
    dependent: ClassVar[bool] = True

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """The same number for every possible record, whatever the original one is; -inf outside of the domain."""
        total = np.zeros(len(segment_ids))
        for name in self.attributes:
            total[_outside(self.schema[name], np.asarray(released[name]))] = -np.inf
        return total

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """Not here: the draw needs all columns of the table, which the perturber has."""
        raise TypeError("The perturber draws all columns together.")

    def described(self) -> dict[str, Any]:
        """That records are drawn from a model, and its settings."""
        settings: Mapping[str, Any] = asdict(self.technique)
        return {
            "form": "records drawn from a model of the table",
            "columns": list(self.attributes),
            **settings,
        }


def _outside(attribute: Attribute, values: Array) -> Flags:
    """Values that the column cannot have; missing ones are not among them."""
    if attribute.kind == "categorical":
        return np.asarray(values >= len(attribute.categories))
    low = -np.inf if attribute.low is None else attribute.low
    high = np.inf if attribute.high is None else attribute.high
    return np.asarray(~missing_values(values) & ((values < low) | (values > high)))


@dataclass(frozen=True, slots=True)
class SynthesisSource:
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
    ) -> SynthesisSource:
        """The named columns of a table; a numeric class is a number like any other."""
        target = schema.class_attribute
        classes = target is not None and target.kind == "categorical"
        label = label_column(schema, columns) if classes else None
        inputs = [name for name in schema.names if name in names and not (label and name == label.name)]
        varied = tuple(c for c in coded_inputs(schema, inputs, columns) if not c.constant)
        rows = streams.sample(purpose, "growing rows", row_ids, MOST_GROWING_ROWS)
        slots = _slots(row_ids, streams, purpose)
        return cls(schema, columns, varied, linked_columns(varied), label, rows, row_ids, slots)

    def filling(self, row_ids: Rows) -> SynthesisSource:
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


def blurred_values(
    source: SynthesisSource, released: Mapping[str, CodedColumn], width: int
) -> dict[str, Array]:
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
    source: SynthesisSource,
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


def _sorted(source: SynthesisSource, name: str, width: int) -> SortedColumn:
    own = np.asarray(source.columns[name], np.float64)
    return SortedColumn.of(own, source.schema[name].precision, width)


def _taught(
    source: SynthesisSource, label: CodedColumn, teacher: Teacher, min_leaf: int
) -> TaughtClass | None:
    known, slots = source.with_class, source.slots
    sampled = [column.take(known) for column in source.varied]
    ids = source.ids_of(known)
    lesson = Lesson(sampled, label.take(known), ids, slots.streams, slots.purpose, slots.threads)
    return taught_class(lesson, teacher, min_leaf)


def _drawn(source: SynthesisSource, name: str, chances: Chances) -> Codes:
    """A class for every record by its chances."""
    u = source.slots.uniform(name, _CLASS)
    out = np.empty(source.slots.count, np.int32)
    for begin in range(0, len(out), ASKED_AT_ONCE):
        part = np.arange(begin, min(begin + ASKED_AT_ONCE, len(out)))
        upto = np.cumsum(chances(part), axis=1)
        # A class without any chance is never reached: its step has no width.
        out[part] = (upto <= (u[part] * upto[:, -1])[:, None]).sum(axis=1)
    return out
