"""Random orthonormal columns, orthogonal to given ones, cell by cell: linear algebra of EGADP and shuffling, by numba.

Sums of products go through BLAS. Where columns are far from dependent, one Gram matrix and its Cholesky factor
suffice, in blocks of records that stay in the cache; otherwise columns are made one by one, which is always exact.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hushwood.kernels.compiling import compiled

# If more than this share of a column's squared length is orthogonal to those before it, one Gram matrix suffices.
WELL_APART = 1e-3
BLOCK = 512  # records: about twenty columns of this length fill half of a second-level cache
# Below this share of a column's length, the part orthogonal to those before it is rounding error.
DEPENDENT = 1e-12


@compiled
def _inverse_root(gram):
    """Inverse of the lower Cholesky factor, with 1 for columns of length 0, and the smallest pivot."""
    size = len(gram)
    root = np.zeros((size, size))
    smallest = 1.0
    for j in range(size):
        rest = gram[j, j]
        for m in range(j):
            rest -= root[j, m] ** 2
        if gram[j, j] <= 0.0:
            root[j, j] = 1.0
            continue
        smallest = min(smallest, rest / gram[j, j])
        root[j, j] = math.sqrt(max(rest, 1e-300))
        for i in range(j + 1, size):
            product = gram[i, j]
            for m in range(j):
                product -= root[i, m] * root[j, m]
            root[i, j] = product / root[j, j]
    inverse = np.zeros((size, size))
    for j in range(size):
        inverse[j, j] = 1.0 / root[j, j]
        for i in range(j + 1, size):
            total = 0.0
            for m in range(j, i):
                total -= root[i, m] * inverse[m, j]
            inverse[i, j] = total / root[i, i]
    return inverse, smallest


@compiled
def _middle(block):
    """The mean of every column, counted from the first row, so that equal numbers have exactly their own."""
    rows, width = block.shape
    total = np.zeros(width)
    for i in range(rows):
        for j in range(width):
            total[j] += block[i, j] - block[0, j]
    return block[0] + total / rows


@compiled
def _fill(block, begin, given, given_middle, numbers, middle, normals):
    """Rows of [1, given, numbers, normals] from `begin` on, the first two centred; returns their number."""
    q, k, m = given.shape[1], numbers.shape[1], normals.shape[1]
    rows = min(len(block), len(normals) - begin)
    for i in range(rows):
        block[i, 0] = 1.0
        for j in range(q):
            block[i, 1 + j] = given[begin + i, j] - given_middle[j]
        for j in range(k):
            block[i, 1 + q + j] = numbers[begin + i, j] - middle[j]
        for j in range(m):
            block[i, 1 + q + k + j] = normals[begin + i, j]
    return rows


@compiled
def _drawn_at_once(given, numbers, normals, rho, frame_only, out):
    """The draw of one cell, or only its frame, from one Gram matrix; False if columns are too close for that."""
    q, k = given.shape[1], numbers.shape[1]
    if len(normals) == 0:
        return True
    given_middle, middle = _middle(given), _middle(numbers)
    width = 1 + q + k + normals.shape[1]
    block = np.empty((min(BLOCK, len(normals)), width))
    gram = np.zeros((width, width))
    for begin in range(0, len(normals), BLOCK):
        here = block[: _fill(block, begin, given, given_middle, numbers, middle, normals)]
        gram += np.dot(here.T, here)
    inverse, smallest = _inverse_root(gram)
    if smallest < WELL_APART:
        return False
    weight = np.ascontiguousarray(inverse.T)[:, 1 + q + k :].copy()
    if not frame_only:
        root = np.dot(gram, np.ascontiguousarray(inverse.T))[1 + q : 1 + q + k, 1 + q : 1 + q + k].copy()
        own = inverse.T[:, 1 + q : 1 + q + k].copy()
        fresh = math.sqrt(1.0 - rho * rho) * weight - (1.0 - rho) * own
        weight = np.dot(fresh, np.ascontiguousarray(root.T))
        for j in range(k):
            weight[0, j] += middle[j]
            weight[1 + q + j, j] += 1.0
    for begin in range(0, len(normals), BLOCK):
        rows = _fill(block, begin, given, given_middle, numbers, middle, normals)
        out[begin : begin + rows] = np.dot(block[:rows], weight)
    return True


@compiled
def _add(done, place, values):
    """Write a column orthogonal to 1 and the rows before `place`, of length 1; 0 if nothing of it remains."""
    column = values - values.mean()
    full = math.sqrt(np.dot(column, column))
    before = done[:place]
    # The second time takes out what rounding left of the first, however little of the column was left.
    for _ in range(2):
        column -= column.mean()
        column -= np.dot(before.T, np.dot(before, column))
        length = math.sqrt(np.dot(column, column))
        if length <= DEPENDENT * full:
            column[:] = 0.0
            break
        column /= length
        full = 1.0
    done[place] = column


@compiled
def _drawn_in_turn(given, numbers, normals, rho, frame_only, out):
    """The same, one column after the other: for columns of which some are combinations of others, or nearly so."""
    rows, q, k, m = len(normals), given.shape[1], numbers.shape[1], normals.shape[1]
    done = np.zeros((q + k + m, rows))
    for j in range(q):
        _add(done, j, given[:, j].copy())
    for j in range(k):
        _add(done, q + j, numbers[:, j].copy())
    for j in range(m):
        _add(done, q + k + j, normals[:, j].copy())
    own, fresh = done[q : q + k], done[q + k :]
    if frame_only:
        out[:] = fresh.T
        return
    for j in range(k):
        column = numbers[:, j].copy()
        along = np.dot(own, column - column.mean())
        column -= (1.0 - rho) * np.dot(own.T, along)
        out[:, j] = column + math.sqrt(1.0 - rho * rho) * np.dot(fresh.T, along)


@compiled
def _draws(numbers, given, normals, start, chosen, rho, frame_only, out):
    """The draws of all chosen cells. One function for both uses, because compiling it takes seconds."""
    for c in range(len(start) - 1):
        if not chosen[c]:
            continue
        here = slice(start[c], start[c + 1])
        parts = given[here], numbers[here], normals[here]
        if not _drawn_at_once(*parts, rho, frame_only, out[here]):
            _drawn_in_turn(*parts, rho, frame_only, out[here])


def random_frames(normals: Any, given: Any, start: Any, chosen: Any, out: Any) -> None:
    """In every chosen cell: orthonormal columns made of normal ones, orthogonal to 1 and to the given columns."""
    _draws(np.empty((len(normals), 0)), given, normals, start, chosen, 0.0, True, out)


def exact_draws(
    numbers: Any, given: Any, normals: Any, start: Any, chosen: Any, rho: float, out: Any
) -> None:
    """EGADP in every chosen cell: fitted + rho · residual + sqrt(1 - rho²) · new residual of the same covariance."""
    _draws(numbers, given, normals, start, chosen, rho, False, out)
