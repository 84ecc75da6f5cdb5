"""Local: a tree whose noisy columns are reconstructed again, for every class, at every node (Agrawal, Srikant 2000).

A node splits as `trees.levels` splits one, on intervals dealt to its own records. A column that a test above it has
looked at keeps the intervals it had there: the test chose records by that column's noise too, so its noise is no
longer the known one. So a record's last intervals agree with all tests above it, and the tree is pruned on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.reconstruction.distributions import Method
from hushwood.reconstruction.interval_deals import dealt
from hushwood.reconstruction.noise_shapes import Floats, Noise
from hushwood.tables.table import Array, Table, class_labels, missing_values
from hushwood.trees.choice import NONE
from hushwood.trees.forest import LEAF, Tree
from hushwood.trees.grown_nodes import GrownNodes
from hushwood.trees.levels import grow_levels
from hushwood.trees.numbering import finished_tree
from hushwood.trees.options import GrowOptions
from hushwood.trees.prune import collapse, prune
from hushwood.trees.training import TrainingSet

FEWEST = 30  # records of a class in a node; of fewer, a distribution tells less than the deal of the parent


@dataclass(frozen=True, slots=True)
class _Node:
    """Rows of a node, the columns that its path tests, and how deep it is."""

    rows: NDArray[np.int64]
    tested: frozenset[str]
    depth: int


@dataclass
class _Grown:
    """The tree while it grows, numbered level by level."""

    attribute: list[int] = field(default_factory=list)
    threshold: list[float] = field(default_factory=list)
    first_child: list[int] = field(default_factory=list)
    counts: list[Floats] = field(default_factory=list)


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
    grown, waiting = _Grown(), [_Node(np.arange(table.rows), frozenset(), 0)]
    for node in waiting:  # grows while it is read: children come behind all nodes of their parent's level
        _deal(node, table, codes, noises, edges, last, method)
        here = TrainingSet.from_table(table.with_columns(last), node.rows)
        deep = options.max_depth is not None and node.depth >= options.max_depth
        split = grow_levels(here, replace(options, max_depth=0 if deep else 1), 1)
        grown.attribute.append(int(split.attribute[0]))
        grown.threshold.append(float(split.threshold[0]))
        grown.first_child.append(len(waiting))
        grown.counts.append(np.bincount(codes[node.rows], minlength=len(classes)).astype(float))
        if split.attribute[0] != LEAF:
            waiting += _children(node, here, int(split.attribute[0]), float(split.threshold[0]))
    training = TrainingSet.from_table(table.with_columns(last))
    return _pruned(grown, training, options), training


def _complete(released: Table) -> Table:
    """Records with a class; none of them may miss a value, because a record belongs to one node."""
    codes, _ = class_labels(released)
    table = released.take(np.flatnonzero(codes >= 0))
    gaps = [a.name for a in table.schema.inputs if missing_values(table.columns[a.name]).any()]
    if gaps:
        raise InputError(
            f"The local strategy needs complete records; {', '.join(map(repr, gaps))} miss values. Use 'byclass'."
        )
    return table


def _deal(
    node: _Node,
    table: Table,
    codes: Array,
    noises: Mapping[str, Noise],
    edges: Mapping[str, Floats],
    last: Mapping[str, Floats],
    method: Method,
) -> None:
    """Deal the node's records to intervals, class by class; where they are few, the parent's deal stays."""
    for name, noise in noises.items():
        if name in node.tested:
            continue
        for code in np.unique(codes[node.rows]).tolist():
            rows = node.rows[codes[node.rows] == code]
            if node.depth == 0 or len(rows) >= FEWEST:
                last[name][rows] = dealt(table.columns[name][rows], noise, edges[name], method)


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


def _pruned(grown: _Grown, training: TrainingSet, options: GrowOptions) -> Tree:
    """Collapse and prune as every tree is; the records follow their last intervals."""
    attribute = np.array(grown.attribute, np.int64)
    threshold = np.array(grown.threshold)
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
        np.array(grown.first_child, np.int64),
        np.stack(grown.counts),
        np.zeros(len(attribute), bool),
    )
    nodes = collapse(nodes, branches, options)
    if options.prune:
        nodes = prune(nodes, branches, training, options)
    return finished_tree(nodes, training.branches, options)
