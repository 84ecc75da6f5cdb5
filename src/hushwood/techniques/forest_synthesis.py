"""FOREST-SYNTHESIS: records drawn from the leaves of an adversarial random forest.

Watson, Blesch, Kapar and Wright, *Adversarial random forests for density estimation and generative modeling* (2023), as
the package arfpy does it: a tree, one of its leaves, then every column by itself: a number from a normal distribution
that is fitted in the leaf and cut to its bounds, a category by its share. The forest learns to spot made-up records,
until it can no longer spot those that it makes up itself. The first are the columns permuted independently; the next
are drawn from the forest's leaves, column by column.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Floats, Floats32, Integers
from hushwood.parameters import AtLeast, Between
from hushwood.random_streams import group_order
from hushwood.tables.domains import Intervals, as_stored, from_steps, to_steps, whole_domain
from hushwood.techniques.blurring.blur import COMMON
from hushwood.techniques.sequential.coded_columns import CodedColumn
from hushwood.techniques.synthesis.synthesis import Synthesis, SynthesisSource

_MEMBER, _NUMBER = 0, 1
# Of a normal distribution, this many standard deviations each way hold 95 %.
_MOST_OF_IT = 1.96


@dataclass(frozen=True, slots=True)
class ForestSynthesis(Synthesis):
    """Forests of `trees` trees with at least `min_node` records in a leaf, real and made-up ones together.

    Learning ends when the forest tells the two apart with an accuracy of at most 0.5 + `delta`, does no better than the
    round before, or after `rounds` rounds.
    """

    trees: Annotated[int, AtLeast(1)] = 30
    min_node: Annotated[int, AtLeast(1)] = 5
    rounds: Annotated[int, AtLeast(0)] = 10
    delta: Annotated[float, Between(0, 0.5)] = 0.0
    acronym: ClassVar[str] = "FOREST-SYNTHESIS"

    def says(self) -> str:
        return (
            "Made up: drawn from a leaf of a forest that learnt which records are real; a number is normal around the "
            "leaf's mean and stays in the leaf's range, a category has its share in the leaf."
        )

    def records(self, source: SynthesisSource) -> dict[str, Array]:
        """Learn the forest on all columns, the class among them, and draw."""
        label = source.label if source.label is not None and not source.label.constant else None
        columns = [*source.led, *([] if label is None else [label])]
        if not columns:
            return {}
        leaves = source.remembered(
            "leaves",
            lambda: adversarial_leaves(source, columns, self.trees, self.min_node, self.rounds, self.delta),
        )
        slots = source.slots
        tree, part = (
            slots.streams.uniform(f"{slots.purpose} {what}", "", 0, slots.rows) for what in ("tree", "leaf")
        )
        leaf = leaves.of_new(tree, part)
        drawn: dict[str, CodedColumn] = {}
        numbers: dict[str, Array] = {}
        for place, column in enumerate(columns):
            member = source.rows[leaves.member(leaf, slots.uniform(column.name, _MEMBER))]
            drawn[column.name] = column.with_codes(column.codes[member])
            if column.numeric:
                numbers[column.name] = _numbers(
                    source, column, leaves, place, leaf, column.codes[member] == 0
                )
        new = {name: column.values() for name, column in source.complete(drawn).items()} | numbers
        return new if label is None else new | {label.name: source.classes(label, drawn[label.name].codes)}


def _numbers(
    source: SynthesisSource, column: CodedColumn, leaves: Leaves, place: int, leaf: Integers, missing: Array
) -> Floats:
    """A number for every record from its leaf's normal distribution; NaN for the `missing` ones."""
    from scipy.special import ndtr, ndtri

    attribute = source.schema[column.name]
    own = np.asarray(source.columns[column.name], np.float64)
    inside = whole_domain(attribute).fitted_to(own)
    ends = from_steps(np.array([inside.low[0], inside.high[0]]), inside.precision)
    low, high = (_as_numbers(column, bound[leaf], ends) for bound in leaves.bounds(place, column.levels - 1))
    mean, spread = (found[leaf] for found in _fitted(column, source, leaves))
    alone = (spread == 0) & (_shared_by(column, mean) < COMMON)
    spread = np.where(alone, (high - low) / (2 * _MOST_OF_IT), spread)
    sure = ~(spread > 0)
    scale = np.where(sure, 1.0, spread)
    first, last = ndtr((low - mean) / scale), ndtr((high - mean) / scale)
    u = source.slots.uniform(column.name, _NUMBER)
    drawn = np.where(sure, mean, mean + scale * ndtri(first + u * (last - first)))
    return np.where(missing, np.nan, _on_grid(np.clip(drawn, low, high), inside))


