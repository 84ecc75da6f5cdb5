"""Values drawn one after another from the counts that remain, compiled by numba; `approximate_swap` calls it.

`Tables` are those of every swapped column j by some of the columns before it: `subsets[s]` lists those columns for
table s, -1 where there are fewer, and `offset[s]` is where the table begins in the flat counts. The tables of column j
are those from `first[j]` to `first[j + 1]`, and `power[j]` is the weight of each.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from hushwood.kernels.compiling import compiled as _compile

Tables = namedtuple("Tables", "widths first subsets offset power fixed cells")

USED_UP = math.log(1e-6)  # what a combination weighs that does not remain: a millionth of a record


@_compile
def _place(record, s, j, tables):
    """Where the counts of column j begin for the values of this record in the columns of table s."""
    at = 0
    for i in range(tables.subsets.shape[1]):
        column = tables.subsets[s, i]
        if column >= 0:
            at = at * tables.widths[column] + record[column]
    return tables.offset[s] + at * tables.widths[j]


@_compile
def _count(record, step, tables, counts, ones):
    """Add a record to all counts, or set its counts to 0 if the step is 0."""
    for j in range(tables.fixed, len(tables.widths)):
        value = record[j]
        ones[j, value] = ones[j, value] + step if step else 0
        for s in range(tables.first[j], tables.first[j + 1]):
            at = _place(record, s, j, tables) + value
            counts[at] = counts[at] + step if step else 0


@_compile
def _weigh(record, j, tables, counts, ones, weights):
    """Logarithms of the weights of column j's values, given the record's before it; return the sum of the weights."""
    for v in range(tables.widths[j]):
        weights[v] = math.log(ones[j, v]) if ones[j, v] > 0 else -np.inf
    for s in range(tables.first[j], tables.first[j + 1]):
        begin = _place(record, s, j, tables)
        for v in range(tables.widths[j]):
            if ones[j, v] > 0:
                left = counts[begin + v]
                weights[v] += tables.power[j] * math.log(left / ones[j, v]) if left > 0 else USED_UP
    top = weights[: tables.widths[j]].max()
    total = 0.0
    for v in range(tables.widths[j]):
        if ones[j, v] > 0:
            weights[v] -= top
            total += math.exp(weights[v])
    return total


@_compile
def swap_approximately(codes, orders, start, tables, u, out):
    """Draw the columns after the fixed ones into `out`, which begins as a copy of the codes.

    `orders[j]` are the rows of a column in turn, by group: group g has those from start[g] to start[g + 1].
    """
    counts = np.zeros(tables.cells, np.int32)
    ones = np.zeros((len(tables.widths), tables.widths.max()), np.int32)
    weights = np.empty(tables.widths.max())
    for g in range(len(start) - 1):
        rows = orders[0, start[g] : start[g + 1]]
        for row in rows:
            _count(codes[row], 1, tables, counts, ones)
        for j in range(tables.fixed, len(tables.widths)):
            for row in orders[j - tables.fixed, start[g] : start[g + 1]]:
                total = _weigh(out[row], j, tables, counts, ones, weights)
                position = u[row, j - tables.fixed] * total
                value = -1
                for v in range(tables.widths[j]):
                    if ones[j, v] > 0:
                        value = v
                        position -= math.exp(weights[v])
                        if position < 0.0:
                            break
                out[row, j] = value
                ones[j, value] -= 1
                for s in range(tables.first[j], tables.first[j + 1]):
                    counts[_place(out[row], s, j, tables) + value] -= 1
        for row in rows:
            _count(codes[row], 0, tables, counts, ones)
            _count(out[row], 0, tables, counts, ones)


@_compile
def log_of_first(codes, rows, start, asked, asked_rows, asked_start, tables, logs):
    """Logarithm of the probability of every asked record, if it were drawn first from the counts of its group."""
    counts = np.zeros(tables.cells, np.int32)
    ones = np.zeros((len(tables.widths), tables.widths.max()), np.int32)
    weights = np.empty(tables.widths.max())
    for g in range(len(asked_start) - 1):
        held = rows[start[g] : start[g + 1]]
        for row in held:
            _count(codes[row], 1, tables, counts, ones)
        for row in asked_rows[asked_start[g] : asked_start[g + 1]]:
            for j in range(tables.fixed, len(tables.widths)):
                total = _weigh(asked[row], j, tables, counts, ones, weights)
                logs[row] += weights[asked[row, j]] - math.log(total) if total > 0.0 else -np.inf
        for row in held:
            _count(codes[row], 0, tables, counts, ones)
