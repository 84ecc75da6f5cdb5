"""What all syntheses share: the header, the perturber, and a law that says what little is certain."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Flags, Floats
from hushwood.parameters import AtLeast
from hushwood.random_streams import Rows, Streams
from hushwood.segments.segments import Segments
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table, missing_values
from hushwood.techniques.blurring.blur import common_at
from hushwood.techniques.laws.promises import Promise
from hushwood.techniques.protocol import Columns, Law, LearntOn, RowOrder, Target, Technique
from hushwood.techniques.sequential.teacher import Teacher
from hushwood.techniques.synthesis.source import Source

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
    def records(self, source: Source) -> dict[str, Array]:
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
    source: Source | None = None
    stuck: dict[str, int] = field(default_factory=dict, repr=False, compare=False)
    whole_column: ClassVar[bool] = True

    def covers(self, attribute: str) -> Flags | None:
        return None

    def law(self) -> SynthesisLaw:
        return SynthesisLaw(self.technique, self.attributes, self.schema)

    def learnt(self, columns: Columns, row_ids: Rows, streams: Streams) -> SynthesisPerturber:
        """Learn the model; a few records are drawn, so that all of it is there."""
        source = Source.of(self.schema, self.attributes, columns, row_ids, streams, self.technique.acronym)
        self.technique.records(source.filling(row_ids[:_FEW]))
        return replace(self, source=source)

    def perturb(self, columns: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """New columns for all records; those that do not vary are copied."""
        technique = self.technique
        if self.source is None:
            source = Source.of(self.schema, self.attributes, columns, row_ids, streams, technique.acronym)
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
