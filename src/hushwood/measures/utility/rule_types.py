"""Rule types: how much of the original tree is found again in a tree grown on the release (thesis 7.3).

Single rules are compared in `rule_matching`; here they are weighted and the tree gets the thesis' verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.protocol import Context, Direction, Measurement, NotComputable, Side
from hushwood.measures.utility.learnable import nothing_to_learn
from hushwood.measures.utility.rule_matching import (
    Matched,
    RuleType,
    attributes_tested,
    match_rules,
    same_rule,
)
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest
from hushwood.trees.routing import leaf_of_each
from hushwood.trees.rules import describe, rules_of


@dataclass(frozen=True, slots=True)
class RuleTypes:
    """The share of the released records whose rule in the released tree is a rule of the original tree, Type A."""

    name: ClassVar[str] = "rule_types"
    question: ClassVar[str] = (
        "For how many records does a tree grown on the release say the original's rules?"
    )
    side: ClassVar[Side] = "utility"
    better: ClassVar[Direction] = "higher"
    bounds: ClassVar[tuple[float | None, float | None]] = (0.0, 1.0)
    best: ClassVar[float | None] = 1.0

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Answer the question."""
        refused = nothing_to_learn(context)
        if refused is not None:
            return refused
        before, after = context.original_grown.tree, context.released_grown.tree
        matched = match_rules(before, after)
        records = _records_by_leaf(after, released)
        shares = _shares([found.type for found in matched], matched, records)
        if context.value_only:
            return Measurement(shares["A"])
        details = {
            "shares": shares,
            "shares_if_shortened_is_b": _shares([m.type_if_shortened for m in matched], matched, records),
            "verdict": verdict(shares["A"], shares["D"]),
            "weighted_by": "released records",
            "totally_innocent": [a.name for a in after.attributes if a.name not in attributes_tested(before)],
            "rules": [_described(found, int(records[found.leaf])) for found in matched],
            "original_rules": _original_rules(before, original, matched),
            "original_tree": _size(before),
            "released_tree": _size(after),
        }
        return Measurement(shares["A"], details)


def verdict(same: float, innocent: float) -> str:
    """The thesis' word for a tree, from its shares of Type A and Type D; it leaves gaps (errata D3).

    >>> verdict(1.0, 0.0), verdict(0.12, 0.07)
    ('Exactly Same', 'unclassified')
    """
    if same >= 1.0:
        return "Exactly Same"
    if same >= 0.6 and innocent < 0.05:
        return "Very Similar"
    if same > 0.15 and innocent < 0.05:
        return "Similar"
    return "Dissimilar" if innocent > 0.1 and same < 0.1 else "unclassified"


def _records_by_leaf(forest: Forest, table: Table) -> NDArray[np.int64]:
    tree = forest.trees[0]
    return np.bincount(leaf_of_each(tree, forest, table.columns), minlength=len(tree))


def _shares(
    types: Sequence[RuleType], matched: Sequence[Matched], records: NDArray[np.int64]
) -> dict[str, float]:
    total = int(records.sum())
    return {
        wanted: sum(
            int(records[found.leaf]) for found, kind in zip(matched, types, strict=True) if kind == wanted
        )
        / total
        for wanted in get_args(RuleType)
    }


def _described(found: Matched, records: int) -> dict[str, Any]:
    return {
        "leaf": found.leaf,
        "type": found.type,
        "type_if_shortened_is_b": found.type_if_shortened,
        "rule": describe(found.rule),
        "records": records,
    }


def _original_rules(forest: Forest, original: Table, matched: Sequence[Matched]) -> list[Mapping[str, Any]]:
    """The original's rules, and whether the released tree has each of them too."""
    released = {same_rule(found.rule) for found in matched}
    records = _records_by_leaf(forest, original)
    tree = forest.trees[0]
    return [
        {
            "leaf": leaf,
            "rule": describe(rule),
            "records": int(records[leaf]),
            "kept": same_rule(rule) in released,
        }
        for leaf, rule in zip(tree.leaves.tolist(), rules_of(tree, forest), strict=True)
    ]


def _size(forest: Forest) -> dict[str, int]:
    return {"nodes": len(forest.trees[0]), "leaves": len(forest.trees[0].leaves)}
