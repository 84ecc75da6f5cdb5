"""Finds numbers that are one number divided by a power of another in every record, as a body mass index is.

Units differ by powers of ten: with the height in centimetres, bmi = weight / height² × 10^4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from math import log

import numpy as np

from hushwood.arrays import Floats
from hushwood.tables.links.evidence import FEWEST, Found, convincing, share_that_meet
from hushwood.tables.links.levels import probed
from hushwood.tables.links.links import MOST_POWER, MOST_SHIFT, Quotient
from hushwood.tables.links.numbers import divided
from hushwood.tables.links.sums import allowance, is_date
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table

MOST = 30  # columns among which quotients are looked for
_PROBED, _KNOWN = 24, 12


def quotients(table: Table, attributes: Sequence[Attribute]) -> tuple[Found, ...]:
    """The quotients, one for each three columns."""
    usable = [a for a in attributes if a.kind == "numeric" and not is_date(a)]
    usable = [a for a in usable if len(np.unique(probed(table.columns[a.name], _PROBED))) > 2][:MOST]
    found: dict[frozenset[str], Found] = {}
    for link in _candidates(table, usable):
        each = _confirmed(table, link, len(usable) ** 4)
        if each is not None:
            found.setdefault(frozenset(link.columns), each)
    return tuple(found.values())


def _candidates(table: Table, usable: Sequence[Attribute]) -> Iterator[Quotient]:
    """Quotients that hold in a few records."""
    columns = [table.columns[a.name] for a in usable]
    few = np.stack([probed(column, _PROBED) for column in columns]) if usable else np.zeros((0, _PROBED))
    allowed = np.array([allowance(a, column) for a, column in zip(usable, columns, strict=True)])
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.log10(np.abs(few))
    size[~np.isfinite(size)] = np.nan
    for power, (of, by) in product(range(1, MOST_POWER + 1), permutations(range(len(usable)), 2)):
        apart = size - (size[of] - power * size[by])
        known = ~np.isnan(apart)
        count = known.sum(axis=1)
        shift = np.rint(np.where(known, apart, 0.0).sum(axis=1) / np.maximum(count, 1)).astype(np.int64)
        quotient = divided(few[of], few[by], power, shift[:, None])
        fits = (count >= _KNOWN) & (np.abs(shift) <= MOST_SHIFT)
        fits &= ~(np.abs(few - quotient) > allowed[:, None]).any(axis=1)
        fits[[of, by]] = False
        for result in np.flatnonzero(fits).tolist():
            whole, one, other = (usable[place].name for place in (result, of, by))
            yield Quotient(whole, one, other, power, int(shift[result]))


def _confirmed(table: Table, link: Quotient, tried: int) -> Found | None:
    whole = table.columns[link.result]
    quotient: Floats = divided(table.columns[link.of], table.columns[link.by], link.power, link.shift)
    allowed = allowance(table.schema[link.result], whole)
    known = ~(np.isnan(whole) | np.isnan(quotient))
    rows = int(known.sum())
    if rows < FEWEST or (np.abs(whole - quotient) > allowed).any():
        return None
    share = share_that_meet(quotient[known] - allowed, quotient[known] + allowed, whole[known])
    return Found(link, rows) if share > 0 and convincing(rows * log(share), tried) else None
