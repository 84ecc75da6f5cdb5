"""Random orthonormal columns beside given ones, cell by cell: the linear algebra of EGADP and shuffling, by numba.

Sums of products go through BLAS. Where columns are well apart, all comes from one Gram matrix and its Cholesky factor,
in blocks of records that stay in the cache. Else a basis is made that way twice, which is as exact for columns that are
closer, and where they are nearly dependent one column after the other.
"""

from __future__ import annotations

import math

import numba
import numpy as np

# Above this share of a column's squared length beside those before it, one Gram matrix is exact enough.
WELL_APART = 1e-3
BLOCK = 512  # records: some twenty columns of them fill half of a second-level cache
# Below this share of a column's length its part beside the columns before it is too small for the fast way.
NEARLY_DEPENDENT = 1e-3
# Below this share it is rounding error, which points anywhere: the column gets no direction of its own.
DEPENDENT = 1e-12


@numba.njit(cache=True, nogil=True)
def _centred(block):
    """The columns less their means, in two passes."""
    out = block.copy()
    for _ in range(2):
        for j in range(out.shape[1]):
            out[:, j] -= out[:, j].mean()
    return out


@numba.njit(cache=True, nogil=True)
def _lengths(block):
    """Length of every column; 1 for those that are 0."""
    out = np.ones(block.shape[1])
    for j in range(block.shape[1]):
        length = math.sqrt(np.dot(block[:, j].copy(), block[:, j].copy()))
        if length > 0.0:
            out[j] = length
    return out


@numba.njit(cache=True, nogil=True)
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


@numba.njit(cache=True, nogil=True)
def _basis(block, full, fixed):
    """Orthonormal columns that span the columns of a centred block beside `fixed`; 0 for dependent columns.

    `full` are the lengths that the columns had before other parts were taken out of them.
    """
    lengths = _lengths(block)
    scaled = block / lengths
    inverse, smallest = _inverse_root(np.dot(scaled.T, scaled))
    for j in range(len(lengths)):
        smallest = min(smallest, (lengths[j] / full[j]) ** 2)
        if lengths[j] <= DEPENDENT * full[j]:
            scaled[:, j] = 0.0
    if smallest < NEARLY_DEPENDENT**2:
        return _in_turn(scaled, fixed)
    found = np.dot(scaled, np.ascontiguousarray(inverse.T))
    inverse, _ = _inverse_root(np.dot(found.T, found))
    return np.dot(found, np.ascontiguousarray(inverse.T))


@numba.njit(cache=True, nogil=True)
def _in_turn(scaled, fixed):
    """The same, one column after the other: each twice made orthogonal to 1, `fixed` and those before it."""
    rows, width = scaled.shape
    given = fixed.shape[1]
    done = np.zeros((given + width, rows))
    done[:given] = fixed.T
    for j in range(width):
        column = scaled[:, j].copy()
        for _ in range(2):
            column -= column.mean()
            before = done[: given + j]
            column -= np.dot(before.T, np.dot(before, column))
            length = math.sqrt(np.dot(column, column))
            if length <= DEPENDENT:
                column[:] = 0.0
                break
            column /= length
        done[given + j] = column
    return np.ascontiguousarray(done[given:].T)


@numba.njit(cache=True, nogil=True)
def _beside(block, basis):
    """What is left of the columns beside a basis, in two passes."""
    if basis.shape[1] == 0:
        return block
    for _ in range(2):
        block = block - np.dot(basis, np.dot(basis.T, block))
    return block


@numba.njit(cache=True, nogil=True)
def _middle(block):
    """The mean of every column, counted from the first row, so that equal numbers have exactly their own."""
    rows, width = block.shape
    total = np.zeros(width)
    for i in range(rows):
        for j in range(width):
            total[j] += block[i, j] - block[0, j]
    return block[0] + total / rows


@numba.njit(cache=True, nogil=True)
def _fill(block, begin, given, given_middle, numbers, middle, normals):
    """Rows of [1, given, numbers, normals] from `begin` on, the former two centred; how many there are."""
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


@numba.njit(cache=True, nogil=True)
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


@numba.njit(cache=True, nogil=True)
def random_frames(normals, given, start, chosen, out):
    """In every chosen cell: orthonormal columns made of normal ones, orthogonal to 1 and to the given columns."""
    for c in range(len(start) - 1):
        if not chosen[c]:
            continue
        here = slice(start[c], start[c + 1])
        if _drawn_at_once(given[here], normals[here, :0], normals[here], 0.0, True, out[here]):
            continue
        drawn = _centred(normals[here])
        fixed = _fixed(given[here])
        drawn = _beside(drawn, fixed)
        out[here] = _basis(drawn, _lengths(drawn), fixed)


@numba.njit(cache=True, nogil=True)
def _fixed(given):
    """Orthonormal columns that span the given ones, centred."""
    centred = _centred(given)
    return _basis(centred, _lengths(centred), np.empty((len(given), 0)))


@numba.njit(cache=True, nogil=True)
def exact_draws(numbers, given, normals, start, chosen, rho, out):
    """EGADP in every chosen cell: fitted + rho · residual + sqrt(1 - rho²) · new residual of the same covariance."""
    for c in range(len(start) - 1):
        if not chosen[c]:
            continue
        here = slice(start[c], start[c + 1])
        if _drawn_at_once(given[here], numbers[here], normals[here], rho, False, out[here]):
            continue
        centred = _centred(numbers[here])
        fixed = _fixed(given[here])
        residual, drawn = _beside(centred, fixed), _beside(_centred(normals[here]), fixed)
        own = _basis(residual, _lengths(centred), fixed)
        drawn = _beside(drawn, own)
        fresh = np.dot(_basis(drawn, _lengths(drawn), fixed), np.dot(own.T, residual))
        out[here] = numbers[here] - (1.0 - rho) * residual + math.sqrt(1.0 - rho * rho) * fresh
