"""A tree while it is made: grown level by level, pruned, and at last numbered in preorder as a finished Tree.

`growth` makes the nodes, `prune` cuts them back; every variant ends with `finished_tree`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.trees.forest import LEAF, Tree
from hushwood.trees.options import GrowOptions

NONE = -1


class Split(NamedTuple):
    """A test: an attribute (LEAF for none) and, if it is numeric, the ranks on both sides of the cut, else NONE."""

    attribute: int
    below: int = NONE
    above: int = NONE


@dataclass(frozen=True)
class ForcedTests:
    """Tests that SysFor prescribes: of the root, and of its branches (by branch number)."""

    root: Split
    children: Mapping[int, Split]


@dataclass(frozen=True)
class GrownNodes:
    """A tree numbered level by level: the children of a node are consecutive from `first_child`.

    `cut` is the rank of the threshold (NONE in a categorical test), `forced` marks tests that must stay.
    """

    attribute: Integers
    cut: Integers
    threshold: Floats
    first_child: Integers
    counts: Floats
    forced: Flags


def gathered(nodes: Sequence[tuple[Array, ...]], counts: Floats) -> GrownNodes:
    """Put the levels' nodes in their places; nodes that were never opened are leaves."""
    blank: tuple[tuple[Any, Any], ...] = (
        (LEAF, np.int64),
        (NONE, np.int64),
        (np.nan, float),
        (NONE, np.int64),
        (False, bool),
    )
    arrays = [np.full(len(counts), fill, kind) for fill, kind in blank]
    for at, *parts in nodes:
        for array, part in zip(arrays, parts, strict=True):
            array[at] = part
    attribute, cut, threshold, first_child, forced = arrays
    return GrownNodes(attribute, cut, threshold, first_child, counts, forced)


def finished_tree(nodes: GrownNodes, branches: Integers, options: GrowOptions) -> Tree:
    """Number the surviving nodes in preorder and add labels, thresholds and where missing values go."""
    order, children = preorder(nodes, branches)
    attribute, counts = nodes.attribute[order], nodes.counts[order]
    label, missing_to = np.zeros(len(order), np.int32), np.full(len(order), LEAF, np.int32)
    slack = options.constants.slack
    weight = counts.sum(axis=1)
    for node, own in enumerate(children):
        # An empty branch has its parent's label already, because parents come first.
        if weight[node] > 0:
            label[node] = int(np.argmax(counts[node] >= counts[node].max() - slack))
        label[own] = label[node]
        if own:
            missing_to[node] = own[int(np.argmax(weight[own] >= weight[own].max() - slack))]
    return Tree(
        attribute=attribute.astype(np.int32),
        threshold=np.where(attribute == LEAF, np.nan, nodes.threshold[order]),
        branch_start=np.cumsum([0, *(len(own) for own in children)], dtype=np.int64),
        branches=np.array([child for own in children for child in own], np.int32),
        missing_to=missing_to,
        counts=counts,
        label=label,
    )


def preorder(nodes: GrownNodes, branches: Integers) -> tuple[Integers, Sequence[list[int]]]:
    """Old numbers of the reachable nodes in preorder, and the new numbers of each node's children."""
    order: list[int] = []
    children: list[list[int]] = []
    waiting = [(0, LEAF)]
    while waiting:
        node, parent = waiting.pop()
        place = len(order)
        if parent != LEAF:
            children[parent].append(place)
        order.append(node)
        children.append([])
        attribute = int(nodes.attribute[node])
        if attribute != LEAF:
            first = int(nodes.first_child[node])
            own = range(first, first + int(branches[attribute]))
            waiting.extend((child, place) for child in reversed(own))
    return np.array(order), children
