"""The box of every node of a tree: the values that a record there can have, by the tests on its path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Codes, Flags, Floats
from hushwood.tables.domains import Intervals, first_above, last_below, whole_domain
from hushwood.tables.schema import Attribute, Schema
from hushwood.trees.forest import LEAF, Forest, Tree


@dataclass(frozen=True, slots=True)
class Boxes:
    """Per attribute: bounds, category sets (last entry: missing) and whether the path tests it, all [node, ...]."""

    low: Mapping[str, Floats]
    high: Mapping[str, Floats]
    allowed: Mapping[str, Flags]
    tested: Mapping[str, Flags]


def boxes_of(tree: Tree, forest: Forest, schema: Schema) -> Boxes:
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
    return Boxes(low, high, allowed, tested)


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
