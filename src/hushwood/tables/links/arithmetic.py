"""Finds what holds between numbers in every record: orders, sums, and quotients, as a body mass index is.

Dates are numbers too: the start is never after the end. Units of quotients differ by powers of ten: with the height in
centimetres, bmi = weight / height² × 10^4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from math import log

import numpy as np

from hushwood.arrays import Flags, Floats
from hushwood.tables.links.dependences import through_another
from hushwood.tables.links.links import MOST_POWER, MOST_SHIFT, Order, Quotient, Sum
from hushwood.tables.links.numbers import divided, is_date
from hushwood.tables.links.scan import (
    ACCIDENT,
    FEWEST,
    FoundLink,
    NumberColumn,
    Scan,
    Search,
    convincing,
    few_records,
    probed,
    share_that_meet,
)

# Of orders.
FEWEST_VALUES = 5
OVERLAP = 0.5  # of the shorter range
NEAR = 0.1  # of the spread of the differences
MIXED = (
    0.65  # of pairs in order, if the columns had nothing to do with each other; more is a difference in size
)
MOST_COLUMNS = 1000
MOST_CHECKED = 2e9  # records times pairs
# Of sums.
MOST_FOR_TWO, MOST_FOR_THREE = 200, 50  # columns among which sums of two and of three are looked for
MOST_SUMS = 5000
LEAST_SHARE = 0.05  # of the records in which a part must not be zero
# Of quotients.
MOST_FOR_QUOTIENTS = 30
KNOWN = 12
FEW = 24  # records by which most sums and quotients are ruled out

Edges = dict[tuple[str, str], int]  # from the smaller to the larger, with the records that have both
Terms = tuple[int, tuple[int, ...]]  # the places of a total and of its parts


def orders(scan: Scan, totals: Sequence[FoundLink]) -> Search:
    """The fewest orders from which all others follow, without those that follow from sums."""
    usable = [each for each in scan.numbers if each.known >= FEWEST and each.different >= FEWEST_VALUES]
    columns = usable[:MOST_COLUMNS]
    few = few_records(columns)
    candidates = []
    for place, each in enumerate(columns):
        fits = ~(few[place] > few).any(axis=1)
        candidates += [
            (each, columns[other])
            for other in np.flatnonzero(fits).tolist()
            if other != place and _alike(each, columns[other])
        ]
    most = int(MOST_CHECKED / max(scan.rows, 1))
    edges: Edges = {}
    for one, other in candidates[:most]:
        support = _records_in_order(one, other, max(len(columns) ** 2, 1))
        if support:
            edges[one.name, other.name] = support
    left = len(usable) - len(columns) + max(0, len(candidates) - most)
    not_tried = (f"The order of {left:,} further pairs of columns",) if left else ()
    return Search(_chains(edges, _larger_totals(scan, totals)), not_tried)


def _unit(number: NumberColumn) -> str:
    storage = number.attribute.storage.partition("(")[0]
    return storage if storage in {"Date", "Datetime", "Duration", "Time"} else "number"


def _alike(one: NumberColumn, other: NumberColumn) -> bool:
    """Whether two columns can be compared: of one unit, and with ranges that overlap."""
    shared = min(one.high, other.high) - max(one.low, other.low)
    shorter = min(one.high - one.low, other.high - other.low)
    return _unit(one) == _unit(other) and shared >= OVERLAP * shorter


def _records_in_order(one: NumberColumn, other: NumberColumn, tried: int) -> int:
    """The records that have both, if their order is no accident; else 0.

    Either many differences are just above zero and none is below, which no smooth spread of differences does by
    chance; or the columns have the same range, so that half of the records would be the other way round.
    """
    if (one.values > other.values).any():
        return 0
    apart = other.values - one.values
    # The lowest value of one and the highest of the other are in order whatever the record.
    telling = ~np.isnan(apart) & (one.values > one.low) & (other.values < other.high)
    if int(telling.sum()) < FEWEST or not (apart[telling] > 0).any():
        return 0
    near = _just_above(apart[telling])
    if near * log(0.5) + log(tried) < log(ACCIDENT) or _mixed(one, other, telling, tried):
        return int((~np.isnan(apart)).sum())
    return 0


def _just_above(apart: Floats) -> int:
    distinct = np.unique(apart[apart > 0])
    near = max(NEAR * float(apart.std()), float(distinct[0]) if len(distinct) else 0.0)
    return int(((apart > 0) & (apart <= near)).sum()) if near < apart.max() else 0


def _mixed(one: NumberColumn, other: NumberColumn, telling: Flags, tried: int) -> bool:
    low = np.full(int(telling.sum()), -np.inf)
    share = share_that_meet(low, other.values[telling], one.values[telling])
    return share <= MIXED and convincing(len(low) * log(max(share, 1e-9)), tried)


def _larger_totals(scan: Scan, totals: Sequence[FoundLink]) -> dict[str, set[str]]:
    """Which totals every part is at most, because the other parts are never negative."""
    larger: dict[str, set[str]] = {}
    columns = {each.name: each for each in scan.numbers}
    for each in totals:
        if not isinstance(each.link, Sum):
            continue
        for part in each.link.parts:
            others = [columns[other] for other in each.link.parts if other != part]
            if all(other.low >= 0 and not is_date(other.attribute) for other in others):
                larger.setdefault(part, set()).add(each.link.total)
                if not others:
                    larger.setdefault(each.link.total, set()).add(part)
    return larger


def _chains(edges: Edges, implied: Mapping[str, set[str]]) -> tuple[FoundLink, ...]:
    """The fewest orders from which all pairs follow; those `implied` by sums are not said again."""
    after: dict[str, set[str]] = {}
    for one, other in [*edges, *((a, b) for a, larger in implied.items() for b in larger)]:
        after.setdefault(one, set()).add(other)
    left = {
        (one, other): support
        for (one, other), support in edges.items()
        if other not in implied.get(one, ()) and not through_another(one, other, after)
    }
    chains = []
    while left:
        starts = {one for one, _ in left} - {other for _, other in left} or {one for one, _ in left}
        path = [min(starts)]
        support = 0
        while following := sorted(other for one, other in left if one == path[-1]):
            held = left.pop((path[-1], following[0]))
            support = min(support, held) if support else held
            path.append(following[0])
        chains.append(FoundLink(Order(tuple(path)), support))
    return tuple(chains)


def sums(scan: Scan) -> Search:
    """All sums from which the others follow; a column that repeats another is a sum of one part."""
    usable = [each for each in scan.numbers if each.known >= FEWEST and each.different_probed >= 3]
    usable = [each for each in usable if not each.attribute.storage.startswith(("Datetime", "Time"))]
    columns, left = usable[:MOST_FOR_TWO], max(0, len(usable) - MOST_FOR_TWO)
    found = [*_sums(columns, 1)]
    doubles = {each.link.columns[0] for each in found}
    single = [each for each in columns if each.name not in doubles]
    found += _sums(single, 2)
    if len(single) <= MOST_FOR_THREE:
        found += _sums(single, 3)
    not_tried = (f"Sums among {left:,} further columns",) if left else ()
    return Search(tuple(_independent(found)), not_tried)


def _sums(columns: Sequence[NumberColumn], parts: int) -> Iterator[FoundLink]:
    """Sums of that many parts, in every record that has them all."""
    tried = len(columns) ** 4
    for checked, (total, places) in enumerate(_possible_sums(columns, parts)):
        if checked == MOST_SUMS:
            return
        whole, allowed = columns[total].values, columns[total].allowed
        terms = [columns[place].values for place in places]
        together = np.sum(terms, axis=0)
        known = ~(np.isnan(whole) | np.isnan(together))
        if (np.abs(whole - together) > allowed).any() or not _counts(terms, known):
            continue
        telling = known & np.all([term != 0 for term in terms], axis=0)
        share = share_that_meet(together[telling] - allowed, together[telling] + allowed, whole[telling])
        if share > 0 and convincing(int(telling.sum()) * log(share), tried):
            link = Sum(columns[total].name, tuple(sorted(columns[place].name for place in places)))
            yield FoundLink(link, int(known.sum()))


def _possible_sums(columns: Sequence[NumberColumn], parts: int) -> Iterator[Terms]:
    """Sums that hold in a few records."""
    few, allowed = few_records(columns, FEW), np.array([each.allowed for each in columns])
    dates = np.array([is_date(each.attribute) for each in columns], bool)
    for places in combinations(range(len(columns)), parts):
        dated = int(dates[list(places)].sum())
        if dated > 1:
            continue
        together = few[list(places)].sum(axis=0)
        # Nothing can be said where a value is missing.
        off = np.abs(few - together) > allowed[:, None]
        fits = ~off.any(axis=1) & (dates == bool(dated))
        fits[list(places)] = False
        if parts == 1:
            fits[: places[0]] = False
        for total in np.flatnonzero(fits).tolist():
            yield total, places


def _counts(parts: Sequence[Floats], known: Flags) -> bool:
    """Whether no part is nearly always zero: a total would then equal the others by itself."""
    rows = int(known.sum())
    least = max(FEWEST / 2, LEAST_SHARE * rows)
    return rows >= FEWEST and all(int((part[known] != 0).sum()) >= least for part in parts)


def _independent(found: Sequence[FoundLink]) -> Iterator[FoundLink]:
    """Sums that do not follow from shorter ones."""
    names = sorted({name for each in found for name in each.link.columns})
    kept: list[list[float]] = []
    for each in sorted(found, key=lambda each: (len(each.link.columns), each.link.columns)):
        columns = each.link.columns
        signs = [-1.0 if name == columns[0] else float(name in columns) for name in names]
        if np.linalg.matrix_rank(np.array([*kept, signs])) > len(kept):
            kept.append(signs)
            yield each


def quotients(scan: Scan) -> Search:
    """The quotients of one number by a power of another, one for each three columns."""
    usable = [each for each in scan.numbers if not is_date(each.attribute)]
    usable = [each for each in usable if len(np.unique(probed(each.values, FEW))) > 2][:MOST_FOR_QUOTIENTS]
    found: dict[frozenset[str], FoundLink] = {}
    for link in _possible_quotients(usable):
        each = _confirmed_quotient(scan, link, len(usable) ** 4)
        if each is not None:
            found.setdefault(frozenset(link.columns), each)
    return Search(tuple(found.values()))


def _possible_quotients(columns: Sequence[NumberColumn]) -> Iterator[Quotient]:
    """Quotients that hold in a few records."""
    few, allowed = few_records(columns, FEW), np.array([each.allowed for each in columns])
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.log10(np.abs(few))
    size[~np.isfinite(size)] = np.nan
    for power, (of, by) in product(range(1, MOST_POWER + 1), permutations(range(len(columns)), 2)):
        apart = size - (size[of] - power * size[by])
        known = ~np.isnan(apart)
        count = known.sum(axis=1)
        shift = np.rint(np.where(known, apart, 0.0).sum(axis=1) / np.maximum(count, 1)).astype(np.int64)
        quotient = divided(few[of], few[by], power, shift[:, None])
        fits = (count >= KNOWN) & (np.abs(shift) <= MOST_SHIFT)
        fits &= ~(np.abs(few - quotient) > allowed[:, None]).any(axis=1)
        fits[[of, by]] = False
        for result in np.flatnonzero(fits).tolist():
            whole, one, other = (columns[place].name for place in (result, of, by))
            yield Quotient(whole, one, other, power, int(shift[result]))


def _confirmed_quotient(scan: Scan, link: Quotient, tried: int) -> FoundLink | None:
    columns = {each.name: each for each in scan.numbers}
    whole, allowed = columns[link.result].values, columns[link.result].allowed
    quotient: Floats = divided(columns[link.of].values, columns[link.by].values, link.power, link.shift)
    known = ~(np.isnan(whole) | np.isnan(quotient))
    rows = int(known.sum())
    if rows < FEWEST or (np.abs(whole - quotient) > allowed).any():
        return None
    share = share_that_meet(quotient[known] - allowed, quotient[known] + allowed, whole[known])
    return FoundLink(link, rows) if share > 0 and convincing(rows * log(share), tried) else None
