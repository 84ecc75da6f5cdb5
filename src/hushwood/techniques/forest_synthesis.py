"""FOREST-SYNTHESIS: records drawn from the leaves of an adversarial random forest.

Watson, Blesch, Kapar and Wright (2023), as the package arfpy does it: a tree, one of its leaves, then every column by
itself: a number from a normal distribution that is fitted in the leaf and cut to its bounds, a category by its share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.parameters import AtLeast, Between
from hushwood.tables.domains import Intervals, as_stored, from_steps, to_steps, whole_domain
from hushwood.techniques.blurring.quantile_line import COMMON
from hushwood.techniques.sequential.coded_columns import CodedColumn
from hushwood.techniques.synthesis.adversarial_forest import Leaves, adversarial_leaves
from hushwood.techniques.synthesis.source import Source
from hushwood.techniques.synthesis.synthesis import Synthesis

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

    def records(self, source: Source) -> dict[str, Array]:
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
    source: Source, column: CodedColumn, leaves: Leaves, place: int, leaf: Integers, missing: Array
) -> Floats:
    """A number for every record from its leaf's normal distribution; those to be `missing` are."""
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


def _fitted(column: CodedColumn, source: Source, leaves: Leaves) -> tuple[Floats, Floats]:
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
