"""How the values of a column can be distinguished step by step: intervals that are halved, groups of a taxonomy.

A node covers ranks, the places of its values among all values of the column; `specialisation` chooses which to split.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.tables.recoding.taxonomies import ROOT, Taxonomy

EQUAL = 1e-12  # bits; gains that differ by less are equal


@dataclass(frozen=True, slots=True)
class Node:
    """Some ranks of a column; `label` is what categories are released as (None: missing), `level` in their taxonomy."""

    ranks: Integers
    label: str | None = None
    level: int = 0


@dataclass(frozen=True, slots=True)
class Numbers:
    """A numeric column: a node is an interval, which is cut in two where that is most informative about the class."""

    counts: Integers

    def root(self) -> Node:
        """All values."""
        return Node(np.arange(len(self.counts)))

    def children(self, node: Node) -> tuple[Node, ...]:
        """The two intervals of the cut that gains most, the first of equals; none of a single value."""
        if len(node.ranks) < 2:
            return ()
        left = np.cumsum(self.counts[node.ranks], axis=0)
        sides = bits(left[:-1]) + bits(left[-1] - left[:-1])
        at = int(np.argmax(sides <= sides.min() + EQUAL * left[-1].sum())) + 1
        return Node(node.ranks[:at]), Node(node.ranks[at:])


@dataclass(frozen=True, slots=True)
class Categories:
    """A categorical column: a node is a group of its taxonomy; groups in which only one value occurs are that value.

    `names` are the values by rank, None for missing ones, which belong to no group.
    """

    counts: Integers
    names: tuple[str | None, ...]
    ways: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, counts: Integers, names: Sequence[str | None], taxonomy: Taxonomy) -> Categories:
        """The tree over the values that occur."""
        return cls(counts, tuple(names), taxonomy.levels)

    def root(self) -> Node:
        """All values."""
        height = max((len(way) for way in self.ways.values()), default=1) - 1
        return self._node(list(range(len(self.names))), ROOT, height)

    def children(self, node: Node) -> tuple[Node, ...]:
        """The next smaller groups, skipping levels that do not split; none for a single value."""
        for level in range(node.level - 1, -1, -1):
            found: dict[str | None, list[int]] = {}
            for rank in node.ranks.tolist():
                found.setdefault(self._group(rank, level), []).append(rank)
            if len(found) > 1:
                return tuple(self._node(ranks, label, level) for label, ranks in found.items())
        return ()

    def _group(self, rank: int, level: int) -> str | None:
        name = self.names[rank]
        return None if name is None else self.ways[name][level]

    def _node(self, ranks: list[int], label: str | None, level: int) -> Node:
        return Node(np.array(ranks, np.int64), self.names[ranks[0]] if len(ranks) == 1 else label, level)


def bits(counts: Integers) -> Floats:
    """Entropy of the last axis times its sum, in bits."""
    total = counts.sum(axis=-1)
    return np.asarray(_xlogx(total) - _xlogx(counts).sum(axis=-1))


def _xlogx(counts: Integers) -> Floats:
    return np.asarray(counts * np.log2(np.maximum(counts, 1)))


def gain_of(counts: Integers, node: Node, children: Sequence[Node]) -> float:
    """Bits per record of the node that its children reveal about the class; `counts` are by rank and class."""
    own = counts[node.ranks].sum(axis=0)
    inside = sum(float(bits(counts[child.ranks].sum(axis=0))) for child in children)
    return (float(bits(own)) - inside) / max(int(own.sum()), 1)
