"""Normal scores inside cells and their correlations: how columns depend on each other, whatever their distributions.

A number's score is the normal quantile of its rank. The correlations of the scores come from Spearman's by the sine
formula R = 2 sin(π R_s / 6), made positive semidefinite (Sarathy, Muralidhar and Parsa 2002). The laws of
`joint_normal` and `copula_law` differ only in the scale on which numbers are normal: their own, a logarithm or a score.
They say where a released number lies on it; `log_column_by_column` sums over the columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Flags, Floats, Integers
from hushwood.random_streams import group_order
from hushwood.techniques.together.cells import by_cell, inverses, products, spreads

_INSIDE = 1e-12
FINE = 1e-5  # width of a step in deviations up to which the density is right to 1e-11
NEAR = 1e-9  # of a column's spread: how far rounding may move a number that earlier columns determine


def order_in_cells(values: Floats, cell: Integers, cells: int) -> Integers:
    """Places sorted by cell and inside a cell by value; ties in any order."""
    order = np.argsort(values)
    return order if cells == 1 else order[group_order(cell[order])]


def sorted_in_cells(values: Floats, cell: Integers, cells: int) -> tuple[list[Integers], Floats]:
    """The order of every column, and its values [column, place] in that order."""
    columns = np.ascontiguousarray(values.T)
    orders = [order_in_cells(column, cell, cells) for column in columns]
    for column, order in zip(columns, orders, strict=True):
        column[:] = column[order]
    return orders, columns


def ranks_in_cells(orders: Sequence[Integers], in_order: Floats, start: Integers) -> Floats:
    """The mean rank of every number [record, column] among those of its cell, from `sorted_in_cells`."""
    from hushwood.techniques.kernels.ranks import mean_ranks

    ranks = np.empty(in_order.shape)
    for j, order in enumerate(orders):
        ranks[j] = mean_ranks(in_order[j], order, start)
    return ranks.T


def scores_of(ranks: Floats, sizes: Integers) -> Floats:
    """Normal scores of ranks in groups of these sizes (one per record)."""
    from scipy.special import ndtri

    return np.asarray(ndtri((ranks - 0.5) / sizes[:, None]))


def score_correlations(ranks: Floats, cell: Integers, cells: int) -> Floats:
    """The correlations of the normal scores in every cell [cell, column, column]."""
    return nearest_correlations(2.0 * np.sin(np.pi * cell_correlations(ranks, cell, cells) / 6.0))


def cell_correlations(values: Floats, cell: Integers, cells: int) -> Floats:
    """Correlations of the columns in every cell; 0 with a column that does not vary there."""
    from hushwood.techniques.kernels.numbers import cell_moments

    scale = np.maximum(values.max(axis=0, initial=0.0), -values.min(axis=0, initial=0.0))
    _, covariance = cell_moments(values / np.where(scale > 0, scale, 1.0), cell, cells)
    spread = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    unit = np.where(spread > 0, spread, 1.0)
    return np.asarray(np.clip(covariance / (unit[:, :, None] * unit[:, None, :]), -1.0, 1.0))


def nearest_correlations(wanted: Floats) -> Floats:
    """Correlation matrices near to symmetric ones: negative eigenvalues raised to 0, then a diagonal of 1."""
    lifted = positive_semidefinite(np.where(np.eye(wanted.shape[1], dtype=bool), 1.0, wanted))
    spread = np.sqrt(np.diagonal(lifted, axis1=1, axis2=2))
    return np.asarray(lifted / (spread[:, :, None] * spread[:, None, :]))


def positive_semidefinite(wanted: Floats) -> Floats:
    """The matrices with negative eigenvalues raised to 0."""
    values, vectors = np.linalg.eigh(wanted)
    if float(values.min(initial=0.0)) >= 0:
        return wanted
    return np.asarray((vectors * np.maximum(values, 0.0)[:, None, :]) @ vectors.transpose(0, 2, 1))


@dataclass(frozen=True, slots=True)
class ScoreModel:
    """Scores of cell c given the design row s: slope · (s - centre), and a rest of that covariance."""

    slope: Floats
    centre: Floats
    rest: Floats

    def of_cells(self, chosen: Integers) -> ScoreModel:
        """The model of some of the cells."""
        return ScoreModel(self.slope[chosen], self.centre[chosen], self.rest[chosen])

    def fitted(self, design: Floats, cell: Integers) -> Floats:
        """What the given columns say about every record's scores."""
        return by_cell(design - self.centre[cell], self.slope, cell)


def score_model(ranks: Floats, design: Floats, cell: Integers, sizes: Integers) -> ScoreModel:
    """Learn the scores' correlations in every cell, and their regression on the given columns."""
    from hushwood.techniques.kernels.numbers import cell_moments

    k, cells = ranks.shape[1], len(sizes)
    together = score_correlations(ranks, cell, cells)
    if not design.shape[1]:
        return ScoreModel(np.zeros((cells, k, 0)), np.zeros((cells, 0)), together)
    both = np.concatenate([scores_of(ranks, sizes[cell]), design], axis=1)
    mean, covariance = cell_moments(both, cell, cells)
    # Ties take variance from scores; the new ones have none, and a variance of 1.
    varying = np.maximum(spreads(covariance)[:, :k, None], 1e-9)
    xs, ss = covariance[:, :k, k:] / varying, covariance[:, k:, k:]
    slope = xs @ inverses(ss)
    rest = together - slope @ xs.transpose(0, 2, 1)
    spread = spreads(rest)
    # Sines of rank correlations and covariances of scores need not fit together.
    fitting = nearest_correlations(rest / products(spread))
    return ScoreModel(slope, mean[:, k:], fitting * spread[:, :, None] * spread[:, None, :])


