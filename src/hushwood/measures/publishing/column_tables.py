"""Numbers of single columns as a table, and those that outsiders may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hushwood.detail_tables import DetailColumn, DetailTable
from hushwood.measures.protocol import Details
from hushwood.measures.publishing.small_counts import two_decimals


def column_table(
    title: str, says: str, details: Details, titles: Mapping[str, str], worst_by: str
) -> DetailTable:
    """The numbers in `titles` that any column has; the column with the largest `worst_by` comes first."""
    columns = sorted(details["columns"], key=lambda column: -abs(column.get(worst_by) or 0.0))
    shown = [key for key in titles if any(column.get(key) is not None for column in columns)]
    return DetailTable(
        title,
        says,
        (DetailColumn("Column"), *(DetailColumn(titles[key], "number") for key in shown)),
        tuple((column["column"], *(column.get(key) for key in shown)) for column in columns),
    )


def publishable_columns(details: Details, keys: Sequence[str]) -> dict[str, Any]:
    """The numbers with these keys of every column, rounded."""
    return {
        "columns": [
            {"column": column["column"]} | {key: two_decimals(column.get(key)) for key in keys}
            for column in details["columns"]
        ]
    }
