"""What was generalised to what, as data for reports; extremes of a column are never told."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """What one released value stands for: numbers above `low` up to `high` (None: no end), or categories.

    `released` is None where missing values stay missing.
    """

    released: float | str | None
    records: int
    low: float | None = None
    high: float | None = None
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """One column: whether a tree tests it, its different values before and after, and the parts they fell into."""

    name: str
    tested: bool
    before: int
    after: int
    parts: tuple[Part, ...]
