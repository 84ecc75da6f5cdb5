"""Measures that can be taken in batches: counted of some records at a time, put together in any order, then finished.

Of a table too long for memory they give the number of all its records. Their `compute` is one batch, so that both ways
are the same code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol, Self, runtime_checkable

from hushwood.arrays import Codes
from hushwood.measures.protocol import Measurement, NotComputable
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table


class Tally(Protocol):
    """What a measure has counted so far; both tables have one coding."""

    def add(self, original: Table, released: Table, segment_ids: Codes | None = None) -> None:
        """Count more records, with the segment of each where that is known."""

    def merge(self, other: Self) -> None:
        """Add what another tally has counted."""

    def finish(self) -> Measurement | NotComputable | None:
        """The answer, with the details that can be counted; None if the table has too many different values."""


@runtime_checkable
class Mergeable(Protocol):
    """A measure that can be taken in batches."""

    # Whether row i of both tables must be the same record; if not, any rows may come together in a batch.
    of_pairs: bool

    def tally(self, schema: Schema) -> Tally:
        """Begin to count records of this schema."""


def of_all_records(sampled: Measurement, exact: Measurement) -> Measurement:
    """The answer of a sample with all that was counted of the whole table in its place.

    Details that cannot be counted in batches remain those of the sample.
    """
    return replace(sampled, value=exact.value, details=_laid_over(sampled.details, exact.details))


def _laid_over(under: Any, over: Any) -> Any:
    """Details over others of the same form; rows of a list that name the same column are put together, too."""
    if isinstance(under, Mapping) and isinstance(over, Mapping):
        return {**under, **{key: _laid_over(under.get(key), value) for key, value in over.items()}}
    if (
        isinstance(under, list)
        and isinstance(over, list)
        and _columns(under)
        and _columns(under) == _columns(over)
    ):
        return [_laid_over(first, second) for first, second in zip(under, over, strict=True)]
    return over


def _columns(rows: list[Any]) -> list[str]:
    return [row["column"] for row in rows if isinstance(row, Mapping) and "column" in row]
