"""What counting alone says about a release: its columns and segments, and who stands out.

Histograms of each column are in `distributions`, the counting measures in `measures/risk`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Array
from hushwood.evaluation.plain_data import INLINED, OPTIONAL, Key
from hushwood.measures.publishing import SMALL
from hushwood.tables.generalised.texts import named_in
from hushwood.tables.schema import Attribute, Kind, Role
from hushwood.tables.table import Table, missing_values

_SIZE_STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class NumericDomain:
    """Lowest and highest value of a numeric column, and its decimals (None: full precision).

    `rounded` domains are those that outsiders are shown.
    """

    low: float | None
    high: float | None
    precision: int | None
    rounded: Annotated[bool, OPTIONAL] = False


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """A column of the original: what it was taken for, its domain or number of categories, and its missing values.

    A count of None, here and below, is withheld from outsiders because it is small.
    """

    name: str
    kind: Kind
    role: Role
    storage: str
    missing: int | None
    domain: Annotated[NumericDomain | None, INLINED] = None
    categories: Annotated[int | None, OPTIONAL] = None


@dataclass(frozen=True, slots=True)
class SizeBand:
    """The segments of `low` to `high` records (None: and more), and the records in them."""

    low: Annotated[int, Key("from")]
    high: Annotated[int | None, Key("to")]
    segments: int | None
    records: int | None


@dataclass(frozen=True, slots=True)
class SegmentFacts:
    """How many segments there are and how large; `alone` and `below_small` count records in the smallest ones."""

    count: int | None
    alone: int | None
    below_small: int | None
    small: int
    median: float | None
    smallest: int | None
    largest: int | None
    sizes: tuple[SizeBand, ...]


@dataclass(frozen=True, slots=True)
class RareCategory:
    """A category that few records have, and how many of these records kept it."""

    category: str
    records: int
    unchanged: int


@dataclass(frozen=True, slots=True)
class RareColumn:
    """The rare categories of one column."""

    column: str
    count: int | None
    records: int | None
    unchanged: int | None
    categories: tuple[RareCategory, ...]


@dataclass(frozen=True, slots=True)
class RareCategories:
    """The rare categories of all columns."""

    count: int | None
    records: int | None
    unchanged: int | None
    columns: tuple[RareColumn, ...]


@dataclass(frozen=True, slots=True)
class Extreme:
    """A lowest or highest value that a single record has, and whether that record still has it."""

    column: str
    end: Literal["lowest", "highest"]
    value: float
    unchanged: bool


@dataclass(frozen=True, slots=True)
class UniqueExtremes:
    """All extremes that a single record has."""

    count: int | None
    unchanged: int | None
    values: tuple[Extreme, ...]


def column_facts(table: Table) -> tuple[ColumnFacts, ...]:
    """Every column of a table."""
    return tuple(_column_facts(table, attribute) for attribute in table.schema.attributes)


def segment_facts(segment_ids: NDArray[np.integer]) -> SegmentFacts:
    """The number and sizes of the segments."""
    sizes = np.unique(segment_ids, return_counts=True)[1]
    if not len(sizes):
        return SegmentFacts(0, 0, 0, SMALL, 0, 0, 0, ())
    limits = np.array(_size_limits(int(sizes.max())))
    band = np.searchsorted(limits, sizes, side="right") - 1
    segments = np.bincount(band, minlength=len(limits))
    records = np.bincount(band, weights=sizes, minlength=len(limits))
    uppers = [*(limits[1:] - 1).tolist(), None]
    return SegmentFacts(
        count=len(sizes),
        alone=int((sizes == 1).sum()),
        below_small=int(sizes[sizes < SMALL].sum()),
        small=SMALL,
        median=float(np.median(sizes)),
        smallest=int(sizes.min()),
        largest=int(sizes.max()),
        sizes=tuple(
            SizeBand(int(low), high, int(s), int(r))
            for low, high, s, r in zip(limits, uppers, segments, records, strict=True)
        ),
    )


def rare_categories(original: Table, released: Table) -> RareCategories:
    """The categories with fewer than five records, and how many of these records kept theirs."""
    # The values of a class that is cut into groups are numbers, not categories.
    attributes = [a for a in _attributes(original, "categorical") if not a.bins]
    columns = [_rare_in_column(a, original.columns[a.name], released.columns[a.name]) for a in attributes]
    categories = [category for column in columns for category in column.categories]
    return RareCategories(
        len(categories),
        sum(category.records for category in categories),
        sum(category.unchanged for category in categories),
        tuple(column for column in columns if column.categories),
    )


def unreleased_categories(original: Table, released: Table) -> dict[str, tuple[str, ...]]:
    """The categories of each column that no released value names, alone or in a group."""
    found: dict[str, tuple[str, ...]] = {}
    for attribute in _attributes(original, "categorical"):
        codes = released.columns[attribute.name]
        texts = (released.schema[attribute.name].categories[code] for code in np.unique(codes[codes >= 0]))
        named = {name for text in texts for name in named_in(text)}
        gone = tuple(name for name in attribute.categories if name not in named)
        found |= {attribute.name: gone} if gone and not attribute.bins else {}
    return found


def unique_extremes(original: Table, released: Table) -> UniqueExtremes:
    """The lowest and highest values that a single record has."""
    values: list[Extreme] = []
    for attribute in _attributes(original, "numeric"):
        before, after = original.columns[attribute.name], released.columns[attribute.name]
        if not np.isfinite(before).any():
            continue
        ends: tuple[tuple[Literal["lowest", "highest"], float], ...] = (
            ("lowest", np.nanmin(before)),
            ("highest", np.nanmax(before)),
        )
        for end, value in ends:
            holders = np.flatnonzero(before == value)
            if len(holders) == 1:
                values.append(Extreme(attribute.name, end, float(value), bool(after[holders[0]] == value)))
    return UniqueExtremes(len(values), sum(extreme.unchanged for extreme in values), tuple(values))


def _column_facts(table: Table, attribute: Attribute) -> ColumnFacts:
    numeric, known = attribute.kind == "numeric", not attribute.carried
    return ColumnFacts(
        attribute.name,
        attribute.kind,
        attribute.role,
        attribute.storage,
        _missing(table, attribute),
        NumericDomain(attribute.low, attribute.high, attribute.precision) if known and numeric else None,
        len(attribute.categories) if known and not numeric else None,
    )


def _missing(table: Table, attribute: Attribute) -> int:
    if attribute.name in table.columns:
        return int(missing_values(table.columns[attribute.name]).sum())
    if attribute.name in table.carried.columns:
        return int(table.carried[attribute.name].null_count())
    return 0


def _attributes(table: Table, kind: str) -> list[Attribute]:
    return [a for a in table.schema.kept if a.kind == kind]


def _rare_in_column(attribute: Attribute, before: Array, after: Array) -> RareColumn:
    size = len(attribute.categories)
    present = before >= 0
    records = np.bincount(before[present], minlength=size)
    kept = np.bincount(before[present & (before == after)], minlength=size)
    rare = np.flatnonzero((records > 0) & (records < SMALL))
    return RareColumn(
        attribute.name,
        len(rare),
        int(records[rare].sum()),
        int(kept[rare].sum()),
        tuple(RareCategory(attribute.categories[i], int(records[i]), int(kept[i])) for i in rare),
    )


def _size_limits(largest: int) -> list[int]:
    limits = [step * 10**power for power in range(len(str(largest)) + 1) for step in _SIZE_STEPS]
    return [limit for limit in limits if limit <= largest]
