"""A small table as plain rows, which the slow oracles read; it knows nothing of the product's tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Column(NamedTuple):
    """An attribute; `values` are the categories in order, None for a numeric one."""

    name: str
    values: tuple[str, ...] | None = None


class Table(NamedTuple):
    """Rows of numbers and category codes; `labels` are class codes; None is a missing value."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[float | None, ...], ...]
    labels: tuple[int | None, ...]
    classes: tuple[str, ...]


class Record(NamedTuple):
    """A row with its class and the share of it that is here."""

    values: tuple[float | None, ...]
    label: int
    weight: float


def training_records(table: Table) -> list[Record]:
    """The rows that have a class, each with weight 1."""
    return [
        Record(row, label, 1.0)
        for row, label in zip(table.rows, table.labels, strict=True)
        if label is not None
    ]


def class_weights(records: Sequence[Record], classes: int) -> list[float]:
    """Weight of every class."""
    sums = [0.0] * classes
    for record in records:
        sums[record.label] += record.weight
    return sums
