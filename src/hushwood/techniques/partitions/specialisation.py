"""Top-down specialisation: which values of which column to distinguish next (TDS by IGPL; docs/techniques.md).

It starts with one value per column and splits one node of one column after the other, for all records alike, as long as
groups have k records: intervals are halved, groups of a taxonomy opened. A node covers ranks, the places of its values
among all values of the column. `mondrian` decides what is released for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hushwood.arrays import Codes, Floats, Integers, check_indices
from hushwood.tables.recoding.taxonomies import ROOT, Taxonomy

Score = Literal["igpl", "ratio"]
EQUAL = 1e-12  # bits; gains that differ by less are equal


@dataclass(frozen=True, slots=True)
class Specialised:
    """The nodes that every column ended with, the node of every rank, and the group of every record."""

    nodes: tuple[tuple[ValueNode, ...], ...]
    node_of_rank: tuple[Integers, ...]
    groups: Integers
    steps: int


@dataclass(slots=True)
class _Candidate:
    """A node that may be split, what it gains, and the child of every rank of its column (-1 elsewhere)."""

    column: int
    place: int
    children: tuple[ValueNode, ...]
    gain: float
    child_of: Integers


def specialised(
    ranks: Sequence[Codes],
    trees: Sequence[NumberTree | Categories],
    k: int,
    score: Score,
    max_steps: int | None,
) -> Specialised:
    """Split the node with the best score, again and again, while one is valid and informative."""
    state = _State(ranks, trees)
    while max_steps is None or state.steps < max_steps:
        chosen = state.best(k, score)
        if chosen is None:
            break
        state.split(chosen)
    return state.finished()


class _State:
    """The cut through every column's tree, and the groups of records that agree in all columns."""

    def __init__(self, ranks: Sequence[Codes], trees: Sequence[NumberTree | Categories]) -> None:
        self.ranks, self.trees = ranks, trees
        for own, tree in zip(ranks, trees, strict=True):
            check_indices("Ranks of values", own, len(tree.counts))
        self.nodes = [[tree.root()] for tree in trees]
        self.node_of_rank = [np.zeros(len(tree.counts), np.int64) for tree in trees]
        self.groups = np.zeros(len(ranks[0]) if len(ranks) else 0, np.int64)
        self.count = 1
        self.candidates: list[_Candidate] = []
        self.steps = 0
        for column in range(len(trees)):
            self._consider(column, 0)

    def best(self, k: int, score: Score) -> _Candidate | None:
        """The candidate with the best score, the first of equals; invalid ones are dropped."""
        from hushwood.techniques.kernels.partitions import smallest_of

        smallest = int(np.bincount(self.groups).min()) if self.candidates else 0
        found, best = None, -1.0
        valid: list[_Candidate] = []
        for candidate in self.candidates:
            after = int(smallest_of(self._sizes_after(candidate)))
            if after < k:
                continue
            valid.append(candidate)
            loss = smallest - after
            divisor = loss + 1 if score == "igpl" else max(loss, 1)
            if candidate.gain / divisor > best * (1 + EQUAL):
                found, best = candidate, candidate.gain / divisor
        self.candidates = valid
        return found

    def split(self, chosen: _Candidate) -> None:
        """Replace a node by its children, and split the groups of records."""
        from hushwood.techniques.kernels.partitions import renumber

        column, sizes = chosen.column, self._sizes_after(chosen)
        self.count = renumber(self.groups, self.ranks[column], chosen.child_of, len(chosen.children), sizes)
        nodes = self.nodes[column]
        places = [chosen.place, *range(len(nodes), len(nodes) + len(chosen.children) - 1)]
        for place, child in zip(places, chosen.children, strict=True):
            nodes[place : place + 1] = [child]
            self.node_of_rank[column][child.ranks] = place
        self.candidates = [c for c in self.candidates if c is not chosen]
        for place in places:
            self._consider(column, place)
        self.steps += 1

    def finished(self) -> Specialised:
        """The result."""
        nodes = tuple(tuple(column) for column in self.nodes)
        return Specialised(nodes, tuple(self.node_of_rank), self.groups, self.steps)

    def _consider(self, column: int, place: int) -> None:
        """Remember a node whose children are informative about the class."""
        tree, node = self.trees[column], self.nodes[column][place]
        children = tree.children(node)
        gain = gain_of(tree.counts, node, children) if children else 0.0
        if gain <= EQUAL:
            return
        child_of = np.full(len(tree.counts), -1, np.int64)
        for i, child in enumerate(children):
            child_of[child.ranks] = i
        self.candidates.append(_Candidate(column, place, children, gain, child_of))

    def _sizes_after(self, candidate: _Candidate) -> Integers:
        """Sizes of the groups after the split, with zeros for children that a group does not have."""
        from hushwood.techniques.kernels.partitions import sizes_after

        ranks, children = self.ranks[candidate.column], len(candidate.children)
        found: Integers = sizes_after(self.groups, ranks, candidate.child_of, children, self.count)
        return found


@dataclass(frozen=True, slots=True)
class ValueNode:
    """Some ranks of a column; `label` is what categories are released as (None: missing), `level` in their taxonomy."""

    ranks: Integers
    label: str | None = None
    level: int = 0


@dataclass(frozen=True, slots=True)
class NumberTree:
    """A numeric column: a node is an interval, which is cut in two where that is most informative about the class."""

    counts: Integers

    def root(self) -> ValueNode:
        """All values."""
        return ValueNode(np.arange(len(self.counts)))

    def children(self, node: ValueNode) -> tuple[ValueNode, ...]:
        """The two intervals of the cut that gains most, the first of equals; none of a single value."""
        if len(node.ranks) < 2:
            return ()
        left = np.cumsum(self.counts[node.ranks], axis=0)
        sides = bits(left[:-1]) + bits(left[-1] - left[:-1])
        at = int(np.argmax(sides <= sides.min() + EQUAL * left[-1].sum())) + 1
        return ValueNode(node.ranks[:at]), ValueNode(node.ranks[at:])


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

    def root(self) -> ValueNode:
        """All values."""
        height = max((len(way) for way in self.ways.values()), default=1) - 1
        return self._node(list(range(len(self.names))), ROOT, height)

    def children(self, node: ValueNode) -> tuple[ValueNode, ...]:
        """The next smaller groups, skipping levels that do not split; none for a single value."""
        for level in range(node.level - 1, -1, -1):
            groups: dict[str | None, list[int]] = {}
            for rank in node.ranks.tolist():
                name = self.names[rank]
                groups.setdefault(None if name is None else self.ways[name][level], []).append(rank)
            if len(groups) > 1:
                return tuple(self._node(ranks, label, level) for label, ranks in groups.items())
        return ()

    def _node(self, ranks: list[int], label: str | None, level: int) -> ValueNode:
        return ValueNode(np.array(ranks, np.int64), self.names[ranks[0]] if len(ranks) == 1 else label, level)


def bits(counts: Integers) -> Floats:
    """Entropy of the last axis times its sum, in bits."""
    total = counts.sum(axis=-1)
    return np.asarray(_xlogx(total) - _xlogx(counts).sum(axis=-1))


def _xlogx(counts: Integers) -> Floats:
    return np.asarray(counts * np.log2(np.maximum(counts, 1)))


def gain_of(counts: Integers, node: ValueNode, children: Sequence[ValueNode]) -> float:
    """Bits per record of the node that its children reveal about the class; `counts` are by rank and class."""
    own = counts[node.ranks].sum(axis=0)
    inside = sum(float(bits(counts[child.ranks].sum(axis=0))) for child in children)
    return (float(bits(own)) - inside) / max(int(own.sum()), 1)
