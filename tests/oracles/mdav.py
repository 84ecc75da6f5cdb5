"""Microaggregation by the definition (MDAV), one record at a time, with every distance worked out anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt

Point = Sequence[float]
Record = Sequence[float | None]

FINENESS = 2**20


def groups(points: Sequence[Point], k: int) -> list[list[int]]:
    """The groups in the order they are made, each a list of row numbers."""
    left = list(range(len(points)))
    made: list[list[int]] = []

    def take(centre: int) -> None:
        others = [row for row in left if row != centre]
        others.sort(key=lambda row: (_apart(points[row], points[centre]), row))
        made.append(sorted([centre, *others[: k - 1]]))
        for row in made[-1]:
            left.remove(row)

    while len(left) >= 3 * k:
        first = _farthest(points, left, _mean([points[row] for row in left]))
        take(first)
        take(_farthest(points, left, points[first]))
    if len(left) >= 2 * k:
        take(_farthest(points, left, _mean([points[row] for row in left])))
    if left:
        made.append(left)
    return made


def _mean(points: Sequence[Point]) -> list[float]:
    return [sum(column) / len(points) for column in zip(*points, strict=True)]


def _apart(one: Point, other: Point) -> float:
    total = 0.0
    for x, y in zip(one, other, strict=True):
        total += (x - y) * (x - y)
    return total


def _farthest(points: Sequence[Point], rows: Sequence[int], centre: Point) -> int:
    return min(rows, key=lambda row: (-_apart(points[row], centre), row))


def standardised(records: Sequence[Record]) -> list[list[float]]:
    """Every column in standard deviations from its mean, to the 2⁻²⁰th; missing numbers are at the mean."""
    columns = []
    for column in zip(*records, strict=True):
        known = [x for x in column if x is not None]
        mean = sum(known) / len(known) if known else 0.0
        spread = sqrt(sum((x - mean) ** 2 for x in known) / len(known)) if known else 0.0
        scaled = [0.0 if x is None or spread == 0 else (x - mean) / spread for x in column]
        columns.append([round(z * FINENESS) / FINENESS for z in scaled])
    return [list(point) for point in zip(*columns, strict=True)]


def microaggregated(
    records: Sequence[Record],
    segments: Sequence[int],
    k: int,
    rounded: Callable[[float], float] = lambda mean: mean,
) -> list[list[float | None]]:
    """Every record with the means of its group; records with other gaps or of other segments are never together."""
    points = standardised(records)
    cells: dict[tuple[int, tuple[bool, ...]], list[int]] = {}
    for row, record in enumerate(records):
        cells.setdefault((segments[row], tuple(x is None for x in record)), []).append(row)
    out: list[list[float | None]] = [[] for _ in records]
    for rows in cells.values():
        for group in groups([points[row] for row in rows], k):
            members = [rows[place] for place in group]
            for row in members:
                out[row] = [
                    _mean_of([records[m][c] for m in members], rounded) for c in range(len(records[0]))
                ]
    return out


def _mean_of(values: Sequence[float | None], rounded: Callable[[float], float]) -> float | None:
    known = [x for x in values if x is not None]
    return rounded(sum(known) / len(known)) if known else None
