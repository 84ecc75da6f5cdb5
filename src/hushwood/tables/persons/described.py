"""Persons and households in words: how many there are, with how many rows, and which columns are constant in them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hushwood.tables.persons.units import levels_of, unit_columns
from hushwood.tables.table import Table


def described_people(table: Table) -> Iterator[str]:
    """A few sentences; none if every row is a person."""
    if not unit_columns(table.schema):
        return
    above = ""
    for level in levels_of(table):
        if not level.column:
            if level.columns:
                yield f"Different between rows: {', '.join(level.columns)}."
            continue
        role, rows = table.schema[level.column].role, level.units.rows
        low, high, middle = int(rows.min()), int(rows.max()), float(np.median(rows))
        each = f"{low}" if low == high else f"{low:,} to {high:,}, in the middle {middle:g}"
        yield f"{level.units.count:,} {role}s ({level.column}) with {table.rows:,} rows: {each} each."
        same = ", ".join(level.columns) or "no column"
        yield f"The same in all rows of a {role}{above}: {same}."
        above = f", but not of a {role}"
