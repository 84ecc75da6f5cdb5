"""Means, covariances, triangular roots and products of every cell: the loops behind joint laws, compiled by numba."""

from __future__ import annotations

import math

import numpy as np

from hushwood.kernels.compiling import compiled

# A pivot below this share of its variance is rounding error: the column is a combination of those before it.
SINGULAR = 1e-10


@compiled
def cell_moments(values, cell, cells):
    """Mean [cell, column] and covariance [cell, column, column] (divisor n - 1) of the rows of every cell.

    All is counted from the cell's first row, so that a column of equal numbers has exactly their mean and no variance.
    """
    rows, width = values.shape
    count = np.zeros(cells)
    first, mean = np.zeros((cells, width)), np.zeros((cells, width))
    for i in range(rows):
        c = cell[i]
        if count[c] == 0:
            first[c] = values[i]
        count[c] += 1
        for j in range(width):
            mean[c, j] += values[i, j] - first[c, j]
    for c in range(cells):
        for j in range(width):
            mean[c, j] /= max(count[c], 1.0)
    covariance = np.zeros((cells, width, width))
    away = np.empty(width)
    for i in range(rows):
        c = cell[i]
        for j in range(width):
            away[j] = values[i, j] - first[c, j] - mean[c, j]
        for j in range(width):
            for m in range(j + 1):
                covariance[c, j, m] += away[j] * away[m]
    for c in range(cells):
        for j in range(width):
            for m in range(j + 1):
                covariance[c, j, m] /= max(count[c] - 1.0, 1.0)
                covariance[c, m, j] = covariance[c, j, m]
    return first + mean, covariance


@compiled
def column_spreads(values):
    """The standard deviation of the values that are there, for every column; 1 if there is none to speak of."""
    rows, width = values.shape
    first, count = np.full(width, np.nan), np.zeros(width)
    mean, square = np.zeros(width), np.zeros(width)
    for again in range(2):
        for i in range(rows):
            for j in range(width):
                value = values[i, j]
                if math.isnan(value):
                    continue
                if math.isnan(first[j]):
                    first[j] = value
                if again:
                    square[j] += (value - first[j] - mean[j]) ** 2
                else:
                    mean[j] += value - first[j]
                    count[j] += 1
        if not again:
            mean /= np.maximum(count, 1.0)
    spread = np.sqrt(square / np.maximum(count, 1.0))
    return np.where(spread > 0.0, spread, 1.0)


@compiled
def triangular_roots(covariance):
    """Lower triangular roots of positive semidefinite matrices; dependent columns get a zero pivot."""
    cells, width, _ = covariance.shape
    root = np.zeros_like(covariance)
    for c in range(cells):
        for j in range(width):
            rest = covariance[c, j, j]
            for m in range(j):
                rest -= root[c, j, m] ** 2
            if rest <= SINGULAR * covariance[c, j, j] or rest <= 0.0:
                continue
            root[c, j, j] = math.sqrt(rest)
            for i in range(j + 1, width):
                product = covariance[c, i, j]
                for m in range(j):
                    product -= root[c, i, m] * root[c, j, m]
                root[c, i, j] = product / root[c, j, j]
    return root


@compiled
def cell_products(values, matrices, cell):
    """The matrix of every row's cell times the row, without a copy of the matrix for every row."""
    rows, width = len(values), matrices.shape[1]
    out = np.zeros((rows, width))
    for i in range(rows):
        for j in range(width):
            total = 0.0
            for m in range(values.shape[1]):
                total += matrices[cell[i], j, m] * values[i, m]
            out[i, j] = total
    return out
