"""Reconstruction by plain loops: the papers' formulas as they are printed, one number at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import erf, exp, log, log2, pi, sqrt

Density = Callable[[float], float]
Record = tuple[int, ...]


def normal_density(scale: float) -> Density:
    return lambda y: exp(-(y**2) / (2 * scale**2)) / (scale * sqrt(2 * pi))


def normal_distribution(scale: float) -> Density:
    return lambda y: (1 + erf(y / (scale * sqrt(2)))) / 2


def uniform_density(reach: float) -> Density:
    return lambda y: 1 / (2 * reach) if -reach <= y <= reach else 0.0


def uniform_distribution(reach: float) -> Density:
    return lambda y: min(max((y + reach) / (2 * reach), 0.0), 1.0)


def bayes_steps(
    released: Sequence[float], density: Density, low: float, width: float, count: int, steps: int
) -> list[float]:
    """Agrawal and Srikant's estimate after so many steps, over `count` intervals of one width from `low` on.

    Released values that no interval's middle can have given are left out.
    """
    middles = [low + (p + 0.5) * width for p in range(count)]
    seen: dict[float, int] = {}
    for w in released:
        at = low + ((w - low) // width + 0.5) * width
        if any(density(at - middle) for middle in middles):
            seen[at] = seen.get(at, 0) + 1
    estimate = [1 / count] * count
    for _ in range(steps):
        following = [0.0] * count
        for at, times in seen.items():
            below = sum(density(at - middles[t]) * estimate[t] for t in range(count))
            for p in range(count):
                following[p] += times * density(at - middles[p]) * estimate[p] / below
        estimate = [share / sum(seen.values()) for share in following]
    return estimate


def em_steps(
    released: Sequence[float], distribution: Density, edges: Sequence[float], steps: int
) -> tuple[list[float], list[float]]:
    """Agrawal and Aggarwal's estimate after so many steps, and the mean log likelihoods on the way."""
    count = len(edges) - 1
    widths = [edges[p + 1] - edges[p] for p in range(count)]
    estimate = [width / (edges[-1] - edges[0]) for width in widths]

    def kernel(w: float, p: int) -> float:
        return (distribution(w - edges[p]) - distribution(w - edges[p + 1])) / widths[p]

    likelihoods = []
    for step in range(steps + 1):
        mixed = [sum(estimate[t] * kernel(w, t) for t in range(count)) for w in released]
        likelihoods.append(sum(log(m) for m in mixed) / len(released))
        if step < steps:
            estimate = [
                estimate[p]
                / len(released)
                * sum(kernel(w, p) / m for w, m in zip(released, mixed, strict=True))
                for p in range(count)
            ]
    return estimate, likelihoods


def wrapped_kernel(original: int, released: int, low: int, high: int, scale: float) -> float:
    """Probability of a whole number after rounded normal noise that wraps around, by summing over many turns."""
    below = normal_distribution(scale)
    width = high - low + 1
    total = 0.0
    for turn in range(-200, 201):
        noise = released - original + turn * width
        total += below(noise + 0.5) - below(noise - 0.5)
    return total


def mutual_information(
    shares: Sequence[float], edges: Sequence[float], density: Density, reach: float, cells: int = 400
) -> float:
    """Bits that an original (even inside intervals) and the original plus noise share, by sums over cells."""
    points = [
        (edges[p] + (edges[p + 1] - edges[p]) * (i + 0.5) / cells, shares[p] / cells)
        for p in range(len(shares))
        for i in range(cells)
    ]
    low, high = edges[0] - reach, edges[-1] + reach
    room = (high - low) / (4 * cells)
    bits = 0.0
    for i in range(4 * cells):
        z = low + (i + 0.5) * room
        mixed = sum(weight * density(z - x) for x, weight in points)
        for x, weight in points:
            given = density(z - x)
            if given > 0:
                bits += room * weight * given * log2(given / mixed)
    return bits


def disguised_counts(
    records: Mapping[Record, int], groups: Sequence[Sequence[int]], truth: tuple[int, int]
) -> dict[Record, int]:
    """How often each record is answered if every true record is answered in all ways, in exact proportion.

    `truth` is the probability of the truth as a fraction; every group of columns is all true or all opposite.
    """
    right, of = truth
    counts: dict[Record, int] = {}
    for record, times in records.items():
        for lies in product((False, True), repeat=len(groups)):
            answer = list(record)
            weight = times
            for group, lie in zip(groups, lies, strict=True):
                weight *= of - right if lie else right
                for column in group:
                    answer[column] = 1 - record[column] if lie else record[column]
            counts[tuple(answer)] = counts.get(tuple(answer), 0) + weight
    return counts


def share_of(records: Mapping[Record, int], wanted: Mapping[int, int]) -> float:
    """The share of records with these codes."""
    fits = sum(n for r, n in records.items() if all(r[c] == v for c, v in wanted.items()))
    return fits / sum(records.values())


def kronecker_inverse(shares: Sequence[float], groups: int, truth: float) -> list[float]:
    """Undisguised shares of all combinations of "as asked" (0) and "the opposite" (1) over groups, in product order.

    The matrix of the disguise, [[θ, 1-θ], [1-θ, θ]] by Kronecker products, solved by elimination.
    """
    states = list(product((0, 1), repeat=groups))
    rows = [[*(_chance(a, b, truth) for b in states), share] for a, share in zip(states, shares, strict=True)]
    size = len(states)
    for i in range(size):
        best = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[best] = rows[best], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for r in range(size):
            if r != i:
                rows[r] = [x - rows[r][i] * y for x, y in zip(rows[r], rows[i], strict=True)]
    return [row[-1] for row in rows]


def _chance(seen: Sequence[int], true: Sequence[int], truth: float) -> float:
    chance = 1.0
    for a, b in zip(seen, true, strict=True):
        chance *= truth if a == b else 1 - truth
    return chance


def id3(records: Mapping[Record, int], free: Sequence[int]) -> object:
    """ID3's tree without any stopping but purity: (column, branch for 0, branch for 1), or the commonest class."""
    by_class = [sum(n for r, n in records.items() if r[-1] == c) for c in (0, 1)]
    if min(by_class) == 0 or not free:
        return int(by_class[1] > by_class[0])
    gains = [entropy(by_class) - _after(records, column) for column in free]
    column = free[gains.index(max(gains))]
    left = [c for c in free if c != column]
    parts = [{r: n for r, n in records.items() if r[column] == v} for v in (0, 1)]
    return (column, *(id3(part, left) for part in parts))


def _after(records: Mapping[Record, int], column: int) -> float:
    total, after = sum(records.values()), 0.0
    for value in (0, 1):
        by_class = [sum(n for r, n in records.items() if r[column] == value and r[-1] == c) for c in (0, 1)]
        after += sum(by_class) / total * entropy(by_class)
    return after


def entropy(counts: Sequence[float]) -> float:
    return -sum(n / sum(counts) * log2(n / sum(counts)) for n in counts if n)
