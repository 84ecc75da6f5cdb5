"""Releases of mixed tables by somebody else's noise, and what an oracle needs to judge them."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Array
from hushwood.tables.table import Table
from support.mixed_tables import Cell, plain_rows

UNTOUCHED = ("constant", "void", "nothing")


def noisy(table: Table, seed: int, *, gaps: bool = False, changed: float = 0.4) -> Table:
    """Normal noise on numbers (on their grids), random categories; with gaps, values also appear and vanish."""
    chance = np.random.default_rng(seed)
    columns: dict[str, Array] = {}
    for attribute in table.schema.attributes:
        values = table.columns[attribute.name]
        if attribute.name in UNTOUCHED:
            continue
        if attribute.kind == "categorical":
            drawn = chance.integers(-1, len(attribute.categories), len(values))
            moved: Array = np.where(chance.random(len(values)) < changed, drawn, values).astype(np.int32)
        else:
            noise = chance.normal(0.0, 2.0, len(values))
            moved = values + (noise if attribute.precision is None else np.round(noise, attribute.precision))
            if gaps:
                moved = np.where(chance.random(len(values)) < 0.1, np.nan, moved)
                moved = np.where(np.isnan(moved) & (chance.random(len(values)) < 0.5), 1.0, moved)
        columns[attribute.name] = moved
    return table.with_columns(columns)


def some_left(released: Table, seed: int, rows: int) -> tuple[Table, Array]:
    """Some of the released rows in another order, and the partners of the original's rows among them."""
    left = np.random.default_rng(seed).permutation(released.rows)[:rows]
    partner = np.full(released.rows, -1)
    partner[left] = np.arange(rows)
    return released.take(left), partner


def cells(table: Table, rows: Array | None = None) -> dict[str, list[Cell]]:
    """Columns as people read them, of all rows or of some."""
    records = plain_rows(table if rows is None else table.take(rows))
    return {name: [record[name] for record in records] for name in table.schema.names}
