"""Released cells that stand for several original values: "20-30", "[20, 30)", ">= 50", "{a, b}", "*".

Measures of generalisation use what a cell stands for; all others use one value inside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import polars as pl

from hushwood.arrays import Codes, Flags, Floats, Integers
from hushwood.tables.frames.storage import as_numbers
from hushwood.tables.recoding.taxonomies import Taxonomy, leaves_under
from hushwood.tables.recoding.texts import MISSING, Interval, read_interval, read_moments, stands_for_anything
from hushwood.tables.schema import Attribute

_IN_BRACES = re.compile(r"[{\[(](.*)[})\]]", re.DOTALL)
_MASKED = re.compile(r"([^*]+)(\*+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Generalised:
    """What the cells of one released column stand for.

    In a numeric column, `low` and `high` bound the value of every released row (NaN where missing). In a categorical
    one, `covers[code, category]` says whether the released code (an index of the common categories) stands for the
    original's category. `suppressed` marks the rows that could be anything.
    """

    suppressed: Flags
    low: Floats | None = None
    high: Floats | None = None
    covers: Flags | None = None

    @classmethod
    def of_ends(cls, low: Floats, high: Floats, attribute: Attribute) -> Generalised:
        """Numbers that stand for intervals; one that covers the whole domain is suppressed."""
        if attribute.low is None or attribute.high is None or not attribute.low < attribute.high:
            return cls(np.zeros(len(low), bool), low, high)
        return cls(np.asarray((low <= attribute.low) & (high >= attribute.high)), low, high)

    def take(self, rows: Integers) -> Generalised:
        """The same for some rows."""
        low, high = (None if limit is None else limit[rows] for limit in (self.low, self.high))
        return Generalised(self.suppressed[rows], low, high, self.covers)


@dataclass(frozen=True, slots=True)
class IntervalCells:
    """The cells of a released text column as intervals, one per row (NaN where missing), and one value inside each.

    `strange` is the first text that is not an interval, if any; its rows count as missing.
    """

    values: Floats
    low: Floats
    high: Floats
    suppressed: Flags
    strange: str | None = None


@dataclass(frozen=True, slots=True)
class CategoryCells:
    """What each of some texts stands for: `covers[text, category]`.

    `generalises` marks the texts that are not a category but stand for some, `unknown` those that stand for nothing
    known and cover nothing.
    """

    covers: Flags
    generalises: Flags
    unknown: Flags


def numeric_cells(
    texts: pl.Series,
    low: float,
    high: float,
    taxonomy: Taxonomy | None = None,
    moments: Attribute | None = None,
) -> IntervalCells:
    """Read a released column whose original is numeric, with values from `low` to `high`.

    An empty text is missing; "*" could be anything in the domain; an open interval ends with the domain. The value of a
    cell is the middle of its part inside the domain. Names of groups are looked up in the taxonomy. Where the original
    holds dates or times, `moments` is its attribute.

    >>> import polars as pl
    >>> cells = numeric_cells(pl.Series(["20-30", "<20", "*", None, "23.5"]), 10, 90)
    >>> cells.values.tolist()
    [25.0, 15.0, 50.0, nan, 23.5]
    """
    ends, strange = _ends(texts, _group_intervals(taxonomy), moments)
    anything = np.asarray(np.isinf(ends).all(axis=1))
    bounds = np.where(np.isinf(ends), _domain_ends(ends, low, high), ends)
    return IntervalCells(_inside(bounds, low, high), bounds[:, 0], bounds[:, 1], anything, strange)


def category_cells(
    texts: Iterable[str],
    categories: Sequence[str],
    taxonomy: Taxonomy | None = None,
    labels: Mapping[str, Sequence[str]] | None = None,
) -> CategoryCells:
    """What each text stands for among the categories: itself, a set, a masked tail, a group of the taxonomy, or "*".

    `labels` is the key of a release: the categories that its labels stand for.

    >>> cells = category_cells(["a", "{a, b}", "*", "x"], ["a", "b", "c"])
    >>> cells.covers.sum(axis=1).tolist(), cells.unknown.tolist()
    ([1, 2, 3, 0], [False, False, False, True])
    """
    reader = CategoryReader.of(categories, taxonomy, labels)
    texts = list(texts)
    covers = np.zeros((len(texts), len(categories)), bool)
    for row, text in enumerate(texts):
        covers[row, reader.read(text)] = True
    plain = np.array([text in reader.place for text in texts], bool)
    anything = np.array([stands_for_anything(text.strip()) for text in texts], bool)
    something = covers.any(axis=1) | anything
    return CategoryCells(covers, something & ~plain, ~something)


def _ends(
    texts: pl.Series, groups: Mapping[str, Interval], moments: Attribute | None
) -> tuple[Floats, str | None]:
    """Both ends of every row's interval, and the first text that is not one; plain numbers are read in bulk."""
    text = pl.col("text").str.strip_chars()
    frame = texts.cast(pl.String).to_frame("text").select(pl.when(text != "").then(text).alias("text"))
    known = frame.to_series()
    # In a column of dates "2019" is a year.
    numbers = as_numbers(known if moments is None else known.clear(len(known)))
    ends = np.repeat(numbers.cast(pl.Float64).to_numpy()[:, None], 2, axis=1).astype(np.float64)
    odd = known.is_not_null() & numbers.is_null()
    distinct, place = _distinct(known.filter(odd))
    read = read_interval if moments is None else partial(read_moments, attribute=moments)
    found = [read(each) or groups.get(each) for each in distinct]
    intervals = np.array([each or (np.nan, np.nan) for each in found], np.float64).reshape(-1, 2)
    ends[odd.to_numpy()] = intervals[place]
    strange = next((each for each, interval in zip(distinct, found, strict=True) if interval is None), None)
    return ends, strange


