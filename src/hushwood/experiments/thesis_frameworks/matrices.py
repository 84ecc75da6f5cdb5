"""Means and correlations of thesis 7.3 out of numbers by key, ours or printed: matrices, and how far they moved.

The keys are those of `keys`. Printed runs follow each other in every key, so the first number of all keys
of a way is its first printed run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean

from hushwood.experiments.thesis_frameworks.keys import correlation_key, mean_key, spread_key
from hushwood.experiments.thesis_frameworks.ways import ORIGINAL, Way

Values = Mapping[str, Sequence[float]]
_SPREAD = spread_key("")


def columns_of(ours: Values) -> list[str]:
    """The numeric columns, in table order."""
    return [key.removeprefix(_SPREAD) for key in ours if key.startswith(_SPREAD)]


def printed_runs(printed: Values, way: Way, columns: Sequence[str]) -> int:
    """How many means and matrices of a way are printed."""
    return len(printed.get(mean_key(way, columns[0]), ()))


def matrix_of(values: Values, way: Way, columns: Sequence[str], run: int | None = None) -> list[list[float]]:
    """The correlations of one run, or the means of all runs' correlations."""
    place = {name: i for i, name in enumerate(columns)}
    matrix = [[1.0] * len(columns) for _ in columns]
    for first, second in combinations(columns, 2):
        found = values[correlation_key(way, first, second)]
        value = fmean(found) if run is None else found[run]
        matrix[place[first]][place[second]] = matrix[place[second]][place[first]] = value
    return matrix


def printed_changes(printed: Values, way: Way, columns: Sequence[str]) -> list[float]:
    """The largest change of a correlation in every run that is printed."""
    pairs = list(combinations(columns, 2))
    return [
        max(
            abs(printed[correlation_key(way, *pair)][run] - printed[correlation_key(ORIGINAL, *pair)][0])
            for pair in pairs
        )
        for run in range(printed_runs(printed, way, columns))
    ]


def printed_shifts(printed: Values, ours: Values, way: Way, columns: Sequence[str]) -> list[float]:
    """The largest shift of a mean in every printed run, in our standard deviations: the thesis prints none."""
    return [
        max(
            abs(printed[mean_key(way, name)][run] - printed[mean_key(ORIGINAL, name)][0])
            / ours[spread_key(name)][0]
            for name in columns
        )
        for run in range(printed_runs(printed, way, columns))
    ]


def distance(first: Values, second: Values) -> float:
    """How far the means of runs are apart on average, over the keys that both have; the keys' ways need not be one."""
    return fmean(abs(fmean(first[key]) - fmean(second[key])) for key in first if key in second)


def renamed(values: Values, way: Way, kind: str) -> Values:
    """The means or the correlations of one way, by keys without the way."""
    start = f"{way}: {kind} of "
    return {key.removeprefix(start): found for key, found in values.items() if key.startswith(start)}
