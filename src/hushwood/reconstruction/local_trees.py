"""Local: a tree whose noisy columns are reconstructed again, for every class, at every node (Agrawal, Srikant 2000).

A node splits as `trees.levels` does, on intervals assigned to its own records. A column tested further up keeps the
intervals it had there: that test also selected records by the column's noise, which is then no longer the known one. A
record's last intervals therefore agree with all tests above it, and the tree is pruned on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.errors import InputError
from hushwood.reconstruction.distributions import Method, assigned_limits
from hushwood.reconstruction.known_noise import Noise
from hushwood.tables.table import Table, class_labels, missing_values
from hushwood.trees.c45.growth import grow_levels
from hushwood.trees.c45.nodes import NONE, GrownNodes, collapse, finished_tree, prune
from hushwood.trees.forest import LEAF, Tree
from hushwood.trees.options import GrowOptions
from hushwood.trees.training import TrainingSet

FEWEST = (
    30  # records of a class in a node; with fewer, the parent's intervals are better than a new distribution
)


@dataclass(frozen=True, slots=True)
class _Node:
    """Rows of a node, the columns that its path tests, and its depth."""

    rows: Integers
    tested: frozenset[str]
    depth: int


class _Split(NamedTuple):
    """A node of the tree while it grows: its test, its first child and its records per class."""

    attribute: int
    threshold: float
    first_child: int
    counts: Floats


def grow_locally(
    released: Table,
    noises: Mapping[str, Noise],
    edges: Mapping[str, Floats],
    method: Method,
    options: GrowOptions,
) -> tuple[Tree, TrainingSet]:
    """The pruned tree, and the records on their last intervals."""
    table = _complete(released)
    codes, classes = class_labels(table)
    last = {name: np.array(table.columns[name], np.float64) for name in noises}
    grown: list[_Split] = []
    waiting = [_Node(np.arange(table.rows), frozenset(), 0)]
    for node in waiting:  # grows while it is read: children follow all nodes of their parent's level
        _assign(node, table, codes, noises, edges, last, method)
        here = TrainingSet.from_table(table.with_columns(last), node.rows)
        deep = options.max_depth is not None and node.depth >= options.max_depth
        split = grow_levels(here, replace(options, max_depth=0 if deep else 1), 1)
        attribute, threshold = int(split.attribute[0]), float(split.threshold[0])
        counts = np.bincount(codes[node.rows], minlength=len(classes)).astype(float)
        grown.append(_Split(attribute, threshold, len(waiting), counts))
        if attribute != LEAF:
            waiting += _children(node, here, attribute, threshold)
    training = TrainingSet.from_table(table.with_columns(last))
    return _pruned(grown, training, options), training


def _complete(released: Table) -> Table:
    """Records with a class; none may have missing values, because a record must belong to one node."""
    codes, _ = class_labels(released)
    table = released.take(np.flatnonzero(codes >= 0))
    gaps = [a.name for a in table.schema.inputs if missing_values(table.columns[a.name]).any()]
    if gaps:
        raise InputError(
            "The strategy 'local' needs complete records, but these have missing values: "
            f"{', '.join(map(repr, gaps))}. Use 'byclass'."
        )
    return table


def _assign(
    node: _Node,
    table: Table,
    codes: Array,
    noises: Mapping[str, Noise],
    edges: Mapping[str, Floats],
    last: Mapping[str, Floats],
    method: Method,
) -> None:
    """Assign the node's records to intervals, class by class; small classes keep the parent's intervals."""
    for name, noise in noises.items():
        if name in node.tested:
            continue
        for code in np.unique(codes[node.rows]).tolist():
            rows = node.rows[codes[node.rows] == code]
            if node.depth == 0 or len(rows) >= FEWEST:
                last[name][rows] = assigned_limits(table.columns[name][rows], noise, edges[name], method)


def _children(node: _Node, here: TrainingSet, attribute: int, threshold: float) -> list[_Node]:
    """The records on each branch of a test."""
    codes, values = here.codes[attribute], here.values[attribute]
    if values is None:
        parts = [codes == code for code in range(int(here.branches[attribute]))]
    else:
        below = values[codes] <= threshold
        parts = [below, ~below]
    tested = node.tested | {here.attributes[attribute].name}
    return [_Node(node.rows[part], tested, node.depth + 1) for part in parts]


def _pruned(grown: list[_Split], training: TrainingSet, options: GrowOptions) -> Tree:
    """Collapse and prune as usual; the records follow their last intervals."""
    attribute = np.array([split.attribute for split in grown], np.int64)
    threshold = np.array([split.threshold for split in grown])
    cut = np.full(len(attribute), NONE, np.int64)
    for a, values in enumerate(training.values):
        if values is not None:
            tests = attribute == a
            cut[tests] = np.searchsorted(values, threshold[tests], side="right") - 1
    branches = np.where(attribute == LEAF, 0, training.branches[attribute])
    nodes = GrownNodes(
        attribute,
        cut,
        threshold,
        np.array([split.first_child for split in grown], np.int64),
        np.stack([split.counts for split in grown]),
        np.zeros(len(attribute), bool),
    )
    nodes = collapse(nodes, branches, options)
    if options.prune:
        nodes = prune(nodes, branches, training, options)
    return finished_tree(nodes, training.branches, options)
