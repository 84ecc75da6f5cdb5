"""Tables as the plain records that the linkage oracle compares."""

from __future__ import annotations

from collections.abc import Sequence

from hushwood.tables.table import Table
from oracles.linkage import Record
from support.mixed_tables import plain_rows


def plain_records(table: Table, names: Sequence[str]) -> list[Record]:
    """One list per record: numbers, texts, None for missing."""
    return [[row[name] for name in names] for row in plain_rows(table)]
