"""Tables of normal numbers in domains that nothing reaches the end of, and what a technique makes of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hushwood.arrays import Floats
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.segments.segments import Segments, domain_intervals
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Technique
from support.mixed_tables import number, table_of

STREAMS = Streams(bytes(range(7, 39)))
MEANS = (50.0, -20.0, 400.0)
COVARIANCE = np.array([[4.0, 3.0, -5.0], [3.0, 9.0, 6.0], [-5.0, 6.0, 100.0]])


def numbers_table(numbers: Floats, precision: int | None = None, far: float = 1e6) -> Table:
    """Columns a, b, c ... of these numbers."""
    names = "abcdefgh"[: numbers.shape[1]]
    return table_of(
        {
            name: (number(name, -far, far, precision), column.tolist())
            for name, column in zip(names, numbers.T, strict=True)
        }
    )


def normal_numbers(rows: int, seed: int = 1) -> Floats:
    """Three columns that go together, with other means and spreads each."""
    return np.random.default_rng(seed).multivariate_normal(MEANS, COVARIANCE, rows)


def segments_of(table: Table, ids: Sequence[int]) -> Segments:
    """Segments by hand, each with the whole domain as its box."""
    count = max(ids) + 1
    names = list(table.columns)
    return Segments(
        np.array(ids, np.int32),
        count,
        {name: domain_intervals(table.schema[name], count) for name in names},
        {},
        {name: np.zeros(count, bool) for name in names},
    )


def released_numbers(
    technique: Technique, table: Table, segments: Segments | None = None, streams: Streams = STREAMS
) -> Floats:
    """The released columns as a matrix."""
    segments = whole_table(table) if segments is None else segments
    names = list(table.columns)
    perturber = technique.prepare(table, names, segments)
    released = perturber.perturb(table.columns, segments.ids, range(table.rows), streams)
    return np.stack([released[name] for name in names], axis=1)


def explained(x: Floats, y: Floats) -> float:
    """R² of one column given another."""
    return float(np.corrcoef(x, y)[0, 1] ** 2)
