"""What a measure is: one question about an original table and a release of it, answered by one number.

A measure holds parameters only. It gets both tables in one coding and a context with all else that is known; where
its question has no answer it gives a reason instead of a number, and it never gives NaN.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from hushwood.engines.protocol import PreparedStep
from hushwood.measures.grown import Grown
from hushwood.random_streams import Streams
from hushwood.tables.generalised import Generalised
from hushwood.tables.table import Table
from hushwood.tables.taxonomies import Taxonomy

Direction = Literal["higher", "lower"]
Side = Literal["utility", "risk"]


@dataclass(frozen=True, slots=True)
class Measurement:
    """An answer: one finite number, what stands behind it as plain data, and numbers of single records.

    `records` holds one array per name, in the order of the original's rows (NaN: no number). It never enters the
    evaluation document; it goes to the private file of per-record risk.
    """

    value: float
    details: Mapping[str, Any] = field(default_factory=dict)
    records: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NotComputable:
    """Why a measure has no answer for these two tables, as a sentence."""

    reason: str


@dataclass(frozen=True)
class Context:
    """What is known beside the two tables.

    `partner[i]` is the released row made from the original's row i (-1: it was dropped), None if rows are not
    paired. `steps` hold the noise laws, and `segment_ids` the segment of every original row, when the release is
    our own. `holdout` are people who were never in the table. With `value_only` only the one number is wanted.
    """

    streams: Streams
    original_grown: Grown
    released_grown: Grown
    partner: NDArray[np.int64] | None = None
    segment_ids: NDArray[np.int32] | None = None
    steps: tuple[PreparedStep, ...] = ()
    holdout: Table | None = None
    generalised: Mapping[str, Generalised] = field(default_factory=dict)
    taxonomies: Mapping[str, Taxonomy] = field(default_factory=dict)
    threads: int = 1
    value_only: bool = False

    def paired_rows(self) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """Original rows that have a partner, and the partners; None if rows are not paired."""
        if self.partner is None:
            return None
        rows = np.flatnonzero(self.partner >= 0)
        return rows, self.partner[rows]

    def aligned(self, original: Table, released: Table) -> tuple[Table, Table] | None:
        """Both tables with partners in the same rows, without a copy where they are so already; None if unpaired."""
        pairs = self.paired_rows()
        if pairs is None:
            return None
        rows, partners = pairs
        if len(rows) == original.rows == released.rows and np.array_equal(rows, partners):
            return original, released
        return original.take(rows), released.take(partners)


class Measure(Protocol):
    """One question about a release, with its parameters."""

    @property
    def name(self) -> str:
        """Its name in the evaluation document."""

    @property
    def question(self) -> str:
        """The question that it answers, for people."""

    @property
    def side(self) -> Side:
        """Whether it speaks of what miners keep or of what an intruder learns."""

    @property
    def better(self) -> Direction:
        """Which way is good for the release."""

    @property
    def bounds(self) -> tuple[float | None, float | None]:
        """Smallest and largest possible value; None where there is no limit."""

    @property
    def best(self) -> float | None:
        """What a utility measure gives for a table and itself; None if that depends on the table."""

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Answer the question."""


NOT_PAIRED = NotComputable(
    "The release's rows are not paired with the original's, and this measure compares each record with its own."
)
