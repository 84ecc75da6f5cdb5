"""Columns counted in cells and compared, by plain loops; None stands for a missing value.

Numbers lie in cells that hold about as many of the original's records each, cut half-way between its values.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import log2, sqrt

Numbers = Sequence[float | None]


def numeric_cuts(original: Numbers, cells: int) -> list[float]:
    there = sorted(value for value in original if value is not None)
    values = sorted(set(there))
    places = list(pairwise(values))
    if len(values) > cells:
        chosen = set()
        for wanted in range(1, cells):
            off = [abs(sum(v <= low for v in there) * cells - wanted * len(there)) for low, _ in places]
            chosen |= {place for place, miss in zip(places, off, strict=True) if miss == min(off)}
        places = sorted(chosen)
    return [low / 2 + high / 2 for low, high in places]


def numeric_counts(values: Numbers, original: Numbers, cells: int) -> list[float]:
    """Records in the cells: missing, below the original's range, inside it, above it."""
    cuts = numeric_cuts(original, cells)
    there = [value for value in original if value is not None]
    counts = [0.0] * (len(cuts) + 4)
    for value in values:
        if value is None:
            counts[0] += 1
        elif there and value < min(there):
            counts[1] += 1
        elif there and value > max(there):
            counts[-1] += 1
        else:
            below, above = sum(cut < value for cut in cuts), sum(cut > value for cut in cuts)
            counts[2 + below] += 0.5
            counts[-2 - above] += 0.5
    return counts


def category_counts(codes: Sequence[int], size: int) -> list[float]:
    return [float(sum(code == category for code in codes)) for category in range(-1, size)]


def shares(counts: Sequence[float]) -> list[float]:
    return [count / sum(counts) for count in counts]


def total_variation(before: Sequence[float], after: Sequence[float]) -> float:
    return sum(abs(p - q) for p, q in zip(shares(before), shares(after), strict=True)) / 2


def hellinger(before: Sequence[float], after: Sequence[float]) -> float:
    return sqrt(max(0.0, 1 - sum(sqrt(p * q) for p, q in zip(shares(before), shares(after), strict=True))))


def kl_divergence(before: Sequence[float], after: Sequence[float]) -> float:
    used = [(b, a) for b, a in zip(before, after, strict=True) if b or a]
    if any(a == 0 for _, a in used):
        used = [(b, a + 0.5) for b, a in used]
    p, q = shares([b for b, _ in used]), shares([a for _, a in used])
    return sum(x * log2(x / y) for x, y in zip(p, q, strict=True) if x)


def largest_gap(before: Sequence[float], after: Sequence[float]) -> float:
    """Kolmogorov and Smirnov's distance of two samples."""
    return max(
        abs(sum(v <= x for v in before) / len(before) - sum(v <= x for v in after) / len(after))
        for x in (*before, *after)
    )


def area_between(before: Sequence[float], after: Sequence[float]) -> float:
    """Wasserstein's distance of two samples: the area between their distribution functions."""
    points = sorted({*before, *after})
    return sum(
        (high - low)
        * abs(sum(v <= low for v in before) / len(before) - sum(v <= low for v in after) / len(after))
        for low, high in pairwise(points)
    )
