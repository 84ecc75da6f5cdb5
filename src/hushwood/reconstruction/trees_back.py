"""The tree that a miner wins back from a release, by what is known about its columns.

Added noise goes through reconstructed distributions (Agrawal and Srikant 2000), disguised answers through their shares
(`disguised`). Otherwise the tree of the released values is the best there is.

Released values are assigned to intervals, to each in proportion to its reconstructed probability, and the tree is grown
on the intervals. Global reconstructs a column once, ByClass once for every class, Local for every class at every node:
a node splits as `trees.c45` does, on intervals assigned to its own records. A column tested further up keeps the
intervals it had there: that test also selected records by the column's noise, which is then no longer the known one. A
record's last intervals therefore agree with all tests above it, and the tree is pruned on them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.errors import InputError, unknown_name
from hushwood.reconstruction.disguised import Disguise, disguised_tree
from hushwood.reconstruction.distributions import (
    Method,
    assigned_limits,
    assigned_limits_by_group,
    interval_edges,
)
from hushwood.reconstruction.known_noise import KnownNoise
from hushwood.reconstruction.recovered import Recovered
from hushwood.segments.segments import codes_in
from hushwood.tables.columns.class_column import for_class
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, class_labels, missing_values
from hushwood.trees.c45.growth import grow_levels
from hushwood.trees.c45.nodes import NONE, GrownNodes, collapse, finished_tree, prune
from hushwood.trees.forest import LEAF, Forest, Tree, joined
from hushwood.trees.grow import grow_tree, learnt_forest
from hushwood.trees.options import Builder, GrowOptions
from hushwood.trees.routing import class_weights, winners
from hushwood.trees.training import TrainingSet

MOST_ROWS = 250_000  # to grow trees on: more hardly change the rules
Strategy = Literal["byclass", "global", "local"]
STRATEGIES = ("byclass", "global", "local")
_NOT_LOCALLY = {"see5": "See5", "credal": "credal"}  # variants that score splits in their own way
FEWEST = (
    30  # records of a class in a node; with fewer, the parent's intervals are better than a new distribution
)


@dataclass(frozen=True, slots=True)
class TreeBack:
    """A tree for original records, and how it was found; `plain` if no noise was undone."""

    way: str
    forest: Forest
    plain: bool = False


def tree_back(
    released: Table,
    recovered: Mapping[str, Recovered],
    disguise: Disguise | None,
    builder: Builder,
    strategy: Strategy = "byclass",
    intervals: int = 20,
) -> TreeBack:
    """The tree that the announced noise allows."""
    table = some_rows(released)
    target = table.schema.class_attribute
    learnt_from = [*table.schema.inputs, *([target] if target else [])]
    if disguise is not None and all(_is_answer(table, attribute) for attribute in learnt_from):
        forest = disguised_tree(table, disguise, min_leaf=builder.grow.min_leaf)
        return TreeBack("shares of disguised answers (Du and Zhan)", forest)
    inputs = {attribute.name for attribute in table.schema.inputs}
    noisy = {n: found for n, found in recovered.items() if found.noise is not None and n in inputs}
    if not noisy:
        return TreeBack("grown on the released values", plain_tree(table, builder), plain=True)
    stretched = {n: found.values for n, found in noisy.items() if found.values is not None}
    seen = some_rows(released.with_columns(stretched)) if stretched else table
    noises = {name: found.noise for name, found in noisy.items() if found.noise is not None}
    # Credal trees know nothing about intervals.
    grow = builder.grow if builder.grow.variant != "credal" else GrowOptions(min_leaf=builder.grow.min_leaf)
    forest = noisy_tree(seen, noises, strategy=strategy, intervals=intervals, options=grow)
    return TreeBack(f"reconstructed distributions (Agrawal and Srikant, {strategy})", forest)


def plain_tree(table: Table, builder: Builder) -> Forest:
    """The first tree of a table as it is."""
    return learnt_forest(table, builder.with_trees(1))


def regrown(released: Table, builder: Builder, predicted: Sequence[str]) -> Forest:
    """The forest of a release, grown again from the released table; where rules were kept, it is nearly the same.

    `predicted` are the classes or, without any, the columns that trees predict.
    """
    rows = some_rows(released)
    return joined([learnt_forest(for_class(rows, name), builder) for name in predicted])


def some_rows(table: Table) -> Table:
    """The table, or evenly spread rows of a long one."""
    if table.rows <= MOST_ROWS:
        return table
    return table.take(np.linspace(0, table.rows - 1, MOST_ROWS).astype(np.int64))


def accuracy(forest: Forest, table: Table) -> float:
    """The share of a table's records with a class that the first tree classifies correctly."""
    codes, classes = class_labels(table)
    columns = [_as_grown(table, attribute.name, forest) for attribute in forest.attributes]
    predicted = winners(class_weights(forest.trees[0], columns))
    known = codes >= 0
    names = np.array([*forest.classes, ""])
    right = names[predicted[known]] == np.array([*classes, ""])[codes[known]]
    return float(right.mean()) if known.any() else float("nan")


def _as_grown(table: Table, name: str, forest: Forest) -> Array:
    """A column in the category codes of the forest."""
    grown_on = next(attribute for attribute in forest.attributes if attribute.name == name)
    if grown_on.kind == "numeric":
        return np.asarray(table.columns[name], np.float64)
    return codes_in(grown_on, table.schema[name])[table.columns[name]]


