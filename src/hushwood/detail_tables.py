"""Tables of the numbers behind one number, which measures and attacks make and reports show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

# How a report shows a cell; "points" is a difference of shares, "band" a pair of numbers.
DetailUnit = Literal["text", "share", "points", "number", "count", "bits", "band"]
Cell = str | float | tuple[int, int | None] | None


@dataclass(frozen=True, slots=True)
class DetailColumn:
    """A column of a table behind a number."""

    title: str
    unit: DetailUnit = "text"


@dataclass(frozen=True, slots=True)
class DetailTable:
    """Numbers behind the one number, with a title and what they show in a sentence or two."""

    title: str
    says: str
    columns: tuple[DetailColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @classmethod
    def of(
        cls, title: str, says: str, columns: Mapping[str, DetailUnit], rows: Iterable[tuple[Cell, ...]]
    ) -> DetailTable:
        """A table whose columns are given as titles with their units."""
        return cls(title, says, tuple(DetailColumn(*column) for column in columns.items()), tuple(rows))
