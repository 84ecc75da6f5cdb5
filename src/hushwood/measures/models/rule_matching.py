"""How a released tree's rules correspond to the original's: Types A to D of the thesis (7.3, errata D2).

`rule_types` weights the rules by their records; here single rules are compared. The *shape* of a rule is the rule
without its numeric constants: the attributes, on which side a number is limited, and the categories.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from hushwood.trees.forest import (
    LEAF,
    Forest,
    LeafRule,
    RuleCondition,
    Tree,
    categories_by_child,
    label_of,
    rules_of,
)

RuleType = Literal["A", "B", "C", "D"]
Shape = frozenset[tuple[Any, ...]]
Family = Mapping[tuple[str, frozenset[RuleCondition]], Sequence[tuple[RuleCondition, LeafRule]]]


@dataclass(frozen=True, slots=True)
class Matched:
    """A released rule with its type, and its type if a rule that lost its last condition is a B."""

    leaf: int
    rule: LeafRule
    type: RuleType
    type_if_shortened: RuleType


@dataclass(frozen=True)
class _KnownRules:
    """The original's rules as released ones are looked up: whole, by shape, by shape without the last test."""

    same: frozenset[tuple[frozenset[RuleCondition], str]]
    shapes: frozenset[tuple[Shape, str]]
    shortened: frozenset[tuple[Shape, str]]
    tested: frozenset[str]


NO_RULE = (
    "No rule was found in the original, so there was none to keep and none to find again: rules do not tell whether "
    "the release is of use."
)


def match_rules(original: Forest, released: Forest) -> list[Matched]:
    """The type of every rule of the released tree, in the order of its leaves; both forests hold one tree."""
    tree = released.trees[0]
    rules = rules_of(tree, released)
    known, family = _known(original), _family(rules)
    categories = {a.name: frozenset(a.categories) for a in released.attributes}
    matched = []
    for leaf, rule in zip(tree.leaves.tolist(), rules, strict=True):
        found = _type_of(rule, known, family, categories)
        shortened = found == "C" and (_shape(rule.conditions), rule.label) in known.shortened
        matched.append(Matched(leaf, rule, found, "B" if shortened else found))
    return matched


def attributes_tested(forest: Forest) -> frozenset[str]:
    """The attributes that a forest's first tree tests; the others are totally innocent."""
    tested = {int(a) for a in forest.trees[0].attribute.tolist() if a != LEAF}
    return frozenset(forest.attributes[a].name for a in tested)


def same_rule(rule: LeafRule) -> tuple[frozenset[RuleCondition], str]:
    """What must be equal for two rules to be the same, in whatever order they test."""
    return frozenset(rule.conditions), rule.label


def shape_of(rule: LeafRule) -> tuple[Shape, str]:
    """A rule without its numeric constants."""
    return _shape(rule.conditions), rule.label


def inner_shapes(forest: Forest) -> frozenset[tuple[Shape, str]]:
    """Shapes of the nodes above the leaves, each with all labels below it: the rules of a tree that is cut back."""
    tree = forest.trees[0]
    parent = {child: node for node, child in tree.edges()}
    found = set()
    for leaf in tree.leaves.tolist():
        path = _path(leaf, parent)
        label = label_of(tree, leaf, forest)
        found |= {(_shape_of_path(tree, forest, path[above:]), label) for above in range(1, len(path) + 1)}
    return frozenset(found)


def _known(original: Forest) -> _KnownRules:
    tree = original.trees[0]
    rules = rules_of(tree, original)
    labels = zip(tree.leaves.tolist(), (rule.label for rule in rules), strict=True)
    parent = {child: node for node, child in tree.edges()}
    shortened = {
        (_shape_of_path(tree, original, _path(parent[leaf], parent)), label)
        for leaf, label in labels
        if leaf in parent
    }
    return _KnownRules(
        frozenset(map(same_rule, rules)),
        frozenset((_shape(rule.conditions), rule.label) for rule in rules),
        frozenset(shortened),
        attributes_tested(original),
    )


