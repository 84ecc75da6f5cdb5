"""Ranks, scores and their products inside cells, column after column, compiled by numba."""

from __future__ import annotations

import math

import numpy as np

from hushwood.kernels.compiling import compiled


@compiled
def mean_ranks(values, order, start):
    """Rank (from 1 on) of every record in its cell, the mean one for ties.

    `order` are the records sorted by cell and inside a cell by value, `values` their values in that order.
    """
    out = np.empty(len(values))
    for c in range(len(start) - 1):
        begin = start[c]
        while begin < start[c + 1]:
            end = begin + 1
            while end < start[c + 1] and values[end] == values[begin]:
                end += 1
            for i in range(begin, end):
                out[order[i]] = (begin + end + 1) / 2.0 - start[c]
            begin = end
    return out


@compiled
def counted_values(values, start):
    """The distinct values of every cell of a column that is sorted by cell and value.

    For each: the value, its cell, its share of the cell, and the cell's number plus the share up to it.
    """
    count = 0
    for c in range(len(start) - 1):
        for i in range(start[c], start[c + 1]):
            count += i == start[c] or values[i] != values[i - 1]
    distinct, cell = np.empty(count), np.empty(count, np.int64)
    share, upto = np.empty(count), np.empty(count)
    at = 0
    for c in range(len(start) - 1):
        size = start[c + 1] - start[c]
        begin = start[c]
        for i in range(start[c], start[c + 1]):
            if i + 1 == start[c + 1] or values[i + 1] != values[i]:
                distinct[at], cell[at] = values[i], c
                share[at], upto[at] = (i + 1 - begin) / size, c + (i + 1 - start[c]) / size
                begin = i + 1
                at += 1
    return distinct, cell, share, upto


@compiled
def score_columns(frame, roots, fitted, cell):
    """The triangular root of every record's cell times its row of the frame, plus `fitted` if any, as columns."""
    rows, width = frame.shape
    out = np.empty((width, rows))
    for i in range(rows):
        root = roots[cell[i]]
        for j in range(width):
            total = fitted[i, j] if len(fitted) else 0.0
            for m in range(j + 1):
                total += root[j, m] * frame[i, m]
            out[j, i] = total
    return out


@compiled
def unit_columns(columns, start):
    """Columns sorted by cell and value, less their mean in the cell and of length 1 there; 0 where they do not vary."""
    out = np.zeros(columns.shape)
    for j in range(len(columns)):
        for c in range(len(start) - 1):
            if start[c] == start[c + 1] or columns[j, start[c]] == columns[j, start[c + 1] - 1]:
                continue
            first, last = columns[j, start[c]], columns[j, start[c + 1] - 1]
            total = 0.0
            for i in range(start[c], start[c + 1]):
                out[j, i] = (columns[j, i] - first) / (last - first)
                total += out[j, i]
            middle = total / (start[c + 1] - start[c])
            squares = 0.0
            for i in range(start[c], start[c + 1]):
                out[j, i] -= middle
                squares += out[j, i] ** 2
            length = math.sqrt(squares)
            for i in range(start[c], start[c + 1]):
                out[j, i] /= length
    return out


@compiled
def packed(scores, cell, score_bits, row_bits):
    """One whole number for every record that sorts like cell, score and record, and ends in the record."""
    low, high = scores.min(), scores.max()
    scale = (2.0**score_bits - 1.0) / (high - low) if high > low else 0.0
    out = np.empty(len(scores), np.uint64)
    for i in range(len(scores)):
        step = np.uint64((scores[i] - low) * scale)
        out[i] = (((np.uint64(cell[i]) << np.uint64(score_bits)) | step) << np.uint64(row_bits)) | np.uint64(
            i
        )
    return out


@compiled
def deal(values, sorted_packed, row_bits, out):
    """Give the i-th value to the record in which the i-th of the packed numbers ends."""
    rows = (np.uint64(1) << np.uint64(row_bits)) - np.uint64(1)
    for i in range(len(values)):
        out[sorted_packed[i] & rows] = values[i]


@compiled
def column_products(columns, cell, cells):
    """The products [cell, column, column] of columns over the records of every cell."""
    width, rows = columns.shape
    out = np.zeros((cells, width, width))
    row = np.empty(width)
    for i in range(rows):
        for j in range(width):
            row[j] = columns[j, i]
        for j in range(width):
            for m in range(j + 1):
                out[cell[i], j, m] += row[j] * row[m]
    for c in range(cells):
        for j in range(width):
            for m in range(j):
                out[c, m, j] = out[c, j, m]
    return out
