"""A regression tree, slow and obvious: every test of every column is tried on every node."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

Row = tuple[Any, ...]


def best_test(
    rows: list[Row], response: list[float], kinds: Sequence[str], least: int
) -> tuple[Any, float] | None:
    """The test that lowers the sum of squares most, as (column, left values or limit), and by how much."""
    found: list[tuple[float, int, Any]] = []
    for column, kind in enumerate(kinds):
        known = [(row[column], y) for row, y in zip(rows, response, strict=True) if row[column] is not None]
        values = sorted({value for value, _ in known})
        if kind == "numeric":
            sides: list[Any] = [{v for v in values if v <= low} for low in values[:-1]]
        else:
            sides = [set(part) for size in range(1, len(values)) for part in combinations(values, size)]
        for side in sides:
            left = [y for value, y in known if value in side]
            right = [y for value, y in known if value not in side]
            if len(left) >= least and len(right) >= least:
                gain = squares(left + right) - squares(left) - squares(right)
                found.append((gain, column, frozenset(side)))
    if not found:
        return None
    gain = max(one[0] for one in found)
    return next((column, side) for g, column, side in found if g >= gain - 1e-9), gain


def squares(numbers: list[float]) -> float:
    """The sum of the squared distances from the mean."""
    mean = sum(numbers) / len(numbers) if numbers else 0.0
    return sum((y - mean) ** 2 for y in numbers)


def explained(
    rows: list[Row], response: list[float], kinds: Sequence[str], least: int, share: float
) -> float:
    """How much of the sum of squares a tree explains that splits while a test explains this share of the whole."""
    whole = squares(response)

    def below(part: list[Row], own: list[float]) -> float:
        found = best_test(part, own, kinds, least) if len(part) >= 2 * least else None
        if found is None or found[1] <= share * whole + 1e-9:
            return squares(own)
        column, side = found[0]
        known = [row[column] in side for row in part if row[column] is not None]
        missing_left = 2 * sum(known) >= len(known)
        total = 0.0
        for want in (True, False):
            here = [
                i
                for i, row in enumerate(part)
                if (missing_left if row[column] is None else row[column] in side) is want
            ]
            total += below([part[i] for i in here], [own[i] for i in here])
        return total

    return whole - below(rows, response)
