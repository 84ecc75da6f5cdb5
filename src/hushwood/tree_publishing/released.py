"""The released table: every column recoded, with the schema that its new values need, and what these stand for.

Tested columns become the parts that `intervals` found, all others one value; the response stays as it is. What the
values stand for, the owner's plan says of numbers and the manifest of labels; measures of generalisation would
otherwise take every released number for an exact one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hushwood.arrays import Array, Codes, Floats, Integers
from hushwood.random_streams import Streams
from hushwood.tables.frames.storage import TEXT_STORAGES, storable
from hushwood.tables.recoding.cells import Generalised, labels_to_explain
from hushwood.tables.recoding.texts import MISSING
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.tree_publishing.growth import midpoint
from hushwood.tree_publishing.intervals import Recoding, anchored_values, group_labels, shifted_values
from hushwood.tree_publishing.records import Records

if TYPE_CHECKING:
    from hushwood.tree_publishing.publish import Published

# Changing one record makes no released number more than e times as likely or unlikely, if the domain is fixed.
EPSILON = 1.0
# Columns without decimals keep this many digits beyond the first digit of the noise: low-order bits would reveal more.
_FINER = 2
_MISSING = -1
# Columns of these types can hold labels.
_OPEN_STORAGES = TEXT_STORAGES - {"Enum"}
Triples = list[tuple[float, float, float]]


@dataclass(frozen=True, slots=True)
class ReleasedPart:
    """What one released value stands for: numbers above `low` up to `high` (None: no end), or categories.

    `released` is None where missing values stay missing.
    """

    released: float | str | None
    records: int
    low: float | None = None
    high: float | None = None
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """One column: whether a tree tests it, its number of distinct values before and after, and its parts."""

    name: str
    tested: bool
    before: int
    after: int
    parts: tuple[ReleasedPart, ...]


def hidden_mean(known: Floats, attribute: Attribute, streams: Streams) -> float:
    """A number around the mean of the known values; NaN if there are none.

    One record moves the mean by at most width / n. A Laplace law of scale b on a fixed interval changes by at most
    e^(2·shift / b): once for the distance, once for what is cut off. So b = 2·width / (EPSILON·n).
    """
    if not len(known):
        return math.nan
    low = float(known.min()) if attribute.low is None else attribute.low
    high = float(known.max()) if attribute.high is None else attribute.high
    # Halves, and shares of the width, because sums and differences of very large numbers overflow.
    half = high / 2 - low / 2
    if not half > 0:
        return low
    share = float(np.clip(np.mean((known / 2 - low / 2) / half), 0.0, 1.0))
    scale = 2.0 / (EPSILON * len(known))
    word = float(streams.uniform("hidden mean", attribute.name, 0, range(1))[0])
    place = _cut_laplace(word, share, scale)
    drawn = low * (1 - place) + high * place
    if attribute.precision is None:
        drawn = _rounded(drawn, math.log10(half) + math.log10(2 * scale))
    return float(storable(np.array([min(max(drawn, low), high)]), attribute)[0])


def _cut_laplace(uniform: float, middle: float, scale: float) -> float:
    """The quantile of a Laplace law around the middle that is cut off at 0 and 1."""
    below, above = -math.expm1(-middle / scale), -math.expm1(-(1 - middle) / scale)
    at = uniform * (below + above)
    if at < below:
        return max(middle + scale * math.log1p(at - below), 0.0)
    return min(middle - scale * math.log1p(below - at), 1.0)


def _rounded(value: float, power: float) -> float:
    """The value with few digits beyond noise of size 10^power; unchanged where rounding up would overflow."""
    try:
        return round(value, _FINER - math.floor(power))
    except OverflowError:
        return value


@dataclass(frozen=True, slots=True)
class Column:
    """A released column: its attribute, its values, and what they stand for.

    `released_code` is the new code of every original category, in the order of the records' categories.
    """

    attribute: Attribute
    values: Array
    map: ColumnMap
    released_code: Codes | None = None


def released_columns(
    table: Table, records: Records, recodings: Mapping[int, Recoding], anchored: bool, streams: Streams
) -> dict[str, Column]:
    """All columns but the response, recoded."""
    columns: dict[str, Column] = {}
    for a, attribute in enumerate(records.attributes):
        known, recoding = records.values[a], recodings[a]
        if known is None:
            columns[attribute.name] = _values(attribute, table, records.codes[a], recoding, streams)
        else:
            columns[attribute.name] = _numbers(
                attribute, known, records.codes[a], recoding, anchored, streams
            )
    for attribute in table.schema.inputs:
        if attribute.name not in columns:
            columns[attribute.name] = suppressed(attribute, table.columns[attribute.name], streams)
    return columns


def released_table(table: Table, columns: Mapping[str, Column]) -> Table:
    """The table with its columns and their attributes replaced."""
    schema = table.schema
    for column in columns.values():
        schema = schema.with_attribute(column.attribute)
    new = {name: column.values for name, column in columns.items()}
    return table.with_columns(new, schema)


def suppressed(attribute: Attribute, column: Array, streams: Streams) -> Column:
    """A column that no tree tests: a number near its mean or one label for all, also for missing values."""
    rows = len(column)
    if attribute.kind == "categorical":
        present, held = np.unique(column, return_counts=True)
        names = [attribute.categories[code] if code >= 0 else MISSING for code in present.tolist()]
        gone = 0 if present[0] < 0 else None
        return _recoded(attribute, names, gone, np.zeros(rows, np.int64), Recoding.untested(held))
    known = column[~np.isnan(column)]
    value = hidden_mean(known, attribute, streams)
    only = ColumnMap(attribute.name, False, len(np.unique(known)), 1, (ReleasedPart(value, rows),))
    return Column(_bounded(attribute, np.array([value])), np.full(rows, value), only)


def _numbers(
    attribute: Attribute,
    known: Floats,
    ranks: Array,
    recoding: Recoding,
    anchored: bool,
    streams: Streams,
) -> Column:
    found = recoding.intervals
    if found is None:
        return suppressed(attribute, known[ranks], streams)
    if anchored:
        new = anchored_values(found, known)
    else:
        new = shifted_values(found, recoding.boundaries, known, recoding.records, attribute)
    ends = [midpoint(float(known[i]), float(known[i + 1])) for i in found.last[:-1].tolist()]
    held = np.add.reduceat(recoding.records, found.first)
    parts = tuple(
        ReleasedPart(value, count, low, high)
        for value, count, low, high in zip(
            new.tolist(), held.tolist(), [None, *ends], [*ends, None], strict=True
        )
    )
    map_ = ColumnMap(attribute.name, True, len(known), len(new), parts)
    return Column(_bounded(attribute, new), new[recoding.part_of_value][ranks], map_)


def _values(attribute: Attribute, table: Table, codes: Array, recoding: Recoding, streams: Streams) -> Column:
    original = table.schema[attribute.name]
    if not recoding.tested:
        return suppressed(original, table.columns[attribute.name], streams)
    known = len(original.categories)
    gone = known if len(attribute.categories) > known else None
    return _recoded(original, attribute.categories, gone, codes, recoding)


def _recoded(
    attribute: Attribute, names: Sequence[str], gone: int | None, codes: Array, recoding: Recoding
) -> Column:
    """Categories as their groups' labels, `gone` being the place of the missing ones; alone these stay missing.

    Of an untested column only the label is released.
    """
    groups = recoding.part_of_value
    labels, sizes = group_labels(groups, names), np.bincount(groups)
    alone = int(groups[gone]) if gone is not None and sizes[groups[gone]] == 1 else None
    shown = [label for group, label in enumerate(labels) if group != alone]
    vocabulary = tuple(dict.fromkeys([*(attribute.categories if recoding.tested else ()), *shown]))
    code_of_group = [
        _MISSING if group == alone else vocabulary.index(label) for group, label in enumerate(labels)
    ]
    released_code = np.array(code_of_group, np.int32)[groups]
    merged = bool((sizes > 1).any())
    storage = "String" if merged and attribute.storage not in _OPEN_STORAGES else attribute.storage
    held = np.bincount(groups, recoding.records).astype(np.int64).tolist()
    parts = tuple(
        ReleasedPart(
            None if g == alone else label,
            held[g],
            values=tuple(names[i] for i in np.flatnonzero(groups == g).tolist()) if recoding.tested else (),
        )
        for g, label in enumerate(labels)
    )
    before, after = int((recoding.records > 0).sum()), sum(count > 0 for count in held)
    return Column(
        replace(attribute, storage=storage, categories=vocabulary),
        released_code[codes],
        ColumnMap(attribute.name, recoding.tested, before, after, parts),
        released_code,
    )


def _bounded(attribute: Attribute, new: Floats) -> Attribute:
    """The attribute with the domain of its released values: the extremes of the original are not released."""
    if np.isnan(new).all():
        return attribute
    return replace(attribute, low=float(new.min()), high=float(new.max()))


def intervals_behind(original: Table, published: Published) -> dict[str, Triples]:
    """By column of numbers: every released number with the smallest and the largest that it stands for.

    A column that no tree tests could be anything in its domain.
    """
    found: dict[str, Triples] = {}
    for column in published.columns:
        attribute = original.schema[column.name]
        if attribute.kind != "numeric":
            continue
        before, after = original.columns[column.name], published.table.columns[column.name]
        known = ~np.isnan(before) & ~np.isnan(after)
        values, place = np.unique(after[known], return_inverse=True)
        low, high = np.full(len(values), np.inf), np.full(len(values), -np.inf)
        np.minimum.at(low, place, before[known])
        np.maximum.at(high, place, before[known])
        if not column.tested and attribute.low is not None and attribute.high is not None:
            low[:], high[:] = attribute.low, attribute.high
        found[column.name] = list(zip(values.tolist(), low.tolist(), high.tolist(), strict=True))
    return found


def label_key(original: Table, published: Published) -> dict[str, dict[str, tuple[str, ...]]]:
    """By column, the categories that labels stand for which do not explain themselves."""
    found = {
        column.name: labels_to_explain(
            {
                part.released: part.values
                for part in column.parts
                if isinstance(part.released, str) and part.values
            },
            original.schema[column.name].categories,
        )
        for column in published.columns
    }
    return {name: key for name, key in found.items() if key}


def cells_behind(said: Mapping[str, Sequence[Sequence[float]]], released: Table) -> dict[str, Generalised]:
    """What the numbers of a released table stand for, by what the plan says of them."""
    found: dict[str, Generalised] = {}
    for name, triples in said.items():
        if not triples or name not in released.columns or released.schema[name].kind != "numeric":
            continue
        values, low, high = np.array(triples, np.float64).T
        column = np.asarray(released.columns[name], np.float64)
        place = _nearest(values, column)
        low, high = (np.where(np.isnan(column), np.nan, end[place]) for end in (low, high))
        found[name] = Generalised.of_ends(low, high, released.schema[name])
    return found


def _nearest(values: Floats, wanted: Floats) -> Integers:
    """The place of the nearest of some ascending values."""
    after = np.clip(np.searchsorted(values, wanted), 0, len(values) - 1)
    before = np.maximum(after - 1, 0)
    return np.where(np.abs(wanted - values[before]) < np.abs(values[after] - wanted), before, after)