def score_places(below: Floats, upto: Floats, step: Floats | None = None) -> Places:
    """Where values lie among scores, from the shares of their distribution below them and up to them.

    A value that the columns before settle counts as it does by itself.
    """
    from scipy.special import ndtri

    at = ndtri(np.clip((below + upto) / 2, _INSIDE, 1 - _INSIDE))
    with np.errstate(divide="ignore"):
        settled = np.log(np.maximum(upto - below, 0.0))
    far = np.full(at.shape, np.inf)
    return Places(at, ndtri(below), ndtri(upto), -far, far, step, settled=settled)


@dataclass(frozen=True, slots=True)
class Places:
    """Where released numbers [record, column] lie on the scale of their law.

    A number stands for all between `below` and `above`; `at` is what later columns are conditioned on. Only what lies
    between `low` and `high` can be drawn. `step` is the distance of the column's grid points: probabilities are of a
    unit, not of a step, so that cells with other steps can be compared. `bend` turns a density on the scale into one of
    the number (both logarithms), for steps too fine to be measured by their ends. `settled` is the log probability of a
    number that earlier columns determine; without it there is one such number, and it is certain. `slack` is how far
    numbers may have moved when they were stored.
    """

    at: Floats
    below: Floats
    above: Floats
    low: Floats
    high: Floats
    step: Floats | None = None
    bend: Floats | None = None
    settled: Floats | None = None
    slack: Floats | None = None


def log_column_by_column(places: Places, middle: Floats, roots: Floats, known: Flags) -> Floats:
    """The sum over the known columns, given every record's means and the triangular root of its covariance."""
    total = np.zeros(len(middle))
    deviate, loose = np.zeros(middle.shape), np.zeros(middle.shape)
    for j in range(middle.shape[1]):
        pivot = roots[:, j, j]
        mean = middle[:, j] + (roots[:, j, :j] * deviate[:, :j]).sum(axis=1)
        used = known[:, j] & (pivot > 0)
        spread = np.where(used, pivot, 1.0)
        slack = (np.abs(roots[:, j, :j]) * loose[:, :j]).sum(axis=1)
        slack = slack if places.slack is None else slack + places.slack[:, j]
        near = NEAR * np.sqrt((roots[:, j, :j] ** 2).sum(axis=1)) + 1e-12 * np.abs(mean) + slack
        chance = np.where(used, _drawn(places, j, mean, spread), _settled(places, j, mean, near))
        total += np.where(known[:, j], chance, 0.0)
        deviate[:, j] = np.where(used, (places.at[:, j] - mean) / spread, 0.0)
        loose[:, j] = np.where(used, slack / spread, 0.0)
    return total


def _drawn(places: Places, j: int, mean: Floats, spread: Floats) -> Floats:
    """Log probability of numbers under a truncated normal law."""
    low, high, below, above = (
        (end[:, j] - mean) / spread for end in (places.low, places.high, places.below, places.above)
    )
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        inside = log_between(low, high)
        fine = above - below < FINE
        below, above = np.maximum(below, low), np.minimum(above, high)
        chance = np.where(below < above, log_between(below, above), -np.inf)
        if places.step is not None:
            chance = chance - np.log(places.step[:, j])
        if places.bend is not None:
            at = (places.at[:, j] - mean) / spread
            density = -0.5 * at**2 - np.log(np.sqrt(2 * np.pi) * spread) + places.bend[:, j]
            density = np.where((at < low) | (at > high), -np.inf, density)
            chance = np.where(fine, density, chance)
        return np.asarray(chance - inside)


def _settled(places: Places, j: int, mean: Floats, near: Floats) -> Floats:
    """Log probability of numbers that earlier columns determine, up to rounding."""
    if places.settled is not None:
        settled = places.settled[:, j]
        return settled if places.step is None else np.asarray(settled - np.log(places.step[:, j]))
    point = np.clip(mean, places.low[:, j], places.high[:, j])
    fits = (places.below[:, j] - near <= point) & (point <= places.above[:, j] + near)
    return np.where(fits, 0.0, -np.inf)


def log_between(low: Floats, high: Floats) -> Floats:
    """Log probability that a standard normal number lies between two limits, also far out; -inf if they are crossed."""
    from scipy.special import log_ndtr

    # In the upper tail the difference of two numbers near 1 would lose all digits; mirror it.
    mirror = low > 0
    low, high = np.where(mirror, -high, low), np.where(mirror, -low, high)
    upper, lower = log_ndtr(high), log_ndtr(low)
    return np.asarray(upper + np.log1p(-np.exp(np.minimum(lower - upper, 0.0))))
