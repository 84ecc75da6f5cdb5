"""Columns as words of few cells, and combinations of them counted by plain loops; None stands for a missing value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log2

from oracles.distributions import kl_divergence, numeric_cuts, total_variation

Cell = float | str | None
MISSING, REST = "missing", "rest"


def cell_words(
    original: Sequence[Cell], values: Sequence[Cell], order: Sequence[str], cells: int
) -> list[str]:
    """The cell of every value; `order` are the categories of a column, none for numbers."""
    if order:
        counts = Counter(value for value in original if value is not None)
        kept = sorted(order, key=lambda name: -counts[name])[:cells]
        return [MISSING if v is None else f"={v}" if v in kept else REST for v in values]
    numbers = [float(v) for v in original if v is not None]
    cuts = numeric_cuts(numbers, cells)
    return [_number(v, numbers, cuts) for v in values]


def _number(value: Cell, original: Sequence[float], cuts: Sequence[float]) -> str:
    if value is None:
        return MISSING
    if original and float(value) < min(original):
        return "below"
    if original and float(value) > max(original):
        return "above"
    return f"cell {sum(cut <= float(value) for cut in cuts)}"


def compared(
    before: Mapping[str, Sequence[str]],
    after: Mapping[str, Sequence[str]],
    names: Sequence[str],
    least: float,
) -> dict[str, float | None]:
    """Total variation, KL and the error of counts of the table of some columns."""
    old = Counter(zip(*(before[name] for name in names), strict=True))
    new = Counter(zip(*(after[name] for name in names), strict=True))
    keys = sorted({*old, *new})
    was, now = [float(old[key]) for key in keys], [float(new[key]) for key in keys]
    scale = sum(was) / sum(now)
    errors = [abs(scale * new[key] - old[key]) / old[key] for key in keys if old[key] >= least * sum(was)]
    return {
        "total_variation": total_variation(was, now),
        "kl": kl_divergence(was, now),
        "count_error": sum(errors) / len(errors) if errors else None,
    }


def mutual_information(first: Sequence[str], second: Sequence[str]) -> float:
    """Bits that two columns say about each other."""
    n = len(first)
    one, other = Counter(first), Counter(second)
    together = Counter(zip(first, second, strict=True))
    return sum(c / n * log2(c * n / one[a] / other[b]) for (a, b), c in together.items())
