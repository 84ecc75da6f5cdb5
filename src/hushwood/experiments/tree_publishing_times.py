"""How long TPP takes for more records and for more attributes: the paper's figures 9 and 10 with our times.

The benchmark asks for limits; here only the growth is of interest.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hushwood.experiments.tree_publishing_tables import ADULT, described_table
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.tree_publishing.options import PublishOptions
from hushwood.tree_publishing.publish import publish

RECORDS = (5_000, 10_000, 15_000, 20_000, 25_000, 30_000, 100_000, 300_000, 1_000_000)
ATTRIBUTES = (2, 4, 6, 8, 10, 12)
# As many leaves as the largest tree of the other figures: larger tables would otherwise get larger trees.
_OPTIONS = PublishOptions(k=5, max_leaves=10)
_REPEATS = 5


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds to publish a table of this size."""

    records: int
    attributes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Times:
    """Times against records and against attributes."""

    by_records: tuple[Timed, ...]
    by_attributes: tuple[Timed, ...]


def run_times(
    folder: Path, records: Sequence[int] = RECORDS, attributes: Sequence[int] = ATTRIBUTES
) -> Times:
    """Publish Adult in several sizes; more records than it has are the same ones again."""
    table = described_table(ADULT, folder)
    _publish(table.take(np.arange(min(1000, table.rows))))  # compiles
    return Times(
        tuple(_timed(table.take(np.arange(count) % table.rows)) for count in records),
        tuple(_timed(_first_columns(table, count)) for count in attributes),
    )


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The slope of the straight line through the logarithms: 1 where twice as much takes twice as long.

    >>> round(exponent([1, 10, 100], [3, 30, 300]), 6)
    1.0
    """
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def _timed(table: Table) -> Timed:
    seconds = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        _publish(table)
        seconds.append(time.perf_counter() - start)
    return Timed(table.rows, len(table.schema.inputs), statistics.median(seconds))


def _publish(table: Table) -> None:
    publish(table, _OPTIONS)


def _first_columns(table: Table, count: int) -> Table:
    """The table with so many of its attributes and the class."""
    target = table.schema.class_attribute
    kept = [*table.schema.inputs[:count], *([target] if target else [])]
    columns = {attribute.name: table.columns[attribute.name] for attribute in kept}
    return Table(Schema(tuple(kept)), columns, table.carried, table.rows)
