"""Records that break a link, counted one by one from rows of plain values; None is missing.

Links are known by the name of their kind, and by what they hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from typing import Any

Row = dict[str, Any]
Link = Any


def broken(link: Link, rows: Sequence[Row], original: Sequence[Row] | None = None, step: float = 0.01) -> int:
    """How many rows break the link; without an original, the rows themselves say what is possible."""
    if _kind(link) == "Constant":
        return _changing(link, rows)
    if _kind(link) == "Determines":
        return _undetermined(link, rows) if original is None else _strangers(link, rows, original)
    if _kind(link) == "Combinations":
        known = [tuple(row[name] for name in link.columns) for row in (original or rows)]
        return sum(tuple(row[name] for name in link.columns) not in known for row in rows)
    return sum(_breaks(link, row, step) for row in rows)


def _kind(link: Link) -> str:
    return type(link).__name__


def _breaks(link: Link, row: Row, step: float) -> bool:
    if _kind(link) == "Order":
        pairs = pairwise(row[name] for name in link.columns)
        return any(one is not None and other is not None and one > other for one, other in pairs)
    if _kind(link) == "Condition":
        return row[link.when] in link.values and row[link.column] not in link.allowed
    values = [row[name] for name in link.columns]
    if any(value is None for value in values):
        return False
    if _kind(link) == "Quotient":
        whole, of, by = values
        return by != 0 and bool(abs(whole - of / by**link.power * 10.0**link.shift) > step / 2 + 1e-6 * step)
    total, *parts = (value.toordinal() if isinstance(value, date) else value for value in values)
    return bool(abs(total - sum(parts)) > step / 2 + 1e-6)


def _undetermined(link: Link, rows: Sequence[Row]) -> int:
    """Rows without what most rows of the same value have, for any column that follows."""
    usual: dict[tuple[str, Any], Any] = {}
    for name in link.follows:
        for given in {row[link.given] for row in rows}:
            found = [row[name] for row in rows if row[link.given] == given]
            usual[name, given] = max(sorted(set(found), key=str), key=found.count)
    return sum(any(row[name] != usual[name, row[link.given]] for name in link.follows) for row in rows)


def _strangers(link: Link, rows: Sequence[Row], original: Sequence[Row]) -> int:
    known = {(row[link.given], name, row[name]) for row in original for name in link.follows}
    values = {row[link.given] for row in original}

    def strange(row: Row) -> bool:
        given = row[link.given]
        if given not in values and isinstance(given, int | float | date):
            return False  # a number between those seen says nothing
        return any((given, name, row[name]) not in known for name in link.follows)

    return sum(map(strange, rows))


def _changing(link: Link, rows: Sequence[Row]) -> int:
    """All rows of groups in which a column has several values."""
    groups: dict[Any, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[link.within], []).append(row)
    return sum(
        len(group) for group in groups.values() if any(len({r[c] for r in group}) > 1 for c in link.same)
    )
