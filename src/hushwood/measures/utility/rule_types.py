"""Rule types: how much of the original tree reappears in a tree grown on the release (thesis 7.3).

Single rules are compared in `rule_matching`; here they are weighted, and the tree gets the thesis' verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Annotated, Any, NotRequired, TypedDict, get_args

import numpy as np

from hushwood.arrays import Integers
from hushwood.measures.models.rule_matching import (
    NO_RULE,
    Matched,
    RuleType,
    attributes_tested,
    match_rules,
    same_rule,
)
from hushwood.measures.protocol import Context, Details, Mark, Measure, Measurement, NotComputable
from hushwood.measures.publishing import PUBLIC, TWO_DECIMALS, percent, safe_share
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest, describe, rules_of
from hushwood.trees.routing import leaf_of_each

NO_VERDICT = "unclassified"
_TONES: Mapping[str, Mark] = {
    "Exactly Same": "good",
    "Very Similar": "good",
    "Similar": "care",
    NO_VERDICT: "care",
    "Dissimilar": "bad",
}


class ReleasedRule(TypedDict):
    """A rule of the released tree with its type."""

    leaf: Annotated[int, PUBLIC]
    type: Annotated[RuleType, PUBLIC]
    type_if_shortened_is_b: RuleType
    rule: str
    records: int


class OriginalRule(TypedDict):
    """A rule of the original's tree, and whether the released tree has it too."""

    leaf: Annotated[int, PUBLIC]
    rule: str
    records: int
    kept: Annotated[bool, PUBLIC]


class RuleTypeDetails(TypedDict):
    """The shares of the released records by type, and which rules were kept; texts and counts stay inside."""

    shares: Annotated[dict[RuleType, float], TWO_DECIMALS]
    shares_if_shortened_is_b: dict[RuleType, float]
    verdict: Annotated[str, PUBLIC]
    weighted_by: str
    totally_innocent: list[str]
    rules: Annotated[list[ReleasedRule], PUBLIC]
    original_rules: Annotated[list[OriginalRule], PUBLIC]
    original_tree: dict[str, int]
    released_tree: dict[str, int]
    forest: NotRequired[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class RuleTypes(Measure):
    """The share of the released records whose rule in the released tree is a rule of the original tree, Type A."""

    name = "rule_types"
    title = "Rules found again"
    question = (
        "For what share of the records does a tree grown on the release give the same rule as the "
        "original's tree?"
    )
    meaning = (
        "For this share of the records, a tree grown on the release states exactly the same rule as the "
        "original's tree."
    )
    about = "rules"
    side = "utility"
    unit = "share"
    better = "higher"
    bounds = (0.0, 1.0)
    declared = RuleTypeDetails
    best = 1.0
    headline = 1

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Answer the question."""
        refused = context.nothing_to_learn()
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
        } | _of_forests(context, released)
        return Measurement(shares["A"], details)

    def remarks(self, details: Details) -> str:
        """How many records follow a rule that differs only in its numeric limits."""
        share = details.get("shares", {}).get("B")
        if share is None:
            return ""
        said = f"Rules that differ only in their numeric limits cover another {percent(share)}."
        same = details.get("forest", {}).get("same", ())
        if len(same) > 1:
            said += f" In the {len(same)} trees of a forest it is {percent(fmean(same))} of the records, on average."
        return said

    def headline_remarks(self, details: Details) -> str:
        """The same as on the card."""
        return self.remarks(details)

    def tone(self, details: Details) -> Mark | None:
        """By the verdict on the two trees."""
        return _TONES.get(details.get("verdict", ""))

    def says_nothing(self, details: Details) -> str:
        """A tree of one leaf has no rule."""
        return NO_RULE if len(details.get("original_rules", ())) == 1 else ""

    def rounded(self, value: float | None, records: int) -> float | None:
        """A share of the records, rounded so that it does not reveal their number."""
        return safe_share(value, records)


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
    return "Dissimilar" if innocent > 0.1 and same < 0.1 else NO_VERDICT


def _records_by_leaf(forest: Forest, table: Table) -> Integers:
    tree = forest.trees[0]
    return np.bincount(leaf_of_each(tree, forest, table.columns), minlength=len(tree))


def _shares(types: Sequence[RuleType], matched: Sequence[Matched], records: Integers) -> dict[str, float]:
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
    """The original's rules, and whether the released tree has each one too."""
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


def _of_forests(context: Context, released: Table) -> dict[str, Any]:
    """For builders of several trees: the share of the records, in every released tree, with a rule of the original's
    forest, whichever of its trees has it."""
    if context.original_grown.builder.sysfor.trees == 1:
        return {}
    before, after = context.original_grown.forest, context.released_grown.forest
    known = {same_rule(rule) for tree in before.trees for rule in rules_of(tree, before)}
    same = []
    for tree in after.trees:
        leaf = leaf_of_each(tree, after, released.columns)
        kept = [same_rule(rule) in known for rule in rules_of(tree, after)]
        same.append(float(np.isin(leaf, tree.leaves[kept]).mean()))
    return {"forest": {"trees": {"original": len(before.trees), "released": len(after.trees)}, "same": same}}


def _size(forest: Forest) -> dict[str, int]:
    return {"nodes": len(forest.trees[0]), "leaves": len(forest.trees[0].leaves)}
