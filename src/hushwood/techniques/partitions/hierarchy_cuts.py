"""Cuts of Mondrian along a hierarchy of categories: one group of the next lower level from the others of a part.

The loops over columns without a hierarchy are in `kernels.mondrian`; scores are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.tables.recoding.taxonomies import Taxonomy
from hushwood.techniques.partitions.value_trees import bits


def rank_groups(categories: Sequence[str], values: Array, taxonomy: Taxonomy) -> Integers:
    """The group of every value of a column by level [level, value], from the values up to the root.

    A missing value is a group of its own below the root.
    """
    found = np.zeros((taxonomy.height + 1, len(values)), np.int64)
    for level in range(taxonomy.height):
        names = [taxonomy.levels[categories[code]][level] if code >= 0 else None for code in values.tolist()]
        place = {name: i for i, name in enumerate(dict.fromkeys(names))}
        found[level] = [place[name] for name in names]
    return found


@dataclass(frozen=True, slots=True)
class HierarchyCuts:
    """What both sides of a cut must satisfy, and the response that it is to explain."""

    k: int
    least: float
    label: Array
    classes: int
    number: Floats
    known: Floats
    sensitive: Array

    def best(self, rows: Array, groups: Integers) -> tuple[float, Array] | None:
        """Score after the best allowable cut of a part, and the rows that go left; `groups` are theirs by level."""
        apart = [level for level in groups if (level != level[0]).any()]
        if not apart:
            return None
        found: tuple[float, Array] | None = None
        for group in np.unique(apart[-1]).tolist():
            left = apart[-1] == group
            sides = rows[left], rows[~left]
            if not all(map(self._allows, sides)):
                continue
            score = sum(map(self._score, sides))
            if found is None or score < found[0]:
                found = score, sides[0]
        return found

    def _allows(self, rows: Array) -> bool:
        """Whether a side has k records and no sensitive value in more than 1/l of them."""
        if len(rows) < self.k:
            return False
        return all(np.bincount(held[rows]).max() * self.least <= len(rows) for held in self.sensitive)

    def _score(self, rows: Array) -> float:
        """Entropy of the class times the records, in bits, or the sum of squares of a numeric response."""
        if self.classes:
            return float(bits(np.bincount(self.label[rows])))
        values, weight = self.number[rows], float(self.known[rows].sum())
        return float((values**2).sum() - values.sum() ** 2 / max(weight, 1.0))
