"""EDUSC: do the attributes separate the classes as well in the release as in the original? (FF paper, 5)

The original's trees are forced on the release (`forced_trees`), and the gain ratios of all attributes are compared in
all nodes, leaves included. Readings of the paper's equations: errata G4, G5 and G16.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from hushwood.arrays import Flags, Floats, Integers
from hushwood.measures.models.grown import force_tree
from hushwood.measures.protocol import Context, Measure, Measurement, NotComputable
from hushwood.parameters import Checked
from hushwood.tables.table import Table
from hushwood.trees.options import Criterion

Normalise = Literal["affected", "paper"]
CHANGES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Edusc(Measure, Checked):
    """1 - the mean change of the gain ratios, averaged over the trees.

    With "affected" a node is weighted by its records; "paper" is equation 4 as printed, which also divides by the
    number of nodes, so that all large trees look alike. Information gain or Gini's index may be the `criterion`, as a
    share of the most that the classes allow.
    """

    normalise: Normalise = "affected"
    criterion: Criterion = "gain_ratio"
    name = "edusc"
    title = "Same splitting power (EDUSC)"
    question = "Does every attribute separate the classes as well as before, in every segment?"
    meaning = (
        "1 means that every attribute separates the classes exactly as well as before, in every node of "
        "the trees."
    )
    about = "rules"
    side = "utility"
    unit = "number"
    better = "higher"
    bounds = (0.0, 1.0)
    best = 1.0
    headline = 7
    quick = False

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Answer the question."""
        refused = context.nothing_to_learn()
        if refused is not None:
            return refused
        compared = _compare(context, self.criterion)
        similar = {
            "affected": float(np.mean([1.0 - tree.change_by_records() for tree in compared])),
            "paper": float(np.mean([1.0 - tree.change_as_printed() for tree in compared])),
        }
        value = similar[self.normalise]
        if context.value_only:
            return Measurement(value)
        names = [a.name for a in context.original_grown.training.attributes]
        details = {
            "criterion": self.criterion,
            "normalised": similar,
            "threshold": context.original_grown.builder.sysfor.minimum_gain_ratio,
            "trees": [_tree_row(tree) for tree in compared],
            "attributes": _by_attribute(names, compared),
            "largest_changes": _largest_changes(names, compared),
        }
        return Measurement(value, details)


@dataclass(frozen=True, slots=True)
class _ComparedTree:
    """One tree: records per node in both tables, gain ratios and which ones count, as [attribute, node]."""

    records: Integers
    released_records: Integers
    before: Floats
    after: Floats
    counted: Flags

    @property
    def change(self) -> Floats:
        """Absolute changes, 0 where they do not count."""
        return np.where(self.counted, np.abs(self.before - self.after), 0.0)

    def _mean_changes(self) -> Floats:
        number = self.counted.sum(axis=0)
        total = self.change.sum(axis=0)
        return np.asarray(np.divide(total, number, out=np.zeros(len(number)), where=number > 0))

    def change_by_records(self) -> float:
        """Mean change of a node, weighted by its records."""
        return float(self._mean_changes() @ self.records) / float(self.records.sum())

    def change_as_printed(self) -> float:
        """The sum of equation 4."""
        return float(self._mean_changes() @ self.records) / (float(self.records[0]) * len(self.records))


def _compare(context: Context, criterion: Criterion) -> list[_ComparedTree]:
    grown = context.original_grown
    forest, threshold = grown.forest, grown.builder.sysfor.minimum_gain_ratio
    compared = []
    for number, tree in enumerate(forest.trees):
        if criterion == "gain_ratio":
            before = grown.weighed[number]
        else:
            before = force_tree(tree, forest, grown, context.threads, criterion)
        after = force_tree(tree, forest, context.released_grown, context.threads, criterion)
        counted = np.maximum(before.ratios, after.ratios) > threshold
        compared.append(_ComparedTree(before.records, after.records, before.ratios, after.ratios, counted))
    return compared


def _tree_row(tree: _ComparedTree) -> dict[str, Any]:
    return {
        "nodes": len(tree.records),
        "affected": 1.0 - tree.change_by_records(),
        "paper": 1.0 - tree.change_as_printed(),
        "empty_in_release": int(((tree.records > 0) & (tree.released_records == 0)).sum()),
    }


def _by_attribute(names: Sequence[str], compared: Sequence[_ComparedTree]) -> list[dict[str, Any]]:
    """Mean change of every attribute's gain ratio over the nodes where it counts, weighted by records."""
    rows = []
    for a, name in enumerate(names):
        weight = sum(int(tree.counted[a] @ tree.records) for tree in compared)
        change = sum(float(tree.change[a] @ tree.records) for tree in compared)
        rows.append({"name": name, "change": change / weight if weight else None})
    return rows


def _largest_changes(names: Sequence[str], compared: Sequence[_ComparedTree]) -> list[dict[str, Any]]:
    """The changes that weigh most, by records times change."""
    rows = []
    for number, tree in enumerate(compared):
        weight = tree.change * tree.records
        for at in np.argsort(-weight, axis=None, kind="stable")[:CHANGES_SHOWN].tolist():
            a, node = divmod(at, len(tree.records))
            rows.append((float(weight[a, node]), number, a, node, tree))
    rows.sort(key=lambda row: row[:1], reverse=True)
    return [
        {
            "tree": number,
            "node": node,
            "attribute": names[a],
            "records": int(tree.records[node]),
            "original": float(tree.before[a, node]),
            "released": float(tree.after[a, node]),
        }
        for weight, number, a, node, tree in rows[:CHANGES_SHOWN]
        if weight > 0
    ]
