"""Small random tables of categorical rows for the clusterings of records, and their clusters as plain dictionaries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from hushwood.arrays import Codes
from hushwood.tables.table import Table
from hushwood.value_clusters.grouping.records import RecordClusters, RecordTuples, record_tuples
from support.mixed_tables import category, table_of, target

Row = tuple[int, ...]
SPAN = 10  # value v of attribute a has number SPAN · a + v


@st.composite
def row_lists(draw: st.DrawFn, most: int = 14) -> list[Row]:
    """Rows of two to four attributes with few values, many of them alike or equal."""
    attributes = draw(st.integers(2, 4))
    values = draw(st.integers(2, 4))
    row = st.tuples(*[st.integers(0, values - 1)] * attributes)
    return draw(st.lists(row, min_size=1, max_size=most))


def shares() -> st.SearchStrategy[float]:
    """Thresholds, those at which similarities of few attributes lie among them."""
    return st.sampled_from([0.0, 0.1, 0.2, 1 / 3, 0.4, 0.5, 0.6, 0.75, 0.9, 1.0])


def numbers(rows: Sequence[Row]) -> Codes:
    """The rows as value numbers."""
    return (np.array(rows) + np.arange(len(rows[0])) * SPAN).astype(np.int32)


def tuples_of(rows: Sequence[Row]) -> RecordTuples:
    return record_tuples(numbers(rows), SPAN * len(rows[0]))


def found(clusters: RecordClusters) -> dict[Row, int]:
    """The cluster of every row that was clustered."""
    rows = (clusters.tuples.values % SPAN).tolist()
    return {tuple(row): c for row, c in zip(rows, clusters.cluster.tolist(), strict=True)}


def together(clusters: dict[Row, int]) -> set[frozenset[Row]]:
    """Which rows share a cluster, whatever it is called."""
    return {frozenset(row for row, c in clusters.items() if c == cluster) for cluster in clusters.values()}


def everything(rows: Sequence[Row]) -> list[Row]:
    """All rows of values that occur or, for one of them, do not."""
    width = max(max(row) for row in rows) + 2
    return [tuple(row) for row in np.ndindex(*[width] * len(rows[0]))]


def table_of_rows(rows: Sequence[Row], columns: Sequence[int] | None = None) -> Table:
    """Columns c0, c1, ... in the order given, the first the class; value 0 is missing."""
    order = range(len(rows[0])) if columns is None else columns
    described = {
        f"c{a}": ((category if a else target)(f"c{a}", "uvwxyz"), [row[a] - 1 for row in rows]) for a in order
    }
    return table_of(described)
