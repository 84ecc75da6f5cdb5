"""Survey weights in measures: what a record counts, where it stands for several people of the population."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Array, Floats
from hushwood.tables.table import Table


def with_weight(table: Table) -> Table:
    """The records that count: all but those of weight 0."""
    weights = table.weights
    return table if weights is None or weights.all() else table.take(np.flatnonzero(weights))


def weight_of(table: Table) -> float:
    """What all records count: the sum of their weights, or how many there are."""
    weights = table.weights
    return table.rows if weights is None else float(weights.sum())


def counted(met: Array, weights: Floats | None) -> float:
    """What the records count that meet something."""
    return float(met.sum()) if weights is None else float(weights[met].sum())


def mean_of(values: Array, weights: Floats | None) -> float:
    """The mean of some numbers; weights of 0 throughout give none more than others."""
    if weights is None or not weights.any():
        return float(values.mean())
    return float(values @ weights / weights.sum())
