"""A forest that learns to spot made-up records, until it can no longer spot those that it makes up itself.

Watson, Blesch, Kapar and Wright, *Adversarial random forests for density estimation and generative modeling* (2023).
The first made-up records are the columns permuted independently; the next are drawn from the forest's leaves, column by
column. In the leaves of the forest that is kept, columns are taken for independent.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array, Floats, Floats32, Integers
from hushwood.random_streams import group_order
from hushwood.techniques.sequential.coded_columns import CodedColumn
from hushwood.techniques.synthesis.source import Source


@dataclass(frozen=True, slots=True)
class Leaves:
    """All nodes of all trees with one numbering, and which of the records to learn on are in which leaf.

    Record i is in the leaf `leaf[tree, i]`; the records of leaf l are `members[start[l] : start[l + 1]]`. `feature` is
    -1 at a leaf; elsewhere codes up to `threshold` go to `left` and others to `right`.
    """

    leaf: Integers
    members: Integers
    start: Integers
    feature: Integers
    threshold: Floats
    left: Integers
    right: Integers

    @property
    def sizes(self) -> Integers:
        """The number of records in every node, 0 if it is no leaf."""
        return np.diff(self.start)

    def of_new(self, u: Floats, v: Floats) -> Integers:
        """A leaf for every new record: a tree drawn evenly, then a leaf by the share of the records it holds."""
        trees, count = self.leaf.shape
        tree = np.minimum((u * trees).astype(np.int64), trees - 1)
        return np.asarray(self.leaf[tree, np.minimum((v * count).astype(np.int64), count - 1)])

    def member(self, leaf: Integers, u: Floats) -> Integers:
        """One of the records of every leaf, drawn evenly."""
        sizes = self.sizes[leaf]
        return np.asarray(
            self.members[self.start[leaf] + np.minimum((u * sizes).astype(np.int64), sizes - 1)]
        )

    def bounds(self, feature: int, most: int) -> tuple[Floats, Floats]:
        """For every node the interval (low, high] that the tests above it leave the codes of one column."""
        low, high = np.full(len(self.feature), -1.0), np.full(len(self.feature), float(most))
        inner = self.feature >= 0
        child = np.zeros(len(inner), bool)
        child[self.left[inner]] = child[self.right[inner]] = True
        level = np.flatnonzero(inner & ~child)
        while len(level):
            left, right = self.left[level], self.right[level]
            low[left] = low[right] = low[level]
            high[left] = high[right] = high[level]
            own = self.feature[level] == feature
            cut = self.threshold[level[own]]
            high[left[own]] = np.minimum(high[left[own]], cut)
            low[right[own]] = np.maximum(low[right[own]], cut)
            level = np.concatenate([left, right])
            level = level[self.feature[level] >= 0]
        return low, high


def adversarial_leaves(
    source: Source, columns: Sequence[CodedColumn], trees: int, min_node: int, rounds: int, delta: float
) -> Leaves:
    """The leaves of the last forest whose made-up records are worse than guessing allows, or after all rounds.

    As in arfpy, the forest before is kept if the next one cannot tell its records from real ones, or tells them better.
    """
    real = np.stack([column.codes[source.rows] for column in columns], axis=1).astype(np.float32)
    if len(real) < 2 * min_node:
        return _one_leaf(len(real))
    seeds = [_seed(source, number) for number in range(rounds + 1)]
    fake = np.stack([_permuted(source, c.name, real[:, j]) for j, c in enumerate(columns)], axis=1)
    forest, accuracy = _told_apart(source, real, fake, trees, min_node, seeds[0])
    leaves = _leaves_of(forest, real)
    for number in range(1, rounds + 1):
        if accuracy <= 0.5 + delta:
            break
        fake = _from_leaves(source, leaves, columns, real, number)
        forest, now = _told_apart(source, real, fake, trees, min_node, seeds[number])
        if now <= 0.5 + delta or now > accuracy:
            break
        leaves, accuracy = _leaves_of(forest, real), now
    return leaves


def _seed(source: Source, number: int) -> int:
    """A seed for the library's own draws."""
    slots = source.slots
    return int.from_bytes(slots.streams.derive(slots.purpose, "forest", number)[:4], "big") >> 1


def _permuted(source: Source, name: str, values: Floats32) -> Floats32:
    slots = source.slots
    return np.asarray(values[slots.streams.order(f"{slots.purpose} permuted", name, range(len(values)))])


def _from_leaves(
    source: Source, leaves: Leaves, columns: Sequence[CodedColumn], real: Floats32, number: int
) -> Floats32:
    """Records made up from the leaves: every column's code is that of another member of the leaf."""
    slots = source.slots

    def uniform(what: str, name: str = "") -> Floats:
        return slots.streams.uniform(f"{slots.purpose} round: {what}", name, number, range(len(real)))

    leaf = leaves.of_new(uniform("tree"), uniform("leaf"))
    drawn = [real[leaves.member(leaf, uniform("member", c.name)), j] for j, c in enumerate(columns)]
    return np.stack(drawn, axis=1)


def _told_apart(
    source: Source, real: Floats32, fake: Floats32, trees: int, min_node: int, seed: int
) -> tuple[Any, float]:
    """A forest that tells real records from made-up ones, and its accuracy on records that a tree did not see."""
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(
        trees,
        min_samples_leaf=min_node,
        oob_score=True,
        random_state=seed,
        n_jobs=max(source.slots.threads, 1),
    )
    answers = np.repeat([0, 1], [len(real), len(fake)])
    with warnings.catch_warnings():
        # With few trees some record was seen by all of them, which a mean over all records survives.
        warnings.filterwarnings("ignore", "Some inputs do not have OOB scores", UserWarning)
        warnings.filterwarnings("ignore", "invalid value encountered in divide", RuntimeWarning)
        forest.fit(np.concatenate([real, fake]), answers)
    return forest, float(forest.oob_score_)


def _leaves_of(forest: Any, real: Floats32) -> Leaves:
    trees = [estimator.tree_ for estimator in forest.estimators_]
    first = np.concatenate([[0], np.cumsum([tree.node_count for tree in trees])])
    leaf = forest.apply(real).T.astype(np.int64) + first[:-1, None]

    def joined(name: str, shift: bool) -> Array:
        parts = [getattr(tree, name) for tree in trees]
        return np.concatenate([part + begin * shift for part, begin in zip(parts, first[:-1], strict=True)])

    feature = joined("feature", False)
    left, right = joined("children_left", True), joined("children_right", True)
    return _grouped(leaf, np.where(feature >= 0, feature, -1), joined("threshold", False), left, right)


def _one_leaf(count: int) -> Leaves:
    """A single tree without any test."""
    none = np.full(1, -1)
    return _grouped(np.zeros((1, count), np.int64), none, np.zeros(1), np.zeros(1, int), np.zeros(1, int))


def _grouped(leaf: Integers, feature: Array, threshold: Floats, left: Array, right: Array) -> Leaves:
    flat = leaf.ravel()
    start = np.concatenate([[0], np.cumsum(np.bincount(flat, minlength=len(feature)))])
    members = group_order(flat) % leaf.shape[1]
    return Leaves(leaf, members, start, feature, threshold, left, right)