def _fitted(column: CodedColumn, source: SynthesisSource, leaves: Leaves) -> tuple[Floats, Floats]:
    """The mean and the standard deviation of the known numbers in every leaf."""
    codes, known = column.codes[source.rows], _known(column)
    trees, nodes = len(leaves.leaf), len(leaves.feature)
    there = np.flatnonzero(codes > 0)
    at, place = leaves.leaf[:, there].ravel(), np.tile(codes[there] - 1, trees)
    size = np.bincount(at, minlength=nodes)
    mean = np.bincount(at, known[place], minlength=nodes) / np.maximum(size, 1)
    apart = np.bincount(at, (known[place] - mean[at]) ** 2, minlength=nodes)
    # Equal numbers have no deviation, whatever rounding makes of their mean.
    lowest, highest = np.full(nodes, len(known) - 1), np.zeros(nodes, np.int64)
    np.minimum.at(lowest, at, place)
    np.maximum.at(highest, at, place)
    same = lowest == highest
    return np.where(same, known[lowest], mean), np.where(same, 0.0, np.sqrt(apart / np.maximum(size - 1, 1)))


def _known(column: CodedColumn) -> Floats:
    """The different numbers of a column, ascending."""
    return np.zeros(0) if column.numbers is None else column.numbers[1:]


def _as_numbers(column: CodedColumn, codes: Floats, ends: Floats) -> Floats:
    """The numbers where the codes are cut: halfway between two neighbours, or the ends of the domain."""
    known = _known(column)
    cuts = np.concatenate([ends[:1], known[:-1] + np.diff(known) / 2, ends[1:]])
    return np.asarray(cuts[np.clip(np.floor(codes).astype(np.int64), 0, len(cuts) - 1)])


def _shared_by(column: CodedColumn, numbers: Floats) -> Integers:
    """How many records of the table have each number."""
    known = _known(column)
    place = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
    return np.where(known[place] == numbers, column.counts[1:][place], 0)


def _on_grid(numbers: Floats, inside: Intervals) -> Floats:
    """The nearest numbers that the column can hold."""
    step, first, last = inside.step[0], inside.first[0], inside.last[0]
    steps = np.rint(to_steps(numbers, inside.precision) / step) * step
    return as_stored(from_steps(np.clip(steps, first, last), inside.precision), inside)


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
        """The number of records in every node, 0 if it is not a leaf."""
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
    source: SynthesisSource,
    columns: Sequence[CodedColumn],
    trees: int,
    min_node: int,
    rounds: int,
    delta: float,
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


def _seed(source: SynthesisSource, number: int) -> int:
    """A seed for the library's own draws."""
    slots = source.slots
    return int.from_bytes(slots.streams.derive(slots.purpose, "forest", number)[:4], "big") >> 1


def _permuted(source: SynthesisSource, name: str, values: Floats32) -> Floats32:
    slots = source.slots
    return np.asarray(values[slots.streams.order(f"{slots.purpose} permuted", name, range(len(values)))])


def _from_leaves(
    source: SynthesisSource, leaves: Leaves, columns: Sequence[CodedColumn], real: Floats32, number: int
) -> Floats32:
    """Records made up from the leaves: every column's code is that of another member of the leaf."""
    slots = source.slots

    def uniform(what: str, name: str = "") -> Floats:
        return slots.streams.uniform(f"{slots.purpose} round: {what}", name, number, range(len(real)))

    leaf = leaves.of_new(uniform("tree"), uniform("leaf"))
    drawn = [real[leaves.member(leaf, uniform("member", c.name)), j] for j, c in enumerate(columns)]
    return np.stack(drawn, axis=1)


def _told_apart(
    source: SynthesisSource, real: Floats32, fake: Floats32, trees: int, min_node: int, seed: int
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
