"""Segment-shuffle's parts by the specification, record by record: best cuts, hand-outs and systematic draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def best_cut(
    bins: Sequence[Sequence[int]], target: Sequence[int], numeric: bool, least: int
) -> tuple[int, int, float] | None:
    """Predictor, last bin that goes left and gain of the best cut, the first of equals; None if none gains."""
    best: tuple[int, int, float] | None = None
    before = _purity(target, numeric)
    for predictor, column in enumerate(bins):
        for cut in range(256):
            left = [t for t, b in zip(target, column, strict=True) if b <= cut]
            right = [t for t, b in zip(target, column, strict=True) if b > cut]
            if len(left) < least or len(right) < least:
                continue
            score = _purity(left, numeric) + _purity(right, numeric) - before
            if score > 1e-9 and (best is None or score > best[2] + 1e-9):
                best = (predictor, cut, score)
    return best


def _purity(target: Sequence[int], numeric: bool) -> float:
    """What a cut makes larger: the squared sum of numbers, or the sum of squared class counts, over the size."""
    if numeric:
        return sum(target) ** 2 / len(target)
    return sum(count * count for count in Counter(target).values()) / len(target)


def leaves(
    bins: Sequence[Sequence[int]], target: Sequence[int], numeric: bool, least: int
) -> list[frozenset[int]]:
    """The sets of records in the leaves of the whole tree."""

    def grow(records: list[int]) -> list[frozenset[int]]:
        cut = best_cut([[c[r] for r in records] for c in bins], [target[r] for r in records], numeric, least)
        if cut is None:
            return [frozenset(records)]
        predictor, last, _ = cut
        left = [r for r in records if bins[predictor][r] <= last]
        return grow(left) + grow([r for r in records if bins[predictor][r] > last])

    return grow(list(range(len(target))))


def by_rank(order: Sequence[int], proposed: Sequence[int], own: Sequence[int]) -> dict[int, int]:
    """One group: its slots in random order, what each proposes, and the values of the group."""
    places = sorted(range(len(order)), key=lambda i: (proposed[order[i]], i))
    return {order[place]: value for place, value in zip(places, sorted(own), strict=True)}


def by_proposal(
    order: Sequence[int], rounds: Sequence[Sequence[int]], last_order: Sequence[int], own: Sequence[int]
) -> dict[int, int]:
    """One group: slots take their proposals while they last, round by round, and then what is left in order."""
    left, given = Counter(own), dict[int, int]()
    for proposed in rounds:
        for slot in order:
            if slot not in given and left[proposed[slot]] > 0:
                left[proposed[slot]] -= 1
                given[slot] = proposed[slot]
    rest = sorted(left.elements())
    for slot in last_order:
        if slot not in given:
            given[slot] = rest.pop(0)
    return given


def fitted(chance: Sequence[Sequence[float]], counts: Sequence[int], rounds: int) -> list[list[float]]:
    """Proportional fitting: columns to the counts, rows to 1."""
    table = [list(row) for row in chance]
    for _ in range(rounds):
        for c, count in enumerate(counts):
            total = sum(row[c] for row in table)
            for row in table:
                row[c] *= count / total if total else 0.0
        table = [[cell / (sum(row) or 1.0) for cell in row] for row in table]
    return table


def systematic(weights: Sequence[float], need: int, u: float) -> set[int]:
    """Places drawn with chances in proportion to their weights, at most 1; the largest fill up what is short."""
    total = sum(weights)
    chance = [min(w * need / total, 1.0) if total else 0.0 for w in weights]
    order = sorted(range(len(weights)), key=lambda i: (chance[i], i))
    taken: set[int] = set()
    upto = 0.0
    for place in order:
        upto += chance[place]
        if upto > u + len(taken) and len(taken) < need:
            taken.add(place)
    for place in reversed(order):
        if len(taken) < need:
            taken.add(place)
    return taken
