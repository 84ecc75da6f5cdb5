"""Rank swapping by the definition: sort, walk, take one of the free ranks in the window; and its law by all states."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import floor


def window_of(size: int, percent: str) -> int:
    return floor(Fraction(percent) * size / 100)


def swapped(values: Sequence[float | None], percent: str, u: Sequence[float]) -> list[float | None]:
    """The column after one walk; u[row] chooses for the row whose rank it is."""
    known = sorted((value, row) for row, value in enumerate(values) if value is not None)
    rows = [row for _, row in known]
    out = list(values)
    for i, j in pairs([u[row] for row in rows], window_of(len(rows), percent)):
        out[rows[i]], out[rows[j]] = values[rows[j]], values[rows[i]]
    return out


def pairs(u: Sequence[float], window: int) -> list[tuple[int, int]]:
    """The ranks that change places."""
    free = list(range(len(u)))
    found = []
    while free:
        i = free.pop(0)
        near = [j for j in free if j <= i + window]
        if near:
            j = near[int(u[i] * len(near))]
            free.remove(j)
            found.append((i, j))
    return found


def outcomes(size: int, window: int) -> dict[tuple[tuple[int, int], ...], Fraction]:
    """Every set of pairs that a walk can give, with its exact probability."""
    found: defaultdict[tuple[tuple[int, int], ...], Fraction] = defaultdict(Fraction)
    walks: list[tuple[tuple[int, ...], tuple[tuple[int, int], ...], Fraction]] = [
        (tuple(range(size)), (), Fraction(1))
    ]
    while walks:
        free, made, chance = walks.pop()
        if not free:
            found[made] += chance
            continue
        i, rest = free[0], free[1:]
        near = [j for j in rest if j <= i + window]
        if not near:
            walks.append((rest, made, chance))
        walks += [(tuple(r for r in rest if r != j), (*made, (i, j)), chance / len(near)) for j in near]
    return found


def chances(size: int, window: int) -> list[list[float]]:
    """Probability that rank i gets the value of rank j, [i][j], over all states of the free ranks."""
    table = [[0.0] * size for _ in range(size)]
    states = {tuple(range(size)): 1.0}
    for i in range(size):
        after: defaultdict[tuple[int, ...], float] = defaultdict(float)
        for free, chance in states.items():
            if not free or free[0] != i:
                after[free] += chance
                continue
            near = [j for j in free[1:] if j <= i + window]
            if not near:
                table[i][i] += chance
                after[free[1:]] += chance
            for j in near:
                table[i][j] += chance / len(near)
                table[j][i] += chance / len(near)
                after[tuple(r for r in free[1:] if r != j)] += chance / len(near)
        states = dict(after)
    return table