def _is_answer(table: Table, attribute: Attribute) -> bool:
    """Whether a column has two categories and no gaps, as Du and Zhan's trees need it."""
    two = attribute.kind == "categorical" and len(attribute.categories) == 2 and not attribute.bins
    return two and not bool((np.asarray(table.columns[attribute.name]) < 0).any())


def noisy_tree(
    released: Table,
    noises: Mapping[str, KnownNoise],
    *,
    strategy: Strategy = "byclass",
    intervals: int = 20,
    method: Method = "bayes",
    options: GrowOptions | None = None,
) -> Forest:
    """A forest of one tree, learnt from a released table whose columns in `noises` carry that noise.

    Its thresholds are limits of intervals of original values, so it applies to original records.

    >>> import polars as pl
    >>> from hushwood.reconstruction import AddedNoise
    >>> from hushwood.tables.reading import read_table
    >>> seen = {"dose": [1.4, 0.6, 1.1, 3.2, 2.7, 3.1] * 9, "cured": ["no", "no", "no", "yes", "yes", "yes"] * 9}
    >>> released = read_table(pl.DataFrame(seen), target="cured")
    >>> forest = noisy_tree(released, {"dose": AddedNoise(0.4, domain=(0, 4))}, intervals=4)
    >>> forest.trees[0].threshold[0].item()
    2.0
    """
    if strategy not in STRATEGIES:
        raise unknown_name("strategy", str(strategy), STRATEGIES)
    options = replace(options or GrowOptions(), thresholds="data")
    if strategy == "local" and options.variant in _NOT_LOCALLY:
        raise InputError(
            f"The strategy 'local' cannot grow {_NOT_LOCALLY[options.variant]} trees. Use the variant 'c45' or 'j48'."
        )
    edges = {name: _limits(released, name, noise, intervals) for name, noise in noises.items()}
    if strategy == "local":
        tree, training = grow_locally(released, noises, edges, method, options)
    else:
        training = TrainingSet.from_table(_on_intervals(released, noises, edges, method, strategy))
        tree = grow_tree(training, options)
    target = released.schema.class_attribute
    grown = {**options.described(), "rows": training.records, "strategy": strategy, "intervals": intervals}
    return Forest(target.name if target else "", training.classes, training.attributes, (tree,), grown)


def _limits(released: Table, name: str, noise: KnownNoise, intervals: int) -> Floats:
    attribute = released.schema[name]
    if attribute not in released.schema.inputs or attribute.kind != "numeric":
        raise InputError(
            f"Column {name!r} is not a numeric input of the tree, so it cannot have known noise."
        )
    values = released.columns[name]
    known = values[np.isfinite(values)]
    if len(known) == 0:
        raise InputError(f"Column {name!r} has no values. Remove it from the noises.")
    return interval_edges(known, noise, intervals)


def _on_intervals(
    released: Table,
    noises: Mapping[str, KnownNoise],
    edges: Mapping[str, Floats],
    method: Method,
    strategy: Strategy,
) -> Table:
    """The table with its noisy columns assigned to intervals."""
    codes, _ = class_labels(released)
    groups = codes if strategy == "byclass" else np.zeros_like(codes)
    return released.with_columns(
        {
            name: assigned_limits_by_group(released.columns[name], groups, noise, edges[name], method)
            for name, noise in noises.items()
        }
    )


@dataclass(frozen=True, slots=True)
class _LocalNode:
    """Rows of a node, the columns that its path tests, and its depth."""

    rows: Integers
    tested: frozenset[str]
    depth: int


class _LocalSplit(NamedTuple):
    """A node of the tree while it grows: its test, its first child and its records per class."""

    attribute: int
    threshold: float
    first_child: int
    counts: Floats


def grow_locally(
    released: Table,
    noises: Mapping[str, KnownNoise],
    edges: Mapping[str, Floats],
    method: Method,
    options: GrowOptions,
) -> tuple[Tree, TrainingSet]:
    """The pruned tree, and the records on their last intervals."""
    table = _complete(released)
    codes, classes = class_labels(table)
    last = {name: np.array(table.columns[name], np.float64) for name in noises}
    grown: list[_LocalSplit] = []
    waiting = [_LocalNode(np.arange(table.rows), frozenset(), 0)]
    for node in waiting:  # grows while it is read: children follow all nodes of their parent's level
        _assign(node, table, codes, noises, edges, last, method)
        here = TrainingSet.from_table(table.with_columns(last), node.rows)
        deep = options.max_depth is not None and node.depth >= options.max_depth
        split = grow_levels(here, replace(options, max_depth=0 if deep else 1), 1)
        attribute, threshold = int(split.attribute[0]), float(split.threshold[0])
        counts = np.bincount(codes[node.rows], minlength=len(classes)).astype(float)
        grown.append(_LocalSplit(attribute, threshold, len(waiting), counts))
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
    node: _LocalNode,
    table: Table,
    codes: Array,
    noises: Mapping[str, KnownNoise],
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


def _children(node: _LocalNode, here: TrainingSet, attribute: int, threshold: float) -> list[_LocalNode]:
    """The records on each branch of a test."""
    codes, values = here.codes[attribute], here.values[attribute]
    if values is None:
        parts = [codes == code for code in range(int(here.branches[attribute]))]
    else:
        below = values[codes] <= threshold
        parts = [below, ~below]
    tested = node.tested | {here.attributes[attribute].name}
    return [_LocalNode(node.rows[part], tested, node.depth + 1) for part in parts]


def _pruned(grown: list[_LocalSplit], training: TrainingSet, options: GrowOptions) -> Tree:
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
