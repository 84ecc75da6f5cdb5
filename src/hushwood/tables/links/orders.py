"""Finds numbers and dates that always come in the same order: the start is never after the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from hushwood.arrays import Flags, Floats
from hushwood.tables.links.evidence import ACCIDENT, FEWEST, Found, convincing, share_that_meet
from hushwood.tables.links.levels import probed
from hushwood.tables.links.links import Order
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table

FEWEST_VALUES = 5
OVERLAP = 0.5  # of the shorter range
NEAR = 0.1  # of the spread of the differences
MIXED = (
    0.65  # of pairs in order, if the columns had nothing to do with each other; more is a difference in size
)
MOST_COLUMNS = 1000
MOST_CHECKED = 2e9  # records times pairs
Edges = dict[tuple[str, str], int]  # from the smaller to the larger, with the records that have both


@dataclass(frozen=True, slots=True)
class _Ordered:
    name: str
    unit: str
    values: Floats
    low: float
    high: float


def ordered_pairs(table: Table, attributes: Sequence[Attribute]) -> tuple[Edges, int]:
    """All pairs of columns in order; and how many columns or pairs were not looked at."""
    usable = [each for a in attributes if (each := _ordered(a, table)) is not None]
    columns = usable[:MOST_COLUMNS]
    few = np.stack([probed(each.values) for each in columns]) if columns else np.zeros((0, 0))
    candidates = []
    for place, each in enumerate(columns):
        fits = ~(few[place] > few).any(axis=1)
        candidates += [
            (each, columns[other])
            for other in np.flatnonzero(fits).tolist()
            if other != place and _alike(each, columns[other])
        ]
    most = int(MOST_CHECKED / max(table.rows, 1))
    found: Edges = {}
    for one, other in candidates[:most]:
        support = _evidence(one, other, max(len(columns) ** 2, 1))
        if support:
            found[one.name, other.name] = support
    return found, len(usable) - len(columns) + max(0, len(candidates) - most)


def _ordered(attribute: Attribute, table: Table) -> _Ordered | None:
    if attribute.kind != "numeric":
        return None
    values = table.columns[attribute.name]
    known = values[~np.isnan(values)]
    if len(known) < FEWEST or (
        len(np.unique(probed(known))) < FEWEST_VALUES and len(np.unique(known)) < FEWEST_VALUES
    ):
        return None
    name = attribute.storage.partition("(")[0]
    unit = name if name in {"Date", "Datetime", "Duration", "Time"} else "number"
    return _Ordered(attribute.name, unit, values, float(known.min()), float(known.max()))


def _alike(one: _Ordered, other: _Ordered) -> bool:
    """Whether two columns can be compared: of one unit, and with ranges that overlap."""
    shared = min(one.high, other.high) - max(one.low, other.low)
    shorter = min(one.high - one.low, other.high - other.low)
    return one.unit == other.unit and shared >= OVERLAP * shorter


def _evidence(one: _Ordered, other: _Ordered, tried: int) -> int:
    """The records that have both, if their order is no accident; else 0.

    Either many differences are just above zero and none is below, which no smooth spread of differences does by
    chance; or the columns have the same range, so that half of the records would be the other way round.
    """
    if (one.values > other.values).any():
        return 0
    apart = other.values - one.values
    # The lowest value of one and the highest of the other are in order whatever the record.
    telling = ~np.isnan(apart) & (one.values > one.low) & (other.values < other.high)
    count = int(telling.sum())
    if count < FEWEST or not (apart[telling] > 0).any():
        return 0
    near = _just_above(apart[telling])
    if near * log(0.5) + log(tried) < log(ACCIDENT) or _mixed(one, other, telling, tried):
        return int((~np.isnan(apart)).sum())
    return 0


def _just_above(apart: Floats) -> int:
    distinct = np.unique(apart[apart > 0])
    near = max(NEAR * float(apart.std()), float(distinct[0]) if len(distinct) else 0.0)
    return int(((apart > 0) & (apart <= near)).sum()) if near < apart.max() else 0


def _mixed(one: _Ordered, other: _Ordered, telling: Flags, tried: int) -> bool:
    low = np.full(int(telling.sum()), -np.inf)
    share = share_that_meet(low, other.values[telling], one.values[telling])
    return share <= MIXED and convincing(len(low) * log(max(share, 1e-9)), tried)


def chains(edges: Edges, implied: Mapping[str, set[str]]) -> tuple[Found, ...]:
    """The fewest orders from which all pairs follow; those `implied` by sums are not said again."""
    after: dict[str, set[str]] = {}
    for one, other in [*edges, *((a, b) for a, larger in implied.items() for b in larger)]:
        after.setdefault(one, set()).add(other)
    left = {
        (one, other): support
        for (one, other), support in edges.items()
        if other not in implied.get(one, ()) and not _between(one, other, after)
    }
    found = []
    while left:
        starts = {one for one, _ in left} - {other for _, other in left} or {one for one, _ in left}
        path = [min(starts)]
        support = 0
        while following := sorted(other for one, other in left if one == path[-1]):
            held = left.pop((path[-1], following[0]))
            support = min(support, held) if support else held
            path.append(following[0])
        found.append(Found(Order(tuple(path)), support))
    return tuple(found)


def _between(one: str, other: str, after: Mapping[str, set[str]]) -> bool:
    return any(other in after.get(middle, ()) for middle in after[one] if middle not in {one, other})
