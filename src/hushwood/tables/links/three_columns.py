"""Finds three columns of which few combinations occur although every two of them meet in all ways."""

from __future__ import annotations

from itertools import combinations
from math import comb, log

import numpy as np

from hushwood.arrays import Floats
from hushwood.tables.links.cells import EXPECTED, RARE, Pairs, expected
from hushwood.tables.links.conditions import FEW_COMBINATIONS, Implied, combinations_found
from hushwood.tables.links.evidence import ACCIDENT, Found

MOST_COLUMNS = 30
MOST_WORK = 4e8  # records times combinations
MOST_CELLS = 8000
RECORDS_PER_CELL = 5
Three = tuple[int, int, int]


def linked_threes(pairs: Pairs, linked: Implied) -> tuple[tuple[Found, ...], int]:
    """Combinations of three columns; and how many groups of three were not tried."""
    all_of_them = [place for place, each in enumerate(pairs.columns) if each.categorical and each.varied]
    usable = all_of_them[:MOST_COLUMNS]
    free = {
        (one, other)
        for one, other in combinations(usable, 2)
        if not linked(pairs.columns[one].name, pairs.columns[other].name) and _full(pairs.of(one, other))
    }
    threes = [
        (a, b, c)
        for (a, b) in sorted(free)
        for c in usable
        if c > b
        and (a, c) in free
        and (b, c) in free
        and _size(pairs, (a, b, c)) <= min(MOST_CELLS, pairs.rows / RECORDS_PER_CELL)
    ]
    most = int(MOST_WORK / pairs.rows)
    tried = sum(_size(pairs, three) for three in threes[:most])
    found = (_three(pairs, three, tried) for three in threes[:most])
    return tuple(each for each in found if each is not None), max(0, len(threes) - most) + comb(
        len(all_of_them), 3
    ) - comb(len(usable), 3)


def _full(table: Floats) -> bool:
    return bool((table[expected(table) >= EXPECTED / 2] > 0).all())


def _size(pairs: Pairs, three: Three) -> int:
    return int(np.prod([len(pairs.columns[place].counts) for place in three]))


def _three(pairs: Pairs, three: Three, tried: int) -> Found | None:
    a, b, c = (pairs.columns[place] for place in three)
    shape = (len(a.counts), len(b.counts), len(c.counts))
    codes = (a.codes * shape[1] + b.codes) * shape[2] + c.codes
    table = np.bincount(codes, minlength=int(np.prod(shape))).reshape(shape)
    if table.all():
        return None
    ab, ac, bc = (pairs.of(one, other) for one, other in combinations(three, 2))
    # What the three tables of two columns lead one to expect.
    alone = a.counts[:, None, None] * b.counts[None, :, None] * c.counts[None, None, :]
    usual = ab[:, :, None] * ac[:, None, :] * bc[None, :, :] / alone
    usual *= pairs.rows / usual.sum()
    never = (table == 0) & (usual > log(tried / ACCIDENT))
    rare = (table > 0) & (usual >= EXPECTED) & (table < RARE * usual)
    share = float(usual[table == 0].sum()) / pairs.rows
    if not never.any() or rare.any() or share < FEW_COMBINATIONS:
        return None
    return combinations_found((a, b, c), table)
