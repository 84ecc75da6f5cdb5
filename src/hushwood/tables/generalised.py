"""Released cells that stand for several original values: "20-30", "[20, 30)", ">= 50", "{a, b}", "*".

`common_coding` finds them in a release; measures of generalisation read them, all others use one value inside. How
one text is read is in `interval_texts` and `category_texts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.categories import as_numbers
from hushwood.tables.category_texts import CategoryReader
from hushwood.tables.interval_texts import Interval, read_interval, stands_for_anything
from hushwood.tables.taxonomies import Taxonomy

if TYPE_CHECKING:
    import polars as pl

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Generalised:
    """What the cells of one released column stand for.

    Of a numeric column, `low` and `high` bound the value of every released row (NaN where missing). Of a
    categorical one, `covers[code, category]` says whether the released code (an index of the common categories)
    stands for the original's category. `suppressed` marks the rows that could be anything.
    """

    suppressed: Flags
    low: Floats | None = None
    high: Floats | None = None
    covers: Flags | None = None


@dataclass(frozen=True, slots=True)
class NumericCells:
    """The cells of a released text column as intervals, one per row (NaN where missing), and one value inside each.

    `strange` is the first text that is no interval, if there is one; its rows then count as missing.
    """

    values: Floats
    low: Floats
    high: Floats
    suppressed: Flags
    strange: str | None = None


@dataclass(frozen=True, slots=True)
class CategoryCells:
    """What each of some texts stands for: `covers[text, category]`.

    `generalises` marks the texts that are none of the categories but stand for some of them, `unknown` those that
    stand for nothing known; those cover nothing.
    """

    covers: Flags
    generalises: Flags
    unknown: Flags


def numeric_cells(
    texts: pl.Series, low: float, high: float, taxonomy: Taxonomy | None = None
) -> NumericCells:
    """Read a released column whose original is numeric, with values from `low` to `high`.

    An empty text is missing; "*" could be anything in the domain; an open end ends with the domain. The value of a
    cell is the middle of its part inside the domain. Names of groups are looked up in the taxonomy.

    >>> import polars as pl
    >>> cells = numeric_cells(pl.Series(["20-30", "<20", "*", None, "23.5"]), 10, 90)
    >>> cells.values.tolist()
    [25.0, 15.0, 50.0, nan, 23.5]
    """
    ends, strange = _ends(texts, _group_intervals(taxonomy))
    anything = np.asarray(np.isinf(ends).all(axis=1))
    bounds = np.where(np.isinf(ends), _domain_ends(ends, low, high), ends)
    return NumericCells(_inside(bounds, low, high), bounds[:, 0], bounds[:, 1], anything, strange)


def category_cells(
    texts: Iterable[str], categories: Sequence[str], taxonomy: Taxonomy | None = None
) -> CategoryCells:
    """What each text stands for among the categories: itself, a set, a masked tail, a group of the taxonomy, or "*".

    >>> cells = category_cells(["a", "{a, b}", "*", "x"], ["a", "b", "c"])
    >>> cells.covers.sum(axis=1).tolist(), cells.unknown.tolist()
    ([1, 2, 3, 0], [False, False, False, True])
    """
    reader = CategoryReader.of(categories, taxonomy)
    known = set(categories)
    given = list(texts)
    covers = np.zeros((len(given), len(categories)), bool)
    for row, text in enumerate(given):
        covers[row, reader.read(text)] = True
    plain = np.array([text in known for text in given], bool)
    anything = np.array([stands_for_anything(text.strip()) for text in given], bool)
    something = covers.any(axis=1) | anything
    return CategoryCells(covers, something & ~plain, ~something)


def _ends(texts: pl.Series, groups: Mapping[str, Interval]) -> tuple[Floats, str | None]:
    """Both ends of every row's interval, and the first text that has none; plain numbers are read all at once."""
    import polars as pl

    text = pl.col("text").str.strip_chars()
    frame = texts.cast(pl.String).to_frame("text").select(pl.when(text != "").then(text).alias("text"))
    known = frame.to_series()
    numbers = as_numbers(known)
    ends = np.repeat(numbers.cast(pl.Float64).to_numpy()[:, None], 2, axis=1).astype(np.float64)
    odd = known.is_not_null() & numbers.is_null()
    distinct, place = _distinct(known.filter(odd))
    found = [read_interval(each) or groups.get(each) for each in distinct]
    intervals = np.array([each or (np.nan, np.nan) for each in found], np.float64).reshape(-1, 2)
    ends[odd.to_numpy()] = intervals[place]
    strange = next((each for each, interval in zip(distinct, found, strict=True) if interval is None), None)
    return ends, strange


def _distinct(texts: pl.Series) -> tuple[list[str], NDArray[np.int64]]:
    """The different texts in their order, and the place of every row's among them."""
    import polars as pl

    distinct = texts.unique(maintain_order=True)
    codes = texts.cast(pl.Enum(distinct)).to_physical()
    return distinct.to_list(), np.asarray(codes.to_numpy(), np.int64)


def _group_intervals(taxonomy: Taxonomy | None) -> dict[str, Interval]:
    """From the smallest to the largest number under every group of a taxonomy over numbers."""
    found: dict[str, Interval] = {}
    for value, way in (taxonomy.levels if taxonomy else {}).items():
        own = read_interval(value)
        if own is None:
            continue
        for group in way[1:]:
            low, high = found.get(group, own)
            found[group] = (min(low, own[0]), max(high, own[1]))
    return found


def _domain_ends(ends: Floats, low: float, high: float) -> Floats:
    """The domain's ends, moved outwards where the other end of an interval lies outside."""
    known = np.where(np.isinf(ends[:, ::-1]), [high, low], ends[:, ::-1])
    return np.column_stack([np.minimum(known[:, 0], low), np.maximum(known[:, 1], high)])


def _inside(bounds: Floats, low: float, high: float) -> Floats:
    """The middle of every interval's part inside the domain, or of the whole interval if it has none."""
    start, end = bounds[:, 0], bounds[:, 1]
    meets = (end >= low) & (start <= high)
    start, end = (np.where(meets & (start < end), np.clip(x, low, high), x) for x in (start, end))
    return np.where(start == end, start, start / 2 + end / 2)
