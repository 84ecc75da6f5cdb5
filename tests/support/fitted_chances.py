"""The probabilities that an oracle fits to the pairs of a mixed table and a release of it."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Array
from hushwood.tables.table import Table
from oracles import reidentification as oracle
from support.noisy_tables import cells

INPUTS = ["count", "price", "ratio", "constant", "void", "city", "job", "nothing"]


def chances(original: Table, released: Table, partner: Array) -> dict[str, oracle.Chance]:
    rows = np.flatnonzero(partner >= 0)
    x, y, everything = cells(original, rows), cells(released, partner[rows]), cells(released)
    found = {}
    for name in INPUTS:
        precision = original.schema[name].precision
        step = None if precision is None else 10.0**-precision
        found[name] = oracle.fitted(x[name], y[name], everything[name], step)
    return found
