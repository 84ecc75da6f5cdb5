"""What a technique is: it prepares a perturber for some attributes, and the perturber states its own law.

A technique holds parameters only. A perturber is small, can be sent to another process, and works on all segments
of a chunk at once. The law is the exact distribution that the perturber draws from; risk measures read it, and a
contract test compares it with draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, runtime_checkable

from hushwood.arrays import Array, Flags, Floats
from hushwood.parameters import check_parameters
from hushwood.random_streams import Rows, Streams
from hushwood.segments.segments import Segments
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table

if TYPE_CHECKING:
    from hushwood.tables.recoding.texts import Labels
    from hushwood.techniques.laws.forms import Form
    from hushwood.techniques.laws.promises import Promise

Columns = Mapping[str, Array]
Target = Literal["numeric", "categorical", "class", "any"]
Within = Literal["segment", "table"]
# How released records are ordered: as in the table; at random, and only the private part knows how; at random, and
# nobody knows how, because the people were drawn first; or by no order at all. In the last two cases no released record
# stands for an original one.
RowOrder = Literal["kept", "secret", "drawn", "none"]
# What a technique is made ready on: a sample of a long table, after which it can change any of its records; or each
# part of the table whose records it changes together.
LearntOn = Literal["sample", "part"]


class Law(Protocol):
    """The distribution of released values given the original record and its segment."""

    @property
    def dependent(self) -> bool:
        """Whether the draws of different records depend on each other, as in permutations."""
        return False

    @property
    def parts(self) -> tuple[Law, ...]:
        """The independent laws that are put together in it; itself, if it is one."""
        return (self,)

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        """How risk measures can weigh each column; a column that only a fitted kernel can read is not in it."""
        return {}

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """Natural logarithm of the probability (density) of every released record; -inf where impossible."""

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """Draw released values for every record."""

    def described(self) -> dict[str, Any]:
        """The law's parameters as plain data, for plan.json."""


class Perturber(Protocol):
    """A technique made ready for one table."""

    @property
    def attributes(self) -> tuple[str, ...]:
        """The columns it perturbs."""

    @property
    def whole_column(self) -> bool:
        """Whether it must see all records of a part at once (a permutation) instead of any chunk."""

    def covers(self, attribute: str) -> Flags | None:
        """The segments in which it perturbs the attribute; None for all."""

    def perturb(self, columns: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """New values of its attributes for a chunk of original records."""

    def law(self) -> Law:
        """What `perturb` draws from."""


@runtime_checkable
class Relabels(Protocol):
    """A perturber that may release categories which the table did not have."""

    @property
    def categories(self) -> Mapping[str, tuple[str, ...]]:
        """Of such columns, the categories that the released codes stand for; the table's own come first."""


@runtime_checkable
class Generalises(Protocol):
    """A perturber whose released cells stand for several values of the original."""

    @property
    def as_text(self) -> tuple[str, ...]:
        """Columns of numbers that are released as texts, "20-30", and hold a number inside until they are written."""

    @property
    def labels(self) -> Labels:
        """By column, the categories that labels stand for which do not explain themselves."""

    def intervals(self, original: Columns) -> Mapping[str, tuple[Floats, Floats]]:
        """By column of numbers, the ends of what each record's released number stands for; all records, in order."""


@runtime_checkable
class Learns(Protocol):
    """A perturber that learns models under the key before it changes anything."""

    def learnt(self, columns: Columns, row_ids: Rows, streams: Streams) -> Perturber:
        """The same with models of these records: the table, or a sample of it."""


@runtime_checkable
class Blurs(Protocol):
    """A perturber that blurs rare numbers after it has handed them out."""

    @property
    def stuck(self) -> Mapping[str, int]:
        """By column, the rare numbers that had no room to move in the latest draw."""


class Technique(Protocol):
    """One way to hide values, with its parameters.

    A technique is a dataclass that inherits from this protocol, or from a header that several techniques share.
    """

    acronym: ClassVar[str]  # the papers' short name
    perturbs: ClassVar[Target]  # the kind of attribute it is for
    options: ClassVar[Mapping[str, str]] = {}  # field -> the shared option of the command that sets it

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def jointly(self) -> bool:
        """Whether one perturber must draw all its columns together."""
        return False

    @property
    def keeps_segment(self) -> bool:
        """Whether every record stays in its segment; unless stated otherwise, if it works `within` segments."""
        return getattr(self, "within", "table") == "segment"

    @property
    def row_order(self) -> RowOrder:
        """How the records that it releases are ordered."""
        return "kept"

    @property
    def learnt_on(self) -> LearntOn:
        """What it is made ready on where a table is long."""
        return "part"

    @property
    def changes_within(self) -> Within:
        """Whether a record is changed together with others of its segment, or of the table."""
        own: Within = "segment" if self.keeps_segment else "table"
        return getattr(self, "within", own)

    @property
    def hides_all(self) -> bool:
        """Whether it changes every column it is given; one for any kind of column may leave some as they are."""
        return self.perturbs != "any"

    @property
    def smallest_segment(self) -> int | None:
        """The least number of records that a segment must have; None if any number will do."""
        return None

    @property
    def counts_noise(self) -> float | None:
        """The noise of the counts that a segment releases, in units of sampling variance; None if it releases none."""
        promise = self.promise
        return 0.0 if promise.values == "dealt" and promise.within == "segment" else None

    @property
    def promise(self) -> Promise:
        """What the certificate can check of every column it perturbs."""

    def promise_for(self, attribute: Attribute) -> Promise:
        """The same for one column, where not all columns are promised the same."""
        return self.promise

    @property
    def trust(self) -> str:
        """How far to trust a column it has perturbed, for dictionary.md."""

    def says(self) -> str:
        """What happens to a value, in one sentence or two."""

    def says_for(self, attribute: Attribute) -> str:
        """The same for one column, where not all columns are treated alike."""
        return self.says()

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> Perturber:
        """Make a perturber for these attributes."""
