"""Released rows for targets: the nearest ones in the known attributes, random ones, or one for each target only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Floats, Integers
from hushwood.attacks.protocol import Knowledge, RowGuesses
from hushwood.distances.coding import Scaling, code_pair
from hushwood.distances.neighbours import Nearest, nearest
from hushwood.random_streams import Streams
from hushwood.tables.table import Table

SCALINGS: tuple[Scaling, ...] = ("range", "rank")


def nearest_known(
    knowledge: Knowledge, released: Table, streams: Streams, scaling: Scaling, k: int = 1
) -> Nearest:
    """The k released rows that are nearest to every target in the known attributes, ties by the key."""
    targets, records = code_pair(
        knowledge.columns, released.columns, released.schema, tuple(knowledge.columns), scaling=scaling
    )
    words = streams.words("linkage", "ties", 0, range(released.rows))
    return nearest(targets, records, k, words=words, threads=knowledge.threads)


def any_row(count: int, released: Table, streams: Streams) -> RowGuesses:
    """A random released row for each target."""
    drawn = streams.uniform("linkage", "naive", 0, range(count)) * released.rows
    return RowGuesses(np.minimum(drawn.astype(np.int64), released.rows - 1))


def different_draws(below: int, picks: int, choosers: range, streams: Streams, purpose: str) -> Integers:
    """For every chooser `picks` different whole numbers below a limit, ascending; all if there are fewer.

    >>> different_draws(3, 5, range(2), Streams(bytes(32)), "example").tolist()
    [[0, 1, 2], [0, 1, 2]]
    """
    chosen = np.empty((len(choosers), 0), np.int64)
    for pick in range(min(picks, below)):
        left = (streams.uniform(purpose, "pick", pick, choosers) * (below - pick)).astype(np.int64)
        for earlier in chosen.T:
            left += left >= earlier
        chosen = np.sort(np.column_stack((chosen, left)), axis=1)
    return chosen


def assign(candidates: Integers, cost: NDArray[np.floating]) -> Integers:
    """One candidate for every target, no row twice, with the smallest total cost.

    `candidates[t]` are the rows that target t may get, best first. A target for which none is left keeps its best,
    though another has it: an intruder would rather guess than be silent. With at least as many candidates each as
    there are targets, that happens only if there are fewer rows than targets, and the assignment is the best of all.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    targets, each = candidates.shape
    rows, place = np.unique(candidates, return_inverse=True)
    # An own place for every target that finds no other, dearer than any chain of exchanges; all weights are above 0,
    # because the solver drops edges of weight 0.
    weights = np.concatenate((1 + _above_zero(cost), np.full((targets, 1), 2.0 + targets)), axis=1)
    own = len(rows) + np.arange(targets)[:, None]
    columns = np.concatenate((place.reshape(targets, each), own), axis=1)
    begin = np.arange(targets + 1) * (each + 1)
    # The solver of SciPy before 1.15 takes indices of 32 bits only.
    edges = columns.ravel().astype(np.int32), begin.astype(np.int32)
    graph = csr_array((weights.ravel(), *edges), shape=(targets, len(rows) + targets))
    chosen = np.empty(targets, np.int64)
    target, column = min_weight_full_bipartite_matching(graph)
    chosen[target] = column
    kept = chosen < len(rows)
    return np.where(kept, rows[np.where(kept, chosen, 0)], candidates[:, 0])


def _above_zero(cost: NDArray[np.floating]) -> Floats:
    """Costs between 0 and 1; what is added or divided everywhere does not change which assignment is cheapest."""
    lowest, highest = float(cost.min()), float(cost.max())
    return (cost.astype(np.float64) - lowest) / (highest - lowest or 1.0)
