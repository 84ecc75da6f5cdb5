"""How long TPP takes for more records and for more attributes: the paper's figures 9 and 10 with our times.

The benchmark asks for limits and goes to a million records; here only the growth on Adult is of interest.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.tree_publishing.options import PublishOptions
from hushwood.tree_publishing.publish import publish

RECORDS = (5_000, 10_000, 15_000, 20_000, 25_000, 30_000)
ATTRIBUTES = (2, 4, 6, 8, 10, 12)
# As many leaves as the largest tree of the other figures: larger tables would otherwise get larger trees.
_OPTIONS = PublishOptions(k=5, max_leaves=10, threads=1)


def seconds_by_records(table: Table, repeats: int) -> dict[str, list[float]]:
    """Seconds to publish the first so many records, by their number."""
    return _seconds({count: table.take(np.arange(min(count, table.rows))) for count in RECORDS}, repeats)


def seconds_by_attributes(table: Table, repeats: int) -> dict[str, list[float]]:
    """Seconds to publish all records with their first so many attributes and the class, by that number."""
    return _seconds({count: first_attributes(table, count) for count in ATTRIBUTES}, repeats)


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The slope of the straight line through the logarithms: 1 where twice as much takes twice as long.

    >>> round(exponent([1, 10, 100], [3, 30, 300]), 6)
    1.0
    """
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def first_attributes(table: Table, count: int) -> Table:
    """The table with so many of its attributes and the class."""
    target = table.schema.class_attribute
    kept = [*table.schema.inputs[:count], *([target] if target else [])]
    columns = {attribute.name: table.columns[attribute.name] for attribute in kept}
    return Table(Schema(tuple(kept)), columns, table.carried, table.rows)


def _seconds(tables: dict[int, Table], repeats: int) -> dict[str, list[float]]:
    first = next(iter(tables.values()))
    publish(first.take(np.arange(min(1_000, first.rows))), _OPTIONS)  # compiles
    return {str(size): [_timed(table) for _ in range(repeats)] for size, table in tables.items()}


def _timed(table: Table) -> float:
    start = time.perf_counter()
    publish(table, _OPTIONS)
    return round(time.perf_counter() - start, 4)
