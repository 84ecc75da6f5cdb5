"""What a miner wins back from a FRAPP release: shares of combinations of values, and how precise they are.

The gamma-diagonal matrix keeps a record with probability q and else draws each of its n cells alike, so the share of a
cell falls to q·x + (1 - q)/n. The inverse is as simple, for all columns and for any of them (Agrawal and Haritsa 2005).
The technique is `techniques.frapp`; `amplification` weighs any other transition matrix by the same measure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.errors import InputError, unknown_name
from hushwood.reconstruction.frequencies import nearest_frequencies
from hushwood.tables.table import Table
from hushwood.techniques.frapp import GammaDiagonalLaw
from hushwood.techniques.laws.groupings import coded

MOST_CELLS = 4_000_000


class Shares(NamedTuple):
    """Estimated shares with one axis per column, missing last in columns with gaps, and their standard errors."""

    shares: Floats
    errors: Floats


def estimated_shares(
    released: Table, laws: Sequence[GammaDiagonalLaw], over: Sequence[str], *, clip: bool = True
) -> Shares:
    """The shares of all combinations of some columns before FRAPP, from the released table and the laws it drew from.

    Unbiased as they are; `clip` takes the nearest shares that are at least 0 and sum to 1. The errors are those of the
    unbiased estimates, for a table that is itself a sample.
    """
    domains = {
        name: domain
        for law in laws
        for name, *domain in zip(law.attributes, law.sizes, law.gaps, strict=True)
    }
    for name in over:
        if name not in domains:
            raise unknown_name("column that FRAPP perturbed", name, tuple(domains))
        if (released.columns[name] < 0).any() and not domains[name][1]:
            raise InputError(
                f"Column {name!r} has missing values, which its law rules out; give its own law."
            )
    shape = tuple(max(domains[name][0], 1) for name in over)
    if math.prod(shape) > MOST_CELLS:
        raise InputError(
            f"These {len(over)} columns have {math.prod(shape):,} combinations, more than {MOST_CELLS:,}; name fewer."
        )
    found = _counted(released, over, shape) / max(released.rows, 1)
    squares = found
    for law in laws:
        axes = tuple(over.index(name) for name in law.attributes if name in over)
        if axes:
            cells = math.prod(shape[axis] for axis in axes)
            off = -(1 - law.kept) / law.kept / cells
            found = _weighed(found, axes, off + 1 / law.kept, off)
            squares = _weighed(squares, axes, (off + 1 / law.kept) ** 2, off**2)
    errors = np.sqrt(np.maximum(squares - found**2, 0.0) / max(released.rows, 1))
    return Shares(nearest_frequencies(found.ravel()).reshape(shape) if clip else found, errors)


def _counted(released: Table, over: Sequence[str], shape: tuple[int, ...]) -> Floats:
    """How many released records have every combination of values."""
    codes: Integers = np.zeros(released.rows, np.int64)
    for name, size in zip(over, shape, strict=True):
        own = coded(released.columns[name], size)
        if own.max(initial=0) >= size:
            raise InputError(f"Column {name!r} has more values than its law draws from; give its own law.")
        codes = codes * size + own
    return np.bincount(codes, minlength=math.prod(shape)).reshape(shape).astype(np.float64)


def _weighed(shares: Floats, axes: tuple[int, ...], own: float, other: float) -> Floats:
    """The weight `own` for a cell's own share, and `other` for all that differ from it on these axes."""
    return np.asarray((own - other) * shares + other * shares.sum(axis=axes, keepdims=True))


def amplification(matrix: Floats) -> float:
    """How many times as likely a released value is from one original as from another, at most.

    `matrix[k, l]` is the probability that value k is released as l. Infinite if a released value excludes an original.

    >>> round(amplification(np.array([[0.8, 0.2], [0.4, 0.6]])), 9)
    3.0
    """
    matrix = np.asarray(matrix, np.float64)
    possible = matrix[:, matrix.max(axis=0) > 0]
    least = possible.min(axis=0)
    return float((possible.max(axis=0) / least).max()) if (least > 0).all() else math.inf
