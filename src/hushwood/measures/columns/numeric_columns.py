"""Numeric columns for statistics: their known values, in a unit in which sums of squares cannot overflow."""

from __future__ import annotations

import math

import numpy as np

from hushwood.arrays import Floats
from hushwood.tables.table import Table


def numeric_names(table: Table) -> list[str]:
    """The numeric columns, in table order."""
    return [a.name for a in table.schema.kept if a.kind == "numeric"]


def known(values: Floats) -> Floats:
    """The values that are not missing."""
    return values[np.isfinite(values)]


def common_unit(*columns: Floats) -> float:
    """The power of two at the largest absolute value: dividing by it is exact, and squares then never overflow.

    >>> common_unit(np.array([3.0, np.nan]), np.array([-9.0]))
    16.0
    """
    largest = max((float(np.abs(values).max(initial=0.0)) for values in map(known, columns)), default=0.0)
    return math.ldexp(1.0, max(min(math.frexp(largest)[1], 1000), -1000)) if largest else 1.0


def is_constant(values: Floats) -> bool:
    """Whether known values are all the same, or there are none."""
    return not len(values) or bool(values.min() == values.max())


def finite_or_none(value: float) -> float | None:
    """The number for a document, None if it is too large to write."""
    return float(value) if math.isfinite(value) else None
