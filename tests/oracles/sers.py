"""Record similarity by the definition (FF paper, Eq. 6-8), one pair at a time; None is a missing value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2

Value = float | str | None
Record = Mapping[str, Value]


def ranges(original: Sequence[Record], names: Sequence[str]) -> dict[str, float]:
    """Range of each attribute's numbers in the original; 0 without numbers."""
    widths = {}
    for name in names:
        numbers = [v for v in (record[name] for record in original) if isinstance(v, float)]
        widths[name] = max(numbers) - min(numbers) if numbers else 0.0
    return widths


def term(one: Value, other: Value, width: float) -> float:
    """Distance in one attribute, at most 1."""
    if isinstance(one, float) and isinstance(other, float) and width > 0:
        return min(abs(one - other) / width, 1.0)
    return 0.0 if one == other else 1.0


def similarities(
    original: Sequence[Record], released: Sequence[Record], names: Sequence[str]
) -> list[list[float]]:
    """Of every original record to every released one."""
    widths = ranges(original, names)
    return [
        [1 - sum(term(one[n], other[n], widths[n]) for n in names) / len(names) for other in released]
        for one in original
    ]


def entropy(weights: Sequence[float]) -> float:
    """Bits of the weights divided by their sum; of weights that are all 0, those of equal ones."""
    total = sum(weights)
    if total <= 1e-9:
        return log2(len(weights))
    return -sum(w / total * log2(w / total) for w in weights if w > 0)


def places(weights: Sequence[float], partner: int, slack: float = 1e-6) -> tuple[int, int]:
    """First and last place that the partner can have from the largest weight down; it shares all between them.

    Weights that differ by no more than `slack` may or may not be equal.
    """
    own = weights[partner]
    above = sum(w > own + slack for w in weights)
    near = sum(abs(w - own) <= slack for w in weights)
    return above + 1, above + near