def _distinct(texts: pl.Series) -> tuple[list[str], Integers]:
    """The different texts in order of appearance, and the position of every row's among them."""
    distinct = texts.unique(maintain_order=True)
    codes = texts.cast(pl.Enum(distinct)).to_physical()
    return distinct.to_list(), np.asarray(codes.to_numpy(), np.int64)


def _group_intervals(taxonomy: Taxonomy | None) -> dict[str, Interval]:
    """The range of the numbers under every group of a taxonomy over numbers."""
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
    """The middle of every interval's part inside the domain, or of the whole interval if it lies outside."""
    start, end = bounds[:, 0], bounds[:, 1]
    meets = (end >= low) & (start <= high)
    start, end = (np.where(meets & (start < end), np.clip(x, low, high), x) for x in (start, end))
    return middle(start, end)


def middle(low: Floats, high: Floats) -> Floats:
    """The one number that an interval is read as."""
    return np.where(low == high, low, low / 2 + high / 2)


@dataclass(frozen=True, slots=True)
class CategoryReader:
    """Reads a released text as the set of original categories that it stands for."""

    categories: Sequence[str]
    place: Mapping[str, int]
    groups: Mapping[str, Sequence[int]]

    @classmethod
    def of(
        cls,
        categories: Sequence[str],
        taxonomy: Taxonomy | None,
        labels: Mapping[str, Sequence[str]] | None = None,
    ) -> CategoryReader:
        """A reader for these categories; other values of the taxonomy are ignored."""
        place = {category: i for i, category in enumerate(categories)}
        under = {**(leaves_under(taxonomy) if taxonomy else {}), **(labels or {})}
        groups = {node: [place[leaf] for leaf in leaves if leaf in place] for node, leaves in under.items()}
        return cls(categories, place, groups)

    def read(self, text: str) -> Sequence[int]:
        """Positions of the categories that a text stands for; empty if it is unknown."""
        return self._one(text) or self._set(text)

    def _one(self, text: str) -> Sequence[int]:
        """A category, a group, everything, or a text with a masked ending."""
        if text in self.place:
            return [self.place[text]]
        if stands_for_anything(text):
            return range(len(self.categories))
        if text in self.groups:
            return self.groups[text]
        if text.strip() != text:
            return self._one(text.strip())
        found = _MASKED.fullmatch(text)
        return self._masked(found[1], len(text), len(found[2])) if found else []

    def _masked(self, start: str, length: int, stars: int) -> Sequence[int]:
        """Categories that start so; several stars stand for one character each if some category is as long."""
        begin = [i for i, category in enumerate(self.categories) if category.startswith(start)]
        exact = [i for i in begin if len(self.categories[i]) == length]
        return exact if stars > 1 and exact else begin

    def _set(self, text: str) -> Sequence[int]:
        """The union of the parts, if each is known; "missing" may be one part among others."""
        braced = _IN_BRACES.fullmatch(text.strip())
        inside = braced[1] if braced else text
        for separator in ("|", ";", ",") if braced else ("|", ";"):
            texts = [text.strip() for text in inside.split(separator)]
            parts = [self._one(text) for text in texts if text != MISSING or text in self.place]
            if parts and all(parts) and (len(texts) > 1 or braced):
                return sorted({i for part in parts for i in part})
        return []


def labels_to_explain(
    sets: Mapping[str, Sequence[str]], categories: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Of these labels and the categories they stand for, those that a reader of the text alone cannot resolve.

    >>> labels_to_explain({"{a, b}": ["a", "b"], "{a, c and 1 more}": ["a", "b", "c"]}, ["a", "b", "c", "d"])
    {'{a, c and 1 more}': ('a', 'b', 'c')}
    """
    reader = CategoryReader.of(categories, None)
    found: dict[str, tuple[str, ...]] = {}
    for label, values in sets.items():
        if stands_for_anything(label):
            continue
        meant = sorted(reader.place[value] for value in values if value in reader.place)
        if sorted(reader.read(label)) != meant:
            found[label] = tuple(values)
    return found


class Labelled(NamedTuple):
    """Codes of labels, -1 for None, the categories that the codes stand for, and the key of unclear labels."""

    codes: Codes
    categories: tuple[str, ...]
    key: Mapping[str, tuple[str, ...]]


def coded_labels(
    labels: Sequence[str | None], meant: Mapping[str, Sequence[str]], attribute: Attribute
) -> Labelled:
    """Labels that categories become, as codes of the attribute's categories and new ones after them, in order.

    `meant` are the categories that each label stands for.
    """
    known = set(attribute.categories)
    new = sorted({label for label in labels if label is not None and label not in known})
    categories = (*attribute.categories, *new)
    return Labelled(
        codes_among(labels, categories), categories, labels_to_explain(meant, attribute.categories)
    )


def codes_among(labels: Sequence[str | None], categories: Sequence[str]) -> Codes:
    """The place of every label among the categories, -1 for None."""
    place: dict[str | None, int] = {category: i for i, category in enumerate(categories)}
    place[None] = -1
    return np.array([place[label] for label in labels], np.int32)
