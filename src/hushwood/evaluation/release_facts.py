"""What counting alone says about a release: its columns and segments, who stands out, and what was lost on the way.

Histograms of each column are in `distributions`, the counting measures in `measures/risk`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Array, Floats, Integers
from hushwood.evaluation.plain_data import INLINED, OPTIONAL, Key
from hushwood.measures.columns.column_losses import column_loss
from hushwood.measures.publishing import SMALL
from hushwood.releasing.fitted import PreparedStep
from hushwood.tables.recoding.cells import Generalised
from hushwood.tables.recoding.preparation import CoarseColumns
from hushwood.tables.recoding.recodings import CategoryGroups, Recoding
from hushwood.tables.recoding.texts import named_in
from hushwood.tables.schema import Attribute, Kind, Role
from hushwood.tables.table import Table, missing_values
from hushwood.techniques.together.fallbacks import WAY_DESCRIPTIONS
from hushwood.techniques.together.group_perturber import GroupPerturber

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


@dataclass(frozen=True, slots=True)
class DrawnWay:
    """One way to draw numbers together, and the segments and records it was used for."""

    way: str
    segments: int | None
    records: int | None

    @property
    def description(self) -> str:
        """The way in words."""
        return WAY_DESCRIPTIONS.get(self.way, self.way)


@dataclass(frozen=True, slots=True)
class ErrorSummary:
    """The largest error of all segments (None: withheld from outsiders) and the mean over records."""

    largest: float | None
    mean: float


@dataclass(frozen=True, slots=True)
class DrawnTogether:
    """Columns whose numbers were drawn together, how, and the errors of their segments' moments.

    An error is None if no segment has two records with different numbers.
    """

    columns: tuple[str, ...]
    technique: str
    within: str
    ways: tuple[DrawnWay, ...]
    mean_error: ErrorSummary | None
    covariance_error: ErrorSummary | None


def drawn_together(
    original: Table,
    released: Table,
    steps: Sequence[PreparedStep],
    ways: Mapping[str, tuple[int, int]],
) -> DrawnTogether | None:
    """How numbers were drawn together; None if they were not.

    The errors are those of segments of two records and more: means in standard deviations of the segment,
    covariances in products of two such deviations; the largest of all, and the mean over records.
    """
    for step in steps:
        perturber = step.perturber
        # Of linked columns, distances are drawn together, which neither table holds.
        own = original.columns.keys() >= set(perturber.attributes)
        if isinstance(perturber, GroupPerturber) and perturber.attributes and own:
            before, after = (perturber.group.numbers(table.columns) for table in (original, released))
            cell = perturber.cells.of(step.segment_ids, before)
            return DrawnTogether(
                tuple(perturber.attributes),
                perturber.purpose.lower(),
                perturber.cells.within,
                tuple(DrawnWay(way, segments, records) for way, (segments, records) in ways.items()),
                *_errors(before, after, cell, perturber.cells.count),
            )
    return None


def _errors(
    before: Floats, after: Floats, cell: Integers, cells: int
) -> tuple[ErrorSummary | None, ErrorSummary | None]:
    from hushwood.techniques.kernels.numbers import cell_moments

    sizes = np.bincount(cell, minlength=cells)
    scale = np.where(np.isnan(before).all(axis=0), 1.0, np.nanmax(np.abs(np.nan_to_num(before)), axis=0))
    scale = np.where(scale > 0, scale, 1.0)
    old, new = (cell_moments(np.nan_to_num(m / scale), cell, cells) for m in (before, after))
    spread = np.sqrt(np.diagonal(old[1], axis1=1, axis2=2))
    varies = (spread > 0) & (sizes >= 2)[:, None]
    unit = np.where(varies, spread, 1.0)
    means = np.where(varies, np.abs(new[0] - old[0]) / unit, 0.0).max(axis=1, initial=0.0)
    both = varies[:, :, None] & varies[:, None, :]
    change = np.abs(new[1] - old[1]) / (unit[:, :, None] * unit[:, None, :])
    covariances = np.where(both, change, 0.0).max(axis=(1, 2), initial=0.0)
    weights = np.where(varies.any(axis=1), sizes, 0)
    return _summary(means, weights), _summary(covariances, weights)


def _summary(errors: Floats, weights: Integers) -> ErrorSummary | None:
    if not weights.sum():
        return None
    return ErrorSummary(float(errors.max()), float((errors * weights).sum() / weights.sum()))


@dataclass(frozen=True, slots=True)
class CoarsenedColumn:
    """A column that was coarsened: how, the share of its known values that became others, and the loss LM of its cells.

    `moved` is the root of the mean squared distance by which numbers moved, in standard deviations of the column; None
    for categories, and for numbers that are all the same.
    """

    column: str
    says: str
    changed: float
    loss: float
    moved: float | None = None


def coarsening_facts(coarse: CoarseColumns, original: Table) -> tuple[CoarsenedColumn, ...]:
    """What coarsening takes from every column of the table as it was read."""
    return tuple(
        _coarsened(name, coarse.says(name), how, original.schema[name], original.columns[name])
        for name, how in coarse.recodings.items()
    )


def _coarsened(name: str, says: str, how: Recoding, attribute: Attribute, values: Array) -> CoarsenedColumn:
    known = values[~missing_values(values)]
    codes, moved = np.asarray(how.recode(known)), None
    if isinstance(how, CategoryGroups):
        covers = np.array(how.code_of[:-1])[None, :] == np.arange(len(how.categories))[:, None]
        cells = Generalised(np.zeros(len(known), bool), covers=covers)
    else:
        cells, moved = Generalised.of_ends(*how.ends(known), attribute), _moved(known, codes)
    changed = np.count_nonzero(codes != known) / len(known) if len(known) else 0.0
    return CoarsenedColumn(name, says, changed, column_loss(attribute, known, codes, cells).lm, moved)


def _moved(before: Array, after: Array) -> float | None:
    spread = float(before.std()) if len(before) else 0.0
    return float(np.sqrt(np.mean((after - before) ** 2)) / spread) if spread > 0 else None
