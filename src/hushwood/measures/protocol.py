"""What a measure is: one question about an original table and a release of it, answered by one number.

A measure gets both tables in one coding and a context with everything else that is known. Where its question has no
answer it gives a reason instead of a number, never NaN. Some can be taken in batches, counted of some records at a time
and put together in any order, so that they give the number of all records of a table too long for memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self, runtime_checkable

import numpy as np

from hushwood.arrays import Codes, Floats, Integers
from hushwood.detail_tables import DetailTable
from hushwood.measures.publishing import published, safe_count, two_digits
from hushwood.random_streams import Streams
from hushwood.releasing.fitted import PreparedStep
from hushwood.tables.recoding.cells import Generalised
from hushwood.tables.recoding.taxonomies import Taxonomy
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table

if TYPE_CHECKING:
    from hushwood.measures.models.grown import Grown

Direction = Literal["higher", "lower"]
Side = Literal["utility", "risk"]  # what miners keep, or what an intruder learns
Unit = Literal["share", "bits", "records", "deviations", "number"]
Mark = Literal["good", "care", "bad"]
# On a sample of a large table; on all its records, which is cheap; or with all records of pure noise and the untouched
# table as well, because how many records are alike depends on how many there are.
JudgedOn = Literal["sample", "records", "groups"]
# The table as a whole; each declared class; or what trees predict, which in a table without a class are other columns.
About = Literal["table", "class", "rules"]
Bounds = tuple[float | None, float | None]
Details = Mapping[str, Any]  # plain data that only the measure itself reads


@dataclass(frozen=True, slots=True)
class Measurement:
    """An answer: one finite number, the details behind it as plain data, and numbers of single records.

    `records` holds one array per name, in the order of the original's rows (NaN: no number). They go to the private
    file of per-record risk, never into the evaluation document.
    """

    value: float
    details: Details = field(default_factory=dict)
    records: Mapping[str, Floats] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NotComputable:
    """Why a measure has no answer for these two tables, as a sentence."""

    reason: str


@dataclass(frozen=True)
class Context:
    """What is known in addition to the two tables.

    `partner[i]` is the released row made from the original's row i (-1: it was dropped), None if rows are not
    paired. `steps` hold the noise laws, and `segment_ids` the segment of every original row, when the release is
    our own. `holdout` are people who were never in the table. With `value_only` no details are wanted. In a release
    that is `made_up` no record stands for one person. `shared` is where measures leave what others may need too.

    `generalised` is what released cells say that they stand for: "20-30" or "{a, b}". `stands_for` is what released
    numbers are known to stand for, such as the mean of a group for its range: who gets the release does not see it.
    """

    streams: Streams
    original_grown: Grown
    released_grown: Grown
    partner: Integers | None = None
    segment_ids: Codes | None = None
    steps: tuple[PreparedStep, ...] = ()
    holdout: Table | None = None
    generalised: Mapping[str, Generalised] = field(default_factory=dict)
    stands_for: Mapping[str, Generalised] = field(default_factory=dict)
    taxonomies: Mapping[str, Taxonomy] = field(default_factory=dict)
    threads: int = 1
    value_only: bool = False
    made_up: bool = False
    shared: dict[str, object] = field(default_factory=dict, repr=False, compare=False)

    @property
    def why_unpaired(self) -> NotComputable:
        """What a measure answers that compares each record with its own, where rows are not paired."""
        return MADE_UP if self.made_up else NOT_PAIRED

    def cells_of(self, column: str) -> Generalised | None:
        """What the cells of a column stand for, shown or not."""
        return self.stands_for.get(column) or self.generalised.get(column)

    def paired_rows(self) -> tuple[Integers, Integers] | None:
        """Original rows that have a partner, and the partners; None if rows are not paired."""
        if self.partner is None:
            return None
        rows = np.flatnonzero(self.partner >= 0)
        return rows, self.partner[rows]

    def aligned(self, original: Table, released: Table) -> tuple[Table, Table] | None:
        """Both tables with partners in the same rows, not copied if they already are; None if rows are not paired."""
        pairs = self.paired_rows()
        if pairs is None:
            return None
        rows, partners = pairs
        if len(rows) == original.rows == released.rows and np.array_equal(rows, partners):
            return original, released
        return original.take(rows), released.take(partners)

    def nothing_to_learn(self) -> NotComputable | None:
        """Why no rules can be learnt from one of the tables; None if they can."""
        for name, grown in (("original", self.original_grown), ("released", self.released_grown)):
            if not grown.training.attributes:
                return NotComputable("There is no attribute except the class that a rule could test.")
            if not grown.training.records:
                return NotComputable(
                    f"No record of the {name} table has a class, so nothing can be learnt from it."
                )
        return None


class Measure(Protocol):
    """One question about a release, with its parameters, and all that reports say about the answer.

    Measures derive from this class and state what differs from the defaults.
    """

    name: str  # in the evaluation document
    title: str
    question: str
    meaning: str  # what the number says; "{like}" stands for 2 to the power of the number
    side: Side
    unit: Unit
    better: Direction
    bounds: Bounds  # smallest and largest possible number; None where there is no limit
    best: float | None = None  # of a table and itself; None if that depends on the table
    headline: int | None = None  # its place among the headlines of its side, if it has one
    # Whether it can be called good or bad by its place between pure noise and the untouched table. Not if neither is
    # the good end, or if the two hardly differ.
    marked: bool = True
    own_section: bool = False  # whether the report has a section about it instead of a card
    judged_on: JudgedOn = "sample"
    about: About = "table"  # what it is asked about, once for each
    quick: bool = True  # whether it belongs to quick evidence
    quick_settings: Mapping[str, Any] = {}  # its parameters there
    brief: bool = False  # whether it gives its number only there
    # Whether random groups of a sample show how far its number may be from that of the table: if it is cheap, and does
    # not depend on how many records there are.
    by_groups: bool = False
    of_weights: bool = False  # whether it is only asked where records have survey weights
    yardstick: bool = False  # whether it counts in the one number for utility by which releases are compared
    declared: type | None = (
        None  # the typed dictionary of its details, with a mark for what outsiders may see
    )

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Answer the question."""

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """What stands behind the number; none if the details are not there, as in quick or published evidence."""
        return ()

    def remarks(self, details: Details) -> str:
        """Sentences that follow the meaning on its card."""
        return ""

    def headline_remarks(self, details: Details) -> str:
        """Sentences that follow the headline."""
        return ""

    def tone(self, details: Details) -> Mark | None:
        """Its own judgement of the answer, in place of that by pure noise and the untouched table."""
        return None

    def says_nothing(self, details: Details) -> str:
        """Why the number does not tell whether anything was kept, as a sentence; empty if it does."""
        return ""

    def floor(self, details: Details) -> float | None:
        """The number of a release that keeps nothing, where pure noise would have a worse one."""
        return None

    def advises(self, details: Details) -> Mapping[str, Mapping[str, str]]:
        """Options of a release that would mend what it found, with a value for each column."""
        return {}

    def publishable(
        self, value: float | None, details: Details, records: int
    ) -> tuple[float | None, dict[str, Any]]:
        """The number and the details that outsiders may see."""
        return self.rounded(value, records), self.publishable_details(details) if details else {}

    def publishable_details(self, details: Details) -> dict[str, Any]:
        """The details that outsiders may see, rounded."""
        return published(self.declared, details) if self.declared else {}

    def rounded(self, value: float | None, records: int) -> float | None:
        """The number as outsiders may see it; None if it counts one to four records."""
        if value is None:
            return None
        match self.unit:
            case "records":
                return safe_count(value)
            case "bits":
                return round(value, 1)
            case "share":
                return round(value, 2)
        return two_digits(value)