def _family(rules: Sequence[LeafRule]) -> Family:
    """Rules that differ in one attribute only, by that attribute and all they have in common."""
    family: dict[tuple[str, frozenset[RuleCondition]], list[tuple[RuleCondition, LeafRule]]] = defaultdict(
        list
    )
    for rule in rules:
        for condition in rule.conditions:
            others = frozenset(rule.conditions) - {condition}
            family[condition.attribute, others].append((condition, rule))
    return family


def _type_of(
    rule: LeafRule, known: _KnownRules, family: Family, categories: Mapping[str, frozenset[str]]
) -> RuleType:
    if same_rule(rule) in known.same:
        return "A"
    if any(condition.attribute not in known.tested for condition in rule.conditions):
        return "D"
    if (_shape(rule.conditions), rule.label) in known.shapes:
        return "B"
    joined = _joined_shapes(rule, known, family, categories)
    return "B" if any((shape, rule.label) in known.shapes for shape in joined) else "C"


def _joined_shapes(
    rule: LeafRule, known: _KnownRules, family: Family, categories: Mapping[str, frozenset[str]]
) -> Iterator[Shape]:
    """Shapes of all rules that this one can be part of: it and others that differ in one attribute, joined."""
    for condition in rule.conditions:
        others = frozenset(rule.conditions) - {condition}
        # A leaf that no training record reached predicts what its parent does, and may be joined with any.
        peers = [
            own
            for own, peer in family[condition.attribute, others]
            if peer.label == rule.label or not any(peer.counts)
        ]
        if len(peers) < 2:
            continue
        if condition.values is None:
            joined = _joined_intervals(condition, peers)
        else:
            joined = _joined_sets(condition, peers, known, categories[condition.attribute])
        for facts in joined:
            yield _shape(others) | facts


def _joined_intervals(condition: RuleCondition, peers: Sequence[RuleCondition]) -> Iterator[Shape]:
    """Facts about the intervals that neighbours form together with this one."""
    ordered = sorted(peers, key=lambda peer: -math.inf if peer.low is None else peer.low)
    at = ordered.index(condition)
    touches = [one.high is not None and one.high == other.low for one, other in pairwise(ordered)]
    first, last = at, at
    while first > 0 and touches[first - 1]:
        first -= 1
    while last < len(touches) and touches[last]:
        last += 1
    for begin in range(first, at + 1):
        for end in range(at, last + 1):
            yield _shape([RuleCondition(condition.attribute, ordered[begin].low, ordered[end].high)])


def _joined_sets(
    condition: RuleCondition, peers: Sequence[RuleCondition], known: _KnownRules, everything: frozenset[str]
) -> Iterator[Shape]:
    """Facts about the category sets of the original's rules that this one fills together with others."""
    wanted = {fact[1] for shape, _ in known.shapes for fact in shape if fact[0] == condition.attribute}
    sets = [frozenset(peer.values or ()) for peer in peers]
    for values in {*wanted, everything}:
        inside = [part for part in sets if part <= values]
        if frozenset(condition.values or ()) in inside and frozenset().union(*inside) == values:
            yield frozenset() if values == everything else frozenset({(condition.attribute, values)})


def _shape(conditions: Iterable[RuleCondition]) -> Shape:
    return frozenset(
        (c.attribute, c.low is not None, c.high is not None)
        if c.values is None
        else (c.attribute, frozenset(c.values))
        for c in conditions
        if c.values is not None or c.low is not None or c.high is not None
    )


def _path(node: int, parent: Mapping[int, int]) -> list[tuple[int, int]]:
    """The tests above a node, each with the child taken."""
    path = []
    while node in parent:
        path.append((parent[node], node))
        node = parent[node]
    return path


def _shape_of_path(tree: Tree, forest: Forest, path: Iterable[tuple[int, int]]) -> Shape:
    """The shape of a node that need not be a leaf."""
    facts: dict[str, tuple[Any, ...]] = {}
    for node, child in path:
        attribute = forest.attributes[tree.attribute[node]]
        if attribute.kind == "numeric":
            below = child == int(tree.branches_of(node)[0])
            low, high = facts.get(attribute.name, (False, False))
            facts[attribute.name] = (low or not below, high or below)
        else:
            values = frozenset(categories_by_child(tree, node, attribute)[child])
            facts[attribute.name] = (facts.get(attribute.name, (values,))[0] & values,)
    return frozenset((name, *fact) for name, fact in facts.items())
