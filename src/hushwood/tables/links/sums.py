"""Finds columns that are the sum of others, in every record that has them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import log

import numpy as np

from hushwood.arrays import Flags, Floats
from hushwood.tables.links.evidence import FEWEST, Found, convincing, share_that_meet
from hushwood.tables.links.levels import probed
from hushwood.tables.links.links import Sum
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table

MOST_FOR_TWO, MOST_FOR_THREE = 200, 50  # columns among which sums of two and of three are looked for
MOST_CHECKED = 5000
_PROBED = 24
_LEAST_SHARE = 0.05  # of the records in which a part must not be zero


def allowance(total: Attribute, values: Floats) -> float:
    """How far a total may be off: half a unit of its last decimal, or a rounding error."""
    if total.precision is not None:
        return (0.5 + 1e-6) * 10.0**-total.precision
    known = values[np.isfinite(values)]
    return 1e-9 * float(np.abs(known).max(initial=0.0))


def is_date(attribute: Attribute) -> bool:
    """Whether a column holds points in time, which cannot be added to each other."""
    return attribute.storage == "Date" or attribute.storage.startswith("Datetime")


def sums(table: Table, attributes: Sequence[Attribute]) -> tuple[tuple[Found, ...], int]:
    """All sums from which the others follow; and how many columns were too many to be looked at."""
    usable = [a for a in attributes if a.kind == "numeric" and _varied(table.columns[a.name])]
    usable = [a for a in usable if not a.storage.startswith(("Datetime", "Time"))]
    search = _Search(table, usable[:MOST_FOR_TWO])
    found = [*search.equal()]
    doubles = {each.link.total for each in found if isinstance(each.link, Sum)}
    single = [a for a in usable[:MOST_FOR_TWO] if a.name not in doubles]
    search = _Search(table, single)
    found += search.sums(2)
    if len(single) <= MOST_FOR_THREE:
        found += search.sums(3)
    return tuple(_independent(found)), max(0, len(usable) - MOST_FOR_TWO)


class _Search:
    def __init__(self, table: Table, attributes: Sequence[Attribute]) -> None:
        self.columns: Mapping[str, Floats] = {a.name: table.columns[a.name] for a in attributes}
        self.attributes = list(attributes)
        self.allowed = np.array([allowance(a, self.columns[a.name]) for a in attributes])
        self.dates = np.array([is_date(a) for a in attributes], bool)
        few = [probed(column, _PROBED) for column in self.columns.values()]
        self.few = np.stack(few) if few else np.zeros((0, 0))

    def equal(self) -> Iterator[Found]:
        """Columns that repeat another one."""
        yield from self._confirmed(self._candidates(1))

    def sums(self, parts: int) -> list[Found]:
        """Sums of that many parts."""
        return list(self._confirmed(self._candidates(parts)))

    def _candidates(self, parts: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        for places in combinations(range(len(self.attributes)), parts):
            dates = int(self.dates[list(places)].sum())
            if dates > 1:
                continue
            together = self.few[list(places)].sum(axis=0)
            # Nothing can be said where a value is missing.
            off = np.abs(self.few - together) > self.allowed[:, None]
            fits = ~off.any(axis=1) & (self.dates == bool(dates))
            fits[list(places)] = False
            if parts == 1:
                fits[: places[0]] = False
            for total in np.flatnonzero(fits).tolist():
                yield total, places

    def _confirmed(self, candidates: Iterator[tuple[int, tuple[int, ...]]]) -> Iterator[Found]:
        tried = len(self.attributes) ** 4
        for checked, (total, places) in enumerate(candidates):
            if checked == MOST_CHECKED:
                return
            whole = self.columns[self.attributes[total].name]
            parts = [self.columns[self.attributes[place].name] for place in places]
            together = np.sum(parts, axis=0)
            known = ~(np.isnan(whole) | np.isnan(together))
            allowed = float(self.allowed[total])
            if (np.abs(whole - together) > allowed).any() or not _counts(parts, known):
                continue
            telling = known & np.all([part != 0 for part in parts], axis=0)
            share = share_that_meet(together[telling] - allowed, together[telling] + allowed, whole[telling])
            if share > 0 and convincing(int(telling.sum()) * log(share), tried):
                yield self._found(total, places, int(known.sum()))

    def _found(self, total: int, places: tuple[int, ...], support: int) -> Found:
        link = Sum(
            self.attributes[total].name, tuple(sorted(self.attributes[place].name for place in places))
        )
        return Found(link, support)


def _varied(column: Floats) -> bool:
    known = column[~np.isnan(column)]
    return len(known) >= FEWEST and len(np.unique(probed(known))) >= 3


def _counts(parts: Sequence[Floats], known: Flags) -> bool:
    """Whether no part is nearly always zero: a total would then equal the others by itself."""
    rows = int(known.sum())
    least = max(FEWEST / 2, _LEAST_SHARE * rows)
    return rows >= FEWEST and all(int((part[known] != 0).sum()) >= least for part in parts)


def _independent(found: Sequence[Found]) -> Iterator[Found]:
    """Sums that do not follow from shorter ones."""
    names = sorted({name for each in found for name in each.link.columns})
    kept: list[list[float]] = []
    ordered = sorted(found, key=lambda each: (len(each.link.columns), each.link.columns))
    for each in ordered:
        link = each.link
        signs = [-1.0 if name == link.columns[0] else float(name in link.columns) for name in names]
        if np.linalg.matrix_rank(np.array([*kept, signs])) > len(kept):
            kept.append(signs)
            yield each
