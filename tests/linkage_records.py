"""Tables as the plain records that the linkage oracle compares, and knowledge of some of their rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hushwood.attacks.protocol import Knowledge
from hushwood.tables.table import Table
from mixed_tables import plain_rows
from oracles.linkage import Record


def knowledge_of(table: Table, rows: NDArray[np.int64], names: Sequence[str]) -> Knowledge:
    """What is known of these rows."""
    return Knowledge(table.schema, len(rows), {name: table.columns[name][rows] for name in names})


def plain_records(table: Table, names: Sequence[str]) -> list[Record]:
    """One list per record: numbers, texts, None for missing."""
    return [[row[name] for name in names] for row in plain_rows(table)]
