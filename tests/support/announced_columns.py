"""Columns perturbed by one technique, and what a miner knows about them."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Floats
from hushwood.random_streams import Streams
from hushwood.reconstruction.recovered import KnownColumn
from hushwood.segments.partition import whole_table
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Technique
from support.mixed_tables import number, table_of
from support.shaped_samples import apart, shaped, shares


def ages(shape: str = "bimodal", size: int = 4_000) -> Table:
    """One column of whole numbers from 18 to 98, with two hills unless another shape is asked for."""
    values = np.rint(18 + 80 * shaped(shape, size, 3))
    return table_of({"age": (number("age", 18, 98), values.tolist())})


def perturbed(table: Table, technique: Technique) -> Table:
    """The table after a technique has perturbed all its columns."""
    segments = whole_table(table)
    perturber = technique.prepare(table, tuple(table.columns), segments)
    drawn = perturber.perturb(table.columns, segments.ids, range(table.rows), Streams(bytes(32)))
    return table.with_columns({name: drawn[name] for name in drawn})


def known(released: Table, name: str, technique: Technique) -> KnownColumn:
    return KnownColumn(released, name, (technique,), intervals=16)


def how_far(values: Floats, original: Floats, limits: Floats, found: Floats) -> tuple[float, float]:
    """Total variation from the original, before and after the reconstruction."""
    inside = (limits[0], limits[-1])
    before = shares(np.clip(original, *inside), limits)
    return apart(shares(np.clip(values, *inside), limits), before), apart(found, before)
