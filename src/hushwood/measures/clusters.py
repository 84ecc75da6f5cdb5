"""Records as points, k-means among them, and two groupings of the same records compared.

Numbers are in standard deviations, categories are 0 and 1. A table makes its own space, as a miner who has nothing else
would; records of another table can be put into it too. k-means has a keyed start that two tables can share;
scikit-learn does the work. Rand, F and Fowlkes-Mallows are over pairs of records (errata S5).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Floats, Integers, one_thread
from hushwood.measures.columns.column_tallies import common_unit, is_constant, known
from hushwood.random_streams import Streams
from hushwood.tables.table import Table

MOST_CATEGORIES = 30  # of a column; the rarer ones share a place
FARTHEST = 1e6  # standard deviations


@dataclass(frozen=True, slots=True)
class ClusterSpace:
    """Unit, mean and deviation of every numeric input that varies; the places of every categorical input's codes."""

    numeric: dict[str, tuple[float, float, float]]
    categorical: dict[str, Integers]

    @staticmethod
    def of(table: Table, rows: Integers) -> ClusterSpace:
        """The space of some records of a table, without the class."""
        numeric, categorical = {}, {}
        for attribute in table.schema.inputs:
            values = table.columns[attribute.name][rows]
            if attribute.kind == "categorical":
                categorical[attribute.name] = _places(values, len(attribute.categories))
            elif not is_constant(known(values)):
                numeric[attribute.name] = _scale(known(values))
        return ClusterSpace(numeric, categorical)

    def points(self, table: Table, rows: Integers) -> Floats:
        """The records as points; a missing number lies at the mean, a missing category is a category."""
        parts: list[Floats] = []
        for name, (unit, mean, deviation) in self.numeric.items():
            with np.errstate(over="ignore"):
                values = (table.columns[name][rows] / unit - mean) / deviation
            parts.append(np.clip(np.nan_to_num(values), -FARTHEST, FARTHEST)[:, None])
        for name, places in self.categorical.items():
            parts.append(np.eye(int(places.max()) + 1)[places[table.columns[name][rows]]])
        return np.hstack(parts) if parts else np.empty((len(rows), 0))


def _scale(values: Floats) -> tuple[float, float, float]:
    unit = common_unit(values)
    scaled = values / unit
    return unit, float(scaled.mean()), float(scaled.std()) or 1.0


def _places(codes: Array, size: int) -> Integers:
    """The place of every category, the most frequent first, then the rarer ones together; last the missing value's."""
    counts = np.bincount(codes[codes >= 0], minlength=size)
    order = np.argsort(-counts, kind="stable")
    places = np.empty(size + 1, np.int64)
    places[order] = np.minimum(np.arange(size), MOST_CATEGORIES)
    places[-1] = min(size, MOST_CATEGORIES + 1)
    return places


def starting_records(points: Floats, clusters: int, times: int, streams: Streams) -> list[Integers]:
    """Rows of different points to begin from, `times` times, by k-means++; fewer if fewer points differ."""
    from sklearn.cluster import kmeans_plusplus

    if not points.shape[1]:
        return [np.zeros(1, np.int64)]
    found = []
    for draw in range(times):
        seed = int.from_bytes(streams.derive("clustering", "starts", draw)[:4], "big")
        centres, rows = kmeans_plusplus(points, min(clusters, len(points)), random_state=seed)
        found.append(rows[np.sort(np.unique(centres, axis=0, return_index=True)[1])])
    return found


def best_centres(points: Floats, begin: Sequence[Floats]) -> Floats:
    """The centres of the most compact clusters found from these beginnings."""
    from sklearn.cluster import KMeans

    if len(points) <= max(map(len, begin)) or not points.shape[1]:
        return points[: len(begin[0])]
    # One thread: with more, sums are taken in any order and the last digits change from run to run.
    with one_thread("openmp"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # with fewer different points than clusters some coincide
        runs = [KMeans(len(centres), init=centres, n_init=1, random_state=0).fit(points) for centres in begin]
    return np.asarray(min(runs, key=lambda run: float(run.inertia_)).cluster_centers_)


def nearest(points: Floats, centres: Floats) -> Integers:
    """The nearest centre of every point, the first of equally near ones."""
    return np.asarray(np.argmin((centres * centres).sum(axis=1) - 2 * points @ centres.T, axis=1))


@dataclass(frozen=True, slots=True)
class PairCounts:
    """How many pairs of records are together in both groupings, in only one, and in none.

    Python's whole numbers: there are more pairs than 64 bits hold in a table of six billion records.
    """

    both: int
    only_first: int
    only_second: int
    neither: int

    @property
    def pairs(self) -> int:
        """All pairs."""
        return self.both + self.only_first + self.only_second + self.neither


def pair_counts(first: Array, second: Array) -> PairCounts:
    """Count the pairs from the table of the two groupings; each entry is a record's group, a number from 0 up."""
    width = int(np.max(second, initial=0)) + 1
    cells = np.unique(np.asarray(first, np.int64) * width + second, return_counts=True)[1]
    both, together, also = (
        sum(math.comb(count, 2) for count in counts.tolist())
        for counts in (cells, np.bincount(first), np.bincount(second))
    )
    everything = math.comb(len(first), 2)
    return PairCounts(both, together - both, also - both, everything - together - also + both)


def rand(counts: PairCounts) -> float | None:
    """The share of pairs on which both groupings agree; None without pairs."""
    return (counts.both + counts.neither) / counts.pairs if counts.pairs else None


def adjusted_rand(counts: PairCounts) -> float:
    """Rand's index less what chance gives: 1 for the same grouping, about 0 for unrelated ones (Hubert, Arabie)."""
    a, b, c, d = counts.both, counts.only_first, counts.only_second, counts.neither
    if not b and not c:
        return 1.0
    return 2 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d))


def precision_and_recall(counts: PairCounts) -> tuple[float, float]:
    """Of the pairs together in the first grouping, the share together in the second, and the other way round."""
    first, second = counts.both + counts.only_first, counts.both + counts.only_second
    return counts.both / first if first else 0.0, counts.both / second if second else 0.0


def f_measure(counts: PairCounts, weight: float = 1.0) -> float:
    """F_w = (w² + 1)PR / (w²P + R); with a larger w recall counts for more."""
    precision, recall = precision_and_recall(counts)
    below = weight * weight * precision + recall
    return (weight * weight + 1) * precision * recall / below if below else 0.0


def fowlkes_mallows(counts: PairCounts) -> float:
    """√(PR)."""
    precision, recall = precision_and_recall(counts)
    return math.sqrt(precision * recall)
