"""TPP: grow trees one node at a time, and generalise the table so that the same trees can be rebuilt from it.

Growth goes on while every group is large and diverse enough (errata T). Every expansion is checked on
the whole table; one that fails is undone and its leaf closed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array
from hushwood.errors import InputError
from hushwood.random_streams import Streams, fresh_secret
from hushwood.stages import Stage, silent
from hushwood.tables.table import Table, with_present_categories
from hushwood.tree_publishing.anonymity import Groups, dense_values, groups_by, sensitive_codes
from hushwood.tree_publishing.growth import Growth, Split, needs_fixed_order
from hushwood.tree_publishing.model import published_forest
from hushwood.tree_publishing.options import PublishOptions
from hushwood.tree_publishing.recoding import Recoding
from hushwood.tree_publishing.records import Records, testable, tests_of
from hushwood.tree_publishing.released import ColumnMap, released_columns, released_table
from hushwood.trees.forest import Forest


@dataclass(frozen=True)
class Published:
    """The trees, the table that goes with them, and what was promised and kept.

    `tried` and `barred` count expansions; `stopped` is the reason why growth ended.
    """

    forest: Forest
    table: Table
    columns: tuple[ColumnMap, ...]
    groups: Groups
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
    groups: Groups


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
            Growth(
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

    def expanded(self, before: _Generalised, split: Split) -> _Generalised:
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
