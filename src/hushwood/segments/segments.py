"""Segments as data: which records belong together, and the box that their rules describe.

A node's box is made of the values that a record there can have, by the tests on its path.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats, Integers
from hushwood.tables.domains import Intervals, first_above, last_below, whole_domain
from hushwood.tables.schema import Attribute, Schema
from hushwood.trees.forest import LEAF, Forest, Tree


@dataclass(frozen=True, slots=True)
class Allowed:
    """Category sets of one attribute: `sets[i]` marks the categories (last: missing), `of_segment` picks a set."""

    sets: Flags
    of_segment: Codes


@dataclass(frozen=True, slots=True)
class Segments:
    """The segment of every record, and the sub-domain of every attribute in every segment.

    Numeric attributes have `intervals`, categorical ones `allowed` category sets; `influential[name]` marks the
    segments whose rules test the attribute. `sampled` says that the records are a sample of a longer table.
    """

    ids: Codes
    count: int
    intervals: Mapping[str, Intervals]
    allowed: Mapping[str, Allowed]
    influential: Mapping[str, Flags]
    sampled: bool = False

    @property
    def sizes(self) -> Integers:
        """The number of records in every segment."""
        return np.bincount(self.ids, minlength=self.count)


def expected_changes(codes: Array, segment_ids: Array) -> Floats:
    """E(N): how many records of each segment change their class, on average, when its classes are permuted at random.

    N - sum of n_c²/N, for any number of classes (errata A6).

    >>> expected_changes(np.array([0] * 6 + [1] * 3 + [2] * 2), np.zeros(11, int)).round(3).tolist()
    [6.545]
    """
    codes = np.asarray(codes, np.int64) - min(int(np.min(codes, initial=0)), 0)
    width = int(codes.max(initial=0)) + 1
    cells, counts = np.unique(np.asarray(segment_ids, np.int64) * width + codes, return_counts=True)
    sizes = np.bincount(segment_ids).astype(np.float64)
    squares = np.bincount(cells // width, counts.astype(np.float64) ** 2, minlength=len(sizes))
    return sizes - np.divide(squares, sizes, out=np.zeros_like(sizes), where=sizes > 0)


@dataclass(frozen=True, slots=True)
class NodeBoxes:
    """Per attribute: bounds, category sets (last entry: missing) and whether the path tests it, all [node, ...]."""

    low: Mapping[str, Floats]
    high: Mapping[str, Floats]
    allowed: Mapping[str, Flags]
    tested: Mapping[str, Flags]


def boxes_of(tree: Tree, forest: Forest, schema: Schema) -> NodeBoxes:
    """The boxes of all nodes of a tree, for the attributes it tests; thresholds are moved to the columns' grids."""
    low, high, allowed, tested = {}, {}, {}, {}
    for a in np.unique(tree.attribute[tree.attribute != LEAF]).tolist():
        attribute = schema[forest.attributes[a].name]
        tests = tree.attribute == a
        tested[attribute.name] = np.zeros(len(tree), bool)
        if attribute.kind == "numeric":
            low[attribute.name], high[attribute.name] = _bounds(
                tree, tests, attribute, tested[attribute.name]
            )
        else:
            allowed[attribute.name] = _category_sets(
                tree, tests, forest.attributes[a], attribute, tested[attribute.name]
            )
    return NodeBoxes(low, high, allowed, tested)


def _bounds(tree: Tree, tests: Flags, attribute: Attribute, tested: Flags) -> tuple[Floats, Floats]:
    domain = whole_domain(attribute)
    low, high = np.full(len(tree), domain.low[0]), np.full(len(tree), domain.high[0])
    above = first_above(tree.threshold, attribute.precision)
    below = last_below(tree.threshold, attribute.precision)
    for parent, child in tree.edges():
        low[child], high[child], tested[child] = low[parent], high[parent], tested[parent] | tests[parent]
        if tests[parent] and child == tree.branches_of(parent)[0]:
            high[child] = min(high[child], below[parent])
        elif tests[parent]:
            low[child] = max(low[child], above[parent])
    return low, high


def _category_sets(
    tree: Tree, tests: Flags, grown_on: Attribute, attribute: Attribute, tested: Flags
) -> Flags:
    """Categories of the table that lead to each node; unseen ones follow missing values."""
    code = codes_in(grown_on, attribute)
    allowed = np.ones((len(tree), len(code)), bool)
    for parent, child in tree.edges():
        allowed[child], tested[child] = allowed[parent], tested[parent] | tests[parent]
        if tests[parent]:
            leads_to = np.append(tree.branches_of(parent), tree.missing_to[parent])[code]
            allowed[child] &= leads_to == child
    return allowed


def codes_in(grown_on: Attribute, attribute: Attribute) -> Codes:
    """The forest's code of every category of the table, -1 for those it never saw and, last, for missing."""
    place = {value: i for i, value in enumerate(grown_on.categories)}
    return np.array([*(place.get(value, -1) for value in attribute.categories), -1], np.int32)


def domain_intervals(attribute: Attribute, segments: int) -> Intervals:
    """The whole domain for every segment."""
    domain = whole_domain(attribute)
    return replace(domain, low=np.repeat(domain.low, segments), high=np.repeat(domain.high, segments))
