"""Tables of one categorical column in given segments, and the matrix that a law of it stands for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hushwood.arrays import Floats
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Law, Technique
from support.mixed_tables import category, table_of


def coded_table(codes: Sequence[int], categories: int) -> Table:
    """A table whose column `x` holds these codes, -1 for missing."""
    return table_of({"x": (category("x", [f"v{i}" for i in range(categories)]), codes)})


def segmented(ids: Sequence[int]) -> Segments:
    """Segments without rules."""
    return Segments(np.array(ids, np.int32), max(ids, default=0) + 1, {}, {}, {})


def law_of(technique: Technique, table: Table, ids: Sequence[int] | None = None) -> Law:
    """The law of the column `x`."""
    segments = segmented([0] * table.rows if ids is None else ids)
    return technique.prepare(table, ["x"], segments).law()


def matrix_of(law: Law, codes: Sequence[int], segment: int = 0) -> Floats:
    """Probability of every change among the codes, as the law itself says."""
    values = np.array(codes, np.int32)
    original = {"x": np.repeat(values, len(values))}
    released = {"x": np.tile(values, len(values))}
    ids = np.full(len(values) ** 2, segment)
    return np.exp(law.log_prob(original, released, ids)).reshape(len(values), len(values))


def codes_with_counts(counts: Sequence[int]) -> list[int]:
    """So many records of every code."""
    return [code for code, count in enumerate(counts) for _ in range(count)]
