"""Re-identification entropy the slow way: every product of probabilities for every pair, with plain numbers.

Records are lists of numbers, texts or None. Nothing is sorted, tabulated or taken to logarithms before it must be.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

Cell = float | str | None
Column = Sequence[Cell]
# Probability (or density) of a released cell, given an original one.
Chance = Callable[[Cell, Cell], float]


def posterior(logs: Sequence[float]) -> list[float]:
    """Natural logarithms of products turned into probabilities; all alike if every product is 0 (errata E2)."""
    top = max(logs)
    if top == -math.inf:
        return [1 / len(logs)] * len(logs)
    weights = [math.exp(log - top) for log in logs]
    total = math.fsum(weights)
    return [weight / total for weight in weights]


def entropy(shares: Sequence[float]) -> float:
    """Bits of a distribution."""
    return -math.fsum(share * math.log2(share) for share in shares if share > 0)


def log(chance: float) -> float:
    return math.log(chance) if chance > 0 else -math.inf


def posteriors(
    original: Mapping[str, Column],
    released: Mapping[str, Column],
    chances: Mapping[str, Chance],
    known: Sequence[str],
) -> list[list[float]]:
    """P_xi of every original record x and every released record i."""
    rows, others = (len(next(iter(table.values()))) for table in (original, released))
    return [
        posterior(
            [
                sum(log(chances[name](original[name][x], released[name][i])) for name in known)
                for i in range(others)
            ]
        )
        for x in range(rows)
    ]


def in_set(shares: Sequence[float], classes: Sequence[str], chosen: Sequence[str]) -> float:
    """Binary entropy of the posterior mass on released records whose class is in a set."""
    mass = math.fsum(share for share, name in zip(shares, classes, strict=True) if name in chosen)
    return entropy([mass, 1 - mass])


def fitted(original: Column, released: Column, everything: Column, step: float | None) -> Chance:
    """The kernel of one column from its pairs; `everything` are all released cells, `step` is that of a grid."""
    pairs = list(zip(original, released, strict=True))
    if all(x == y for x, y in pairs):
        return lambda x, y: float(x == y)
    if all(isinstance(cell, str | None) for cell in (*original, *released)):
        return _stay_or_change(pairs, everything)
    return _normal(pairs, everything, step)


def _stay_or_change(pairs: Sequence[tuple[Cell, Cell]], everything: Column) -> Chance:
    values = set(everything)
    changes = [y for x, y in pairs if x != y]
    stay = Fraction(2 * (len(pairs) - len(changes)) + 1, 2 * (len(pairs) + 1))
    share = {v: Fraction(2 * changes.count(v) + 1, 2 * len(changes) + len(values)) for v in values}

    def chance(x: Cell, y: Cell) -> float:
        return float(stay if x == y else (1 - stay) * share[y] / (1 - share.get(x, Fraction(0))))

    return chance


def _normal(pairs: Sequence[tuple[Cell, Cell]], everything: Column, step: float | None) -> Chance:
    changes = [float(y) - float(x) for x, y in pairs if x is not None and y is not None]
    numbers = [float(v) for v in (*(x for x, _ in pairs), *everything) if v is not None]
    size = max(numbers) - min(numbers)
    mean = math.fsum(changes) / len(changes)
    spread = math.sqrt(math.fsum((c - mean) ** 2 for c in changes) / len(changes))
    spread = max(spread, 1e-6 * size)
    cell = size / 1000 if step is None else step
    there, gone = [y for x, y in pairs if x is not None], [y for x, y in pairs if x is None]
    steady = None not in there and all(y is None for y in gone)
    vanish = 0.0 if steady else (there.count(None) + 0.5) / (len(there) + 1)
    appear = 0.0 if steady else (len(gone) - gone.count(None) + 0.5) / (len(gone) + 1)

    def chance(x: Cell, y: Cell) -> float:
        if x is None:
            return 1 - appear if y is None else appear * cell / size
        if y is None:
            return vanish
        z = (float(y) - float(x) - mean) / spread
        return (1 - vanish) * cell * math.exp(-z * z / 2) / spread / math.sqrt(2 * math.pi)

    return chance


def wrapped(x: int, y: int, low: int, high: int, noise: float) -> float:
    """Rounded normal noise of that share of [low, high] that goes round and round in it (errata E1)."""
    if not (low <= x <= high and low <= y <= high):
        return 0.0
    width = high - low + 1
    total = 0.0
    for turn in range(-60, 61):
        d, unit = abs(y - x + turn * width), noise * width * math.sqrt(2)
        total += (math.erfc((d - 0.5) / unit) - math.erfc((d + 0.5) / unit)) / 2
    return total
