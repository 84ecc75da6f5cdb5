"""Normal scores inside cells and their correlations: how columns depend on each other, whatever their distributions.

A number's score is the normal quantile of its rank. The correlations of the scores come from Spearman's by the sine
formula R = 2 sin(π R_s / 6), made positive semidefinite (Sarathy, Muralidhar and Parsa 2002).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.random_streams import group_order
from hushwood.techniques.together.cells import by_cell, inverses, products, spreads
from hushwood.techniques.together.column_by_column import Places

_INSIDE = 1e-12


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
    from hushwood.techniques.kernels.moments import cell_moments

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
    from hushwood.techniques.kernels.moments import cell_moments

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
