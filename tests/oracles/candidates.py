"""Scores of a list of candidates by their definitions, one candidate after the other; None is a missing value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from math import exp, log
from statistics import median

import numpy as np

from oracles.near_rows import Record, Value


def numbers(rows: Sequence[Record], name: str) -> list[float]:
    """The known numbers of a column, ascending."""
    return sorted(value for row in rows if isinstance(value := row[name], float))


def in_tenths(listed: Sequence[Record], rows: Sequence[Record], name: str) -> list[Value]:
    """How many of nine cuts through the list are not above each number, counted from the end of the shorter tail."""
    known = numbers(listed, name)
    if not known:
        return [row[name] for row in rows]
    middle = median(known)
    sign = -1.0 if middle - known[0] > known[-1] - middle else 1.0
    turned = sorted(sign * value for value in known)
    cuts = {turned[tenth * len(turned) // 10] for tenth in range(1, 10)}
    found = (row[name] for row in rows)
    return [float(sum(cut <= sign * v for cut in cuts)) if isinstance(v, float) else None for v in found]


def coarse(listed: Sequence[Record], rows: Sequence[Record]) -> list[Record]:
    """Records with numbers in tenths of the list."""
    columns = {}
    for name in listed[0]:
        numeric = any(isinstance(row[name], float) for row in (*listed, *rows))
        columns[name] = in_tenths(listed, rows, name) if numeric else [row[name] for row in rows]
    return [{name: values[i] for name, values in columns.items()} for i in range(len(rows))]


def log_counts(
    targets: Sequence[Record], released: Sequence[Record], names: Sequence[tuple[str, ...]]
) -> list[float]:
    """The logarithms of how many released records share the values in these columns, added up."""
    counts = {some: Counter(tuple(row[n] for n in some) for row in released) for some in names}
    return [sum(log(counts[some][tuple(row[n] for n in some)] + 0.5) for some in names) for row in targets]


def pair_trace(
    targets: Sequence[Record], listed: Sequence[Record], released: Sequence[Record]
) -> list[float]:
    """Released share less the list's, over the list's and one candidate more, added up over pairs."""
    total = [0.0] * len(targets)
    for pair in combinations(listed[0], 2):
        theirs, own = (Counter(tuple(row[n] for n in pair) for row in rows) for rows in (released, listed))
        for i, row in enumerate(targets):
            cell = tuple(row[n] for n in pair)
            share = own[cell] / len(listed)
            total[i] += (theirs[cell] / len(released) - share) / (share + 1 / len(listed))
    return total


def whitened(
    targets: Sequence[Record],
    listed: Sequence[Record],
    released: Sequence[Record],
    ridge: Callable[[float, int, int], float],
    cells: Sequence[tuple[str, Value]],
) -> list[float]:
    """(x - mean) (covariance + ridge)^-1 (released shares - mean), over all levels of all columns."""

    def marks(rows: Sequence[Record]) -> np.ndarray:
        return np.array([[float(row[name] == value) for name, value in cells] for row in rows])

    of_list = marks(listed)
    mean = of_list.mean(axis=0)
    covariance = (of_list - mean).T @ (of_list - mean) / len(listed)
    levels = int((of_list.sum(axis=0) > 0).sum())
    inverse = np.linalg.inv(
        covariance + ridge(float(np.trace(covariance)), levels, len(cells)) * np.eye(len(cells))
    )
    difference = marks(released).mean(axis=0) - mean
    # Levels that nobody on the list has say nothing about a candidate.
    difference[of_list.sum(axis=0) == 0] = 0.0
    return [float((row - mean) @ inverse @ difference) for row in marks(targets)]


def leaf_likelihood(
    targets: Sequence[Record], listed: Sequence[Record], released: Sequence[Record], share: float
) -> list[float]:
    """The logarithms of the released counts over the expected ones, added up over columns."""
    total = [0.0] * len(targets)
    for name in listed[0]:
        theirs, own = Counter(row[name] for row in released), Counter(row[name] for row in listed)
        for i, row in enumerate(targets):
            total[i] += log((theirs[row[name]] + 0.5) / (own[row[name]] * share + 0.5))
    return total


def rank_distances(one: Sequence[Record], other: Sequence[Record], rest: Sequence[Record] = ()) -> np.ndarray:
    """Sums of distances over attributes; numbers by their mid-ranks in all tables, from 0 to 1."""
    total = np.zeros((len(one), len(other)))
    for name in one[0]:
        everything = numbers([*one, *other, *rest], name)
        place = {value: everything.index(value) + everything.count(value) / 2 for value in set(everything)}
        width = max(place.values()) - min(place.values()) if place else 0.0
        for i, first in enumerate(one):
            for j, second in enumerate(other):
                a, b = first[name], second[name]
                if isinstance(a, float) and isinstance(b, float) and width:
                    total[i, j] += abs(place[a] - place[b]) / width
                else:
                    total[i, j] += float(a != b)
    return total


def densities(
    targets: Sequence[Record], listed: Sequence[Record], released: Sequence[Record]
) -> tuple[list[float], list[float], list[float]]:
    """Mean kernel to released records and to other candidates, as logarithms, and the local likelihood ratio."""
    to_released = rank_distances(targets, released, listed)
    to_list = rank_distances(targets, listed, released)
    of_released = rank_distances(released, listed, targets)
    crowd = [sum(exp(-d) for d in row) for row in of_released]
    around = [log(sum(exp(-d) for d in row) / len(released)) for row in to_released]
    # Targets come first on the list.
    fellows = [
        log(sum(exp(-d) for j, d in enumerate(row) if j != i) / (len(listed) - 1))
        for i, row in enumerate(to_list)
    ]
    local = [sum(log(1 + exp(-d) / crowd[j]) for j, d in enumerate(row)) for row in to_released]
    return around, fellows, local
