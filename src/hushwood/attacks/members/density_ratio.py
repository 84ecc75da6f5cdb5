"""Released records are crowded around a target in comparison with people of the reference (DOMIAS).

van Breugel and others, "Membership inference attacks against synthetic data through overfitting detection" (2023).
Nearest records alone favour targets whose kind is common anyway; the ratio does not.
"""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.attacks.protocol import Knowledge
from hushwood.distances.coding import Coded, code_pair
from hushwood.distances.neighbours import nearest
from hushwood.random_streams import Streams
from hushwood.tables.table import Table

# Added to both distances, which are shares of a range: an exact match counts much, but not infinitely much.
_LEAST = 1e-5


def crowding(knowledge: Knowledge, released: Table, streams: Streams, k: int) -> Floats:
    """The logarithm of the distance to the k-th nearest person of the reference over that to the k-th nearest release.

    The last one counts if there are fewer than k.
    """
    names = tuple(knowledge.columns)
    others = {name: np.concatenate((released.columns[name], knowledge.reference[name])) for name in names}
    # All numbers are scaled together, so that both distances are in the same unit.
    targets, both = code_pair(knowledge.columns, others, released.schema, names)
    inside, outside = np.arange(released.rows), np.arange(released.rows, len(_any(others)))
    near, far = (_reach(targets, both, rows, k, knowledge.threads) for rows in (inside, outside))
    return np.asarray(np.log(far + _LEAST) - np.log(near + _LEAST))


def _reach(targets: Coded, both: Coded, rows: Integers, k: int, threads: int) -> Floats:
    return nearest(targets, both.take(rows), k, threads=threads).distance[:, -1].astype(np.float64)


def _any(columns: dict[str, Array]) -> Array:
    return next(iter(columns.values()))
