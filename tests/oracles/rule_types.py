"""Types A to D of a released tree's rules the slow way (thesis 7.3): every set of rules is tried for joining.

Trees are node lists of forest.json. A rule is its class and, per attribute, [low, high] (None: open) or a set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

from oracles.intersections import path_to

Nodes = Sequence[Mapping[str, Any]]
Conditions = dict[str, Any]
Rule = tuple[Conditions, str]


def types(original: Nodes, released: Nodes, domains: Mapping[str, Sequence[str]]) -> dict[int, str]:
    """The type of every released leaf, as the thesis defines it."""
    before = [rule_of(original, leaf) for leaf in leaves(original)]
    after = {leaf: rule_of(released, leaf) for leaf in leaves(released)}
    empty = {leaf for leaf in after if not any(by_id(released, leaf)["counts"])}
    return {leaf: type_of(leaf, before, tested(original), after, empty, domains) for leaf in after}


def shortened(original: Nodes, released: Nodes) -> set[int]:
    """Released leaves whose rule is an original one without its last test, but for constants."""
    found = set()
    for leaf in leaves(released):
        for old in leaves(original):
            path = path_to(original, old)
            conditions = conditions_of(path[1:])
            if path and alike((conditions, label(original, old)), rule_of(released, leaf)):
                found.add(leaf)
    return found


def type_of(
    leaf: int,
    before: Sequence[Rule],
    original_tests: set[str],
    after: Mapping[int, Rule],
    empty: set[int],
    domains: Mapping[str, Sequence[str]],
) -> str:
    rule = after[leaf]
    if rule in before:
        return "A"
    if not set(rule[0]) <= original_tests:
        return "D"
    others = [r for other, r in after.items() if other != leaf and (r[1] == rule[1] or other in empty)]
    candidates = [rule[0], *joins(rule[0], [conditions for conditions, _ in others], domains)]
    return "B" if any(alike((c, rule[1]), old) for c in candidates for old in before) else "C"


def joins(
    rule: Conditions, others: Sequence[Conditions], domains: Mapping[str, Sequence[str]]
) -> Iterator[Conditions]:
    """What this rule and any set of others give that differ from it in one attribute only."""
    for attribute in rule:
        common = {name: c for name, c in rule.items() if name != attribute}
        peers = [
            other[attribute]
            for other in others
            if attribute in other and {n: c for n, c in other.items() if n != attribute} == common
        ]
        for size in range(1, len(peers) + 1):
            for chosen in combinations(peers, size):
                yield from joined(attribute, common, [rule[attribute], *chosen], domains)


def joined(
    attribute: str, common: Conditions, parts: Sequence[Any], domains: Mapping[str, Sequence[str]]
) -> Iterator[Conditions]:
    if isinstance(parts[0], set):
        union = set().union(*parts)
        yield common if union == set(domains[attribute]) else {**common, attribute: union}
        return
    ordered = sorted(parts, key=lambda part: float("-inf") if part[0] is None else part[0])
    if all(one[1] == other[0] for one, other in pairwise(ordered)):
        low, high = ordered[0][0], ordered[-1][1]
        yield common if low is None and high is None else {**common, attribute: [low, high]}


def alike(one: Rule, other: Rule) -> bool:
    """Whether two rules are the same but for their numeric constants."""

    def open_ends(conditions: Conditions) -> Conditions:
        return {
            name: c if isinstance(c, set) else [end is None for end in c] for name, c in conditions.items()
        }

    return one[1] == other[1] and open_ends(one[0]) == open_ends(other[0])


def rule_of(nodes: Nodes, leaf: int) -> Rule:
    return conditions_of(path_to(nodes, leaf)), label(nodes, leaf)


def conditions_of(path: Sequence[tuple[Mapping[str, Any], int]]) -> Conditions:
    conditions: Conditions = {}
    for node, child in path:
        name, test = node["test"]["attribute"], node["test"]
        if "threshold" in test:
            low, high = conditions.get(name, [None, None])
            if child == node["children"]["le"]:
                high = test["threshold"] if high is None else min(high, test["threshold"])
            else:
                low = test["threshold"] if low is None else max(low, test["threshold"])
            conditions[name] = [low, high]
        else:
            values = {value for value, to in node["children"].items() if to == child}
            conditions[name] = conditions.get(name, values) & values
    return conditions


def tested(nodes: Nodes) -> set[str]:
    return {node["test"]["attribute"] for node in nodes if "test" in node}


def leaves(nodes: Nodes) -> list[int]:
    return [node["id"] for node in nodes if "test" not in node]


def by_id(nodes: Nodes, identity: int) -> Mapping[str, Any]:
    return next(node for node in nodes if node["id"] == identity)


def label(nodes: Nodes, identity: int) -> str:
    return str(by_id(nodes, identity)["label"])
