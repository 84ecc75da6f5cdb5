"""From sets of like values to what is asked of them: the pairs that are similar, and CAPT's groups.

The clusterings of values (CACTUS, STIRR) end here; those of records have groups of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from hushwood.tables.schema import Attribute
from hushwood.value_clusters.protocol import GroupPerValue


class LikeValues(NamedTuple):
    """Values of one attribute that belong together (missing: an empty text), and how many records they stand for."""

    values: tuple[str, ...]
    records: int


def similar_pairs(clusters: Iterable[Sequence[str]]) -> set[tuple[str, str]]:
    """All pairs of values that some cluster holds both of, each in alphabetical order.

    >>> sorted(similar_pairs([("Toyota", "Ford"), ("Holden",)]))
    [('Ford', 'Toyota')]
    """
    return {pair for values in clusters for pair in combinations(sorted(values), 2)}


def groups_of_values(attribute: Attribute, clusters: Iterable[LikeValues]) -> GroupPerValue | None:
    """Every value in its cluster of most records (the first of equal ones), alone if in none.

    None if no two values are in the same group: then there is nothing to draw among.
    """
    texts = (*attribute.categories, "")
    groups: dict[str, int] = {}
    for number, cluster in enumerate(sorted(clusters, key=lambda c: -c.records)):
        for value in cluster.values:
            groups.setdefault(value, -1 - number)
    own = [groups.get(text, place) for place, text in enumerate(texts)]
    found, of_code = np.unique(own, return_inverse=True)
    return GroupPerValue(attribute.name, of_code.astype(np.int64)) if len(found) < len(texts) else None
