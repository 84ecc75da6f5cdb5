"""Who stands out, and whose numbers a record may get when its group is turned: by comparing everybody."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Record = Sequence[float]


def at_risk(records: Sequence[Record], cells: Sequence[int], k: int, reach: float) -> list[bool]:
    """Whether fewer than k records of the cell lie within reach in every column."""
    found = []
    for one, cell in zip(records, cells, strict=True):
        near = [
            other
            for other, where in zip(records, cells, strict=True)
            if where == cell and max(abs(a - b) for a, b in zip(one, other, strict=True)) <= reach
        ]
        found.append(len(near) < k)
    return found


def chance(
    record: Record,
    released: Record,
    records: Sequence[Record],
    groups: Sequence[int | None],
    masked: Callable[[Record, Record], float],
    apart: Callable[[int, float, float], float],
) -> float:
    """The mean over the records that are like this one; in a group, column by column the mean over the others."""
    like = [row for row, other in enumerate(records) if list(other) == list(record)]
    total = 0.0
    for row in like:
        if groups[row] is None:
            total += masked(record, released)
            continue
        sources = [r for r, group in enumerate(groups) if group == groups[row] and r != row]
        product = 1.0
        for column, y in enumerate(released):
            product *= sum(apart(column, records[r][column], y) for r in sources) / len(sources)
        total += product
    return total / len(like)