MADE_UP = NotComputable("No released record stands for one person, so nobody's own record can be compared.")
NOT_PAIRED = NotComputable(
    "The release's rows are not paired with the original's, and this measure compares each record with its own."
)


class Tally(Protocol):
    """What a measure has counted so far; both tables have one coding."""

    def add(self, original: Table, released: Table, segment_ids: Codes | None = None) -> None:
        """Count more records, with the segment of each where that is known."""

    def merge(self, other: Self) -> None:
        """Add what another tally has counted."""

    def finish(self) -> Measurement | NotComputable | None:
        """The answer, with the details that can be counted; None if the table has too many different values."""


@runtime_checkable
class Mergeable(Protocol):
    """A measure that can be taken in batches."""

    # Whether row i of both tables must be the same record; if not, any rows may come together in a batch.
    of_pairs: bool

    def tally(self, schema: Schema) -> Tally:
        """Begin to count records of this schema."""


def of_all_records(sampled: Measurement, exact: Measurement) -> Measurement:
    """The answer of a sample with all that was counted of the whole table in its place.

    Details that cannot be counted in batches remain those of the sample.
    """
    return replace(sampled, value=exact.value, details=_laid_over(sampled.details, exact.details))


def _laid_over(under: Any, over: Any) -> Any:
    """Details over others of the same form; rows of a list that name the same column are put together, too."""
    if isinstance(under, Mapping) and isinstance(over, Mapping):
        return {**under, **{key: _laid_over(under.get(key), value) for key, value in over.items()}}
    if (
        isinstance(under, list)
        and isinstance(over, list)
        and _columns(under)
        and _columns(under) == _columns(over)
    ):
        return [_laid_over(first, second) for first, second in zip(under, over, strict=True)]
    return over


def _columns(rows: list[Any]) -> list[str]:
    return [row["column"] for row in rows if isinstance(row, Mapping) and "column" in row]
