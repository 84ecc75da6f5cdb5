"""TPP: grow trees one node at a time, and generalise the table so that the same trees can be rebuilt from it.

Growth goes on while every group is large and diverse enough (errata T). Every expansion is checked on the whole table;
one that fails is undone and its leaf closed. The published model has the grown trees numbered in preorder, in the
vocabulary of both tables: a tested attribute's categories are its original ones followed by its labels, so that
original and released records can both be routed; missing values that form a group of their own come last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Array, Bytes, Floats
from hushwood.errors import InputError
from hushwood.random_streams import Streams, fresh_secret
from hushwood.stages import Stage, silent
from hushwood.tables.recoding.texts import MISSING
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, with_present_categories
from hushwood.tree_publishing.growth import BinarySplit, PublishedGrowth, needs_fixed_order, threshold_of
from hushwood.tree_publishing.intervals import Recoding
from hushwood.tree_publishing.kernels import splits as kernels
from hushwood.tree_publishing.options import PublishOptions
from hushwood.tree_publishing.records import (
    Records,
    ReleasedGroups,
    dense_values,
    groups_by,
    sensitive_codes,
    testable,
    tests_of,
)
from hushwood.tree_publishing.released import Column, ColumnMap, released_columns, released_table
from hushwood.trees.binary import Node
from hushwood.trees.forest import LEAF, Forest, Tree

_UNSEEN = frozenset({"class", "identifier"})


@dataclass(frozen=True)
class Published:
    """The trees, the table that goes with them, and what was promised and kept.

    `tried` and `barred` count expansions; `stopped` is the reason why growth ended.
    """

    forest: Forest
    table: Table
    columns: tuple[ColumnMap, ...]
    groups: ReleasedGroups
    k_with_class: int
    tried: int
    barred: int
    stopped: str
    warnings: tuple[str, ...]

    @property
    def k(self) -> int:
        """Size of the smallest group, with the class unknown to the intruder."""
        return self.groups.k

    @property
    def l(self) -> dict[str, float]:
        """Smallest strong L of every sensitive attribute."""
        return {name: float(found.min()) for name, found in self.groups.l.items()}


@dataclass(frozen=True)
class _Generalised:
    """All columns recoded for the trees so far, and the groups that result."""

    recodings: Mapping[int, Recoding]
    groups: ReleasedGroups


class _Publisher:
    """One run: the coded table and what stays the same over all expansions."""

    def __init__(self, table: Table, options: PublishOptions, streams: Streams) -> None:
        self.table, self.options, self.streams = table, options, streams
        names, self.warnings = testable(table, options)
        self.records = Records.of(table, names, options.threads)
        known = table.schema.quasi_identifiers
        self.grouped = frozenset(a for a, name in enumerate(names) if name in known)
        self.sensitive = sensitive_codes(table)
        response = table.schema.class_attribute
        self.response = dense_values(table.columns[response.name]) if response else np.zeros(table.rows)
        criteria = [plan.criterion for plan in options.trees]
        fixed = needs_fixed_order(criteria, len(self.records.classes), options.min_leaf)
        self.trees = [
            PublishedGrowth(
                self.records,
                plan.criterion,
                tests_of(plan, names),
                min_leaf=options.min_leaf,
                max_depth=options.max_depth,
                fixed_order=fixed,
                threads=options.threads,
            )
            for plan in options.trees
        ]
        self.tried = self.barred = 0

    def start(self) -> _Generalised:
        """Every column as one value; refuses a promise that not even this table keeps (errata T11)."""
        recodings = {
            a: Recoding.untested(self.records.counts_of_values(a))
            for a in range(len(self.records.attributes))
        }
        groups = groups_by(self._fixed_parts(), self.sensitive, self.table.rows)
        failure = groups.failure(self.options.k, self.options.l)
        if failure is not None:
            counted = " The class counts as known; without --class-in-groups it does not."
            raise InputError(
                f"K and L cannot be reached even with every column generalised to one value: {failure}; ask for less."
                f"{counted if self.options.class_in_groups else ''}"
            )
        return _Generalised(recodings, groups)

    def expanded(self, before: _Generalised, split: BinarySplit) -> _Generalised:
        """The table generalised for one more test."""
        a = split.attribute
        old = before.recodings[a]
        new = old.with_test(split, self.options.anchored)
        recodings = {**before.recodings, a: new}
        if a not in self.grouped or not self.options.promises:
            return _Generalised(recodings, before.groups)
        if new.refines(old):
            parts = [before.groups.ids, self._part(a, new)]
        else:
            parts = [*self._fixed_parts(), *self._tested_parts(recodings)]
        return _Generalised(recodings, groups_by(parts, self.sensitive, self.table.rows))

    def grow(self, stage: Stage) -> tuple[_Generalised, str]:
        """Expand the trees in turn until none can go on; the table as it is then, and why growth ended."""
        now, growing = self.start(), list(self.trees)
        while growing:
            for tree in list(growing):
                leaf = tree.next_leaf()
                best = None if leaf is None else tree.nodes[leaf].best
                if leaf is None or best is None or tree.leaf_count == self.options.max_leaves:
                    growing.remove(tree)
                    continue
                stage("growing the tree", tree.leaf_count, 0)
                trial = self.expanded(now, best)
                self.tried += 1
                failure = trial.groups.failure(self.options.k, self.options.l)
                if failure is None:
                    now = trial
                    tree.split_node(leaf)
                    continue
                self.barred += 1
                tree.nodes[leaf].closed = True
                if self.options.stop_at_first_failure:
                    self._close_all()
                    return now, f"The first expansion that failed ended growth: {failure}."
        return now, self._stopped()

    def finish(self, now: _Generalised, stopped: str) -> Published:
        """The released table and the model."""
        table, options = self.table, self.options
        columns = released_columns(table, self.records, now.recodings, options.anchored, self.streams)
        groups = groups_by(self._tested_parts(now.recodings), self.sensitive, table.rows)
        with_class = groups_by([groups.ids, self.response], {}, table.rows)
        return Published(
            published_forest(table, self.records, self.trees, columns, options),
            released_table(table, columns),
            tuple(columns[a.name].map for a in table.schema.inputs),
            groups,
            with_class.k,
            self.tried,
            self.barred,
            stopped,
            (*self.warnings, *self._one_leaf_warnings()),
        )

    def _fixed_parts(self) -> list[Array]:
        return [self.response] if self.options.class_in_groups else []

    def _part(self, a: int, recoding: Recoding) -> Array:
        return np.asarray(recoding.part_of_value[self.records.codes[a]])

    def _tested_parts(self, recodings: Mapping[int, Recoding]) -> list[Array]:
        """The quasi-identifiers that are not one value for all, as the parts of every record."""
        return [self._part(a, recodings[a]) for a in sorted(self.grouped) if recodings[a].tested]

    def _close_all(self) -> None:
        """Close the leaves that were not tried because growth was stopped: a rebuilt tree need not split them."""
        for tree in self.trees:
            for number in tree.leaves():
                tree.nodes[number].closed = tree.nodes[number].best is not None

    def _stopped(self) -> str:
        limit = self.options.max_leaves
        full = [tree for tree in self.trees if tree.leaf_count == limit]
        if full and any(tree.next_leaf() is not None for tree in full):
            return f"Growth ended at the limit of {limit} leaves."
        if self.barred:
            return "Splitting any further leaf would violate K or L, so the remaining leaves are closed."
        return "No remaining split would say more about the class."

    def _one_leaf_warnings(self) -> list[str]:
        if any(len(tree.nodes) > 1 for tree in self.trees):
            return []
        if self.barred:
            why = "no split satisfies K and L; ask for a smaller K or L"
        elif self.options.max_leaves == 1 or self.options.max_depth == 0:
            why = "no larger tree was asked for"
        else:
            why = "no column predicts the class in leaves of the size asked for"
        return [f"The published tree is one leaf: {why}."]


def publish(
    table: Table,
    options: PublishOptions,
    stage: Stage = silent,
    streams: Streams | None = None,
) -> Published:
    """Grow, generalise and check until nothing can be added; noise comes from the streams, or from a fresh secret."""
    stage("reading the columns", 0, 1)
    publisher = _Publisher(
        with_present_categories(table, table.schema.inputs), options, streams or Streams(fresh_secret())
    )
    now, stopped = publisher.grow(stage)
    stage("generalising the table", 0, 1)
    return publisher.finish(now, stopped)


def published_forest(
    table: Table,
    records: Records,
    grown: Sequence[PublishedGrowth],
    columns: Mapping[str, Column],
    options: PublishOptions,
) -> Forest:
    """The forest that tree.json holds."""
    attributes = tuple(_described(columns[a.name]) for a in records.attributes)
    names = [a.name for a in attributes]
    tested = {place: tuple(names[a] for a in growth.columns) for place, growth in enumerate(grown)}
    response = table.schema.class_attribute
    others = [a.name for a in table.schema.attributes if a.name not in names and a.role not in _UNSEEN]
    how = options.grown(tested) | {"rows": table.rows, "other_columns": others}
    how["labels"] = {name: labels for name in names if (labels := _labels(columns[name].map))}
    if response is not None and response.bins and not response.response:
        how["class_bins"] = list(response.bins)
    trees = tuple(_tree(growth, records, [columns[n] for n in names], table, options) for growth in grown)
    return Forest(response.name if response else "", records.classes, attributes, trees, how)


def _described(column: Column) -> Attribute:
    """The attribute as the model describes it: missing values that form a group of their own are its last category.

    Otherwise a node could have a child that no category leads to.
    """
    attribute, name = column.attribute, MISSING
    if not column.map.tested or _place_of_missing(column) is None:
        return attribute
    while name in attribute.categories:
        name += " (no value)"
    return replace(attribute, categories=(*attribute.categories, name))


def _place_of_missing(column: Column) -> int | None:
    """The place of the missing values among the original categories, if they are a group of their own."""
    codes = column.released_code
    return None if codes is None or codes.min() >= 0 else int(np.argmin(codes))


def _labels(column: ColumnMap) -> dict[str, list[str]]:
    """What each label of a tested column stands for."""
    return {str(part.released): list(part.values) for part in column.parts if len(part.values) > 1}


def _tree(
    growth: PublishedGrowth,
    records: Records,
    columns: Sequence[Column],
    table: Table,
    options: PublishOptions,
) -> Tree:
    order = _preorder(growth.nodes)
    place = {number: i for i, number in enumerate(order)}
    nodes = [growth.nodes[number] for number in order]
    attribute = [LEAF if node.split is None else node.split.attribute for node in nodes]
    branches: list[list[int]] = []
    missing_to = np.full(len(nodes), LEAF, np.int32)
    for i, node in enumerate(nodes):
        if node.split is None:
            branches.append([])
            continue
        left, right = (place[child] for child in node.children)
        column = columns[node.split.attribute]
        sides = _sides(node.split, column)
        branches.append([(left, right)[side] for side in sides.tolist()])
        heavier = left if nodes[left].size >= nodes[right].size else right
        own = _side_of_missing(node.split, len(table.schema[column.attribute.name].categories))
        missing_to[i] = heavier if own is None else (left, right)[own]
    counts = _counts(nodes, growth, records, table)
    return Tree(
        np.array(attribute, np.int32),
        np.array(
            [np.nan if n.split is None else threshold_of(n.split, records, options.thresholds) for n in nodes]
        ),
        np.cumsum([0, *(len(own) for own in branches)], dtype=np.int64),
        np.array([child for own in branches for child in own], np.int32),
        missing_to,
        counts,
        np.argmax(counts, axis=1).astype(np.int32) if records.classes else np.zeros(len(nodes), np.int32),
        closed=frozenset(i for i, node in enumerate(nodes) if node.closed),
    )


def _preorder(nodes: Sequence[Node[BinarySplit]]) -> list[int]:
    order, waiting = [], [0]
    while waiting:
        number = waiting.pop()
        order.append(number)
        if nodes[number].split is not None:
            waiting.extend(reversed(nodes[number].children))
    return order


def _sides(split: BinarySplit, column: Column) -> Bytes:
    """Where the two branches of a number, or all categories of the vocabulary, go."""
    if split.sides is None or column.released_code is None:
        return np.array([kernels.LEFT, kernels.RIGHT], np.uint8)
    known = len(split.sides)
    sides = np.zeros(len(column.attribute.categories), np.uint8)
    originals = min(known, len(sides))
    sides[:originals] = split.sides[:originals]
    labelled = column.released_code >= 0
    sides[column.released_code[labelled]] = split.sides[labelled]
    alone = _place_of_missing(column)
    return sides if alone is None else np.append(sides, split.sides[alone])


def _side_of_missing(split: BinarySplit, known: int) -> int | None:
    """Where missing values go if they are a category of their own, after the `known`; else None."""
    return None if split.sides is None or len(split.sides) == known else int(split.sides[known])


def _counts(
    nodes: Sequence[Node[BinarySplit]], growth: PublishedGrowth, records: Records, table: Table
) -> Floats:
    """Records per class of every node; in regression one column of means."""
    if records.classes:
        return np.array([growth.total(node) for node in nodes])
    response = table.schema.class_attribute
    values = table.columns[response.name] if response else np.empty(0)
    return np.array([[values[np.sort(growth.rows(n))].mean()] for n in nodes])
