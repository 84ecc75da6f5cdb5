"""How far a person is from all others: an average over all people can hide what becomes of the unusual ones."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Floats
from hushwood.attacks.protocol import Knowledge
from hushwood.distances.coding import code_pair
from hushwood.distances.neighbours import nearest

NEIGHBOURS = 10
COMPARED = 5_000  # people with whom each is compared to find the unusual ones


def outlyingness(knowledge: Knowledge) -> Floats:
    """Mean range-scaled distance of every target to its nearest among the first targets, excluding itself."""
    fellows = {name: values[:COMPARED] for name, values in knowledge.columns.items()}
    everybody, some = code_pair(knowledge.columns, fellows, knowledge.schema, tuple(knowledge.columns))
    distance = nearest(everybody, some, NEIGHBOURS + 1, threads=knowledge.threads).distance.astype(np.float64)
    if distance.shape[1] < 2:
        return np.zeros(knowledge.count)
    # The first targets are their own nearest neighbours, at distance 0.
    inside = np.arange(knowledge.count) < some.rows
    return np.asarray(np.where(inside, distance[:, 1:].mean(axis=1), distance[:, :-1].mean(axis=1)))
