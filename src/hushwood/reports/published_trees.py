"""Published trees as pictures and as numbered rules, with their closed leaves marked.

The trees behind a release with noise are shown by `views`, two trees side by side by `compared_trees`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hushwood.reports.views import RULES_OPEN, rule_row
from hushwood.reports.wording import count, things
from hushwood.tables.category_labels import MISSING
from hushwood.trees.drawing import LeafMark, draw_svg, drawn_leaves
from hushwood.trees.forest import Forest, Tree
from hushwood.trees.model_file import forest_from_json
from hushwood.trees.rules import Rule, rules_of

CLOSED = LeafMark("closed", "×", "closed", "closed: splitting further would break the promise of K or L")
CRITERIA = {
    "information_gain": "information gain",
    "gain_ratio": "gain ratio",
    "gini": "Gini index",
    "variance": "variance",
}
# A larger tree is folded away, a very large one not drawn at all, and of its rules only the first are listed.
LEAVES_OPEN = 60
LEAVES_DRAWN = 1000
MOST_RULES = 300
# Pixels that the page has for a drawing where it is widest.
PAGE_WIDTH = 900
_WIDTH = re.compile(r'<svg [^>]*? width="(\d+)"')
# Digits of a mean in a picture.
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class PublishedRule:
    """One leaf as a numbered rule; `counts` and `share` are those of a decision tree."""

    number: int
    conditions: str
    label: str
    counts: tuple[str, ...]
    share: str
    records: str
    closed: bool


@dataclass(frozen=True, slots=True)
class PublishedTree:
    """One tree: its picture, its rules from top to bottom of the picture, and how it was scored.

    `folded` is what stands for the picture of a large tree until it is asked for, `left_out` what is said of the
    rules that are not listed; `wide` tells that the picture does not fit the page. A very large tree has none.
    """

    title: str
    svg: str
    wide: bool
    folded: str
    leaves: int
    rules: tuple[PublishedRule, ...]
    left_out: str
    says: str
    unfolded: bool


def published_trees(document: Mapping[str, Any]) -> list[PublishedTree]:
    """All trees, in their order."""
    forest = readable_forest(document)
    criteria = document["options"]["criteria"]
    only = document["options"].get("columns") or [()] * len(criteria)
    return [
        _view(tree, forest, place, _says(criteria[place], only[place]), document)
        for place, tree in enumerate(forest.trees)
    ]


def readable_forest(document: Mapping[str, Any]) -> Forest:
    """The forest with single values only, missing among them, and with shorter means.

    The file also has the labels of merged values, so that original and released records can be routed.
    """
    model = dict(document["forest"])
    labels = model["grown"].get("labels", {})
    nodes = [node for tree in model["trees"] for node in tree["nodes"] if "test" in node]
    model["attributes"] = [_readable(a, labels.get(a["name"], {}), nodes) for a in model["attributes"]]
    if not model["classes"]:
        model["trees"] = [{"nodes": [_shortened(node) for node in tree["nodes"]]} for tree in model["trees"]]
    return forest_from_json(model)


def rule_numbers(forest: Forest) -> list[dict[int, int]]:
    """For every tree, the number of the rule that each leaf stands for, from 1 at the top of the picture."""
    return [
        {leaf: place for place, leaf in enumerate(drawn_leaves(tree, forest), 1)} for tree in forest.trees
    ]


def pure_leaves(forest: Forest) -> int:
    """Leaves of decision trees in which all records have the same class."""
    if not forest.classes:
        return 0
    held = [(tree.counts[tree.leaves] > 0).sum(axis=1) for tree in forest.trees]
    return sum(int((classes == 1).sum()) for classes in held)


def _says(criterion: str, only: Sequence[str]) -> str:
    limited = f" It may test only {', '.join(only)}." if only else ""
    return f"Tests scored by: {CRITERIA.get(criterion, criterion)}.{limited}"


def _readable(
    attribute: Mapping[str, Any], labels: Mapping[str, Sequence[str]], nodes: Sequence[Mapping[str, Any]]
) -> Mapping[str, Any]:
    """A column with its single values, and one for missing values that are in a group with others.

    Missing values that stand alone are among the model's categories already.
    """
    if attribute["kind"] != "categorical":
        return attribute
    values = [value for value in attribute["values"] if value not in labels]
    own = [node["children"] for node in nodes if node["test"]["attribute"] == attribute["name"]]
    if not _missing_are_grouped(values, labels, own):
        return {**attribute, "values": values}
    name = MISSING
    while name in values:
        name += " (no value)"
    # A value that a node does not name goes where missing ones go.
    return {**attribute, "values": [*values, name]}


def _missing_are_grouped(
    values: Sequence[str], labels: Mapping[str, Sequence[str]], children: Sequence[Mapping[str, int]]
) -> bool:
    """Whether a group holds missing values; a category of the same name can be one of its values instead."""
    naming = [label for label, members in labels.items() for member in members if member == MISSING]
    if len(naming) != 1 or MISSING not in values:
        return bool(naming)
    # The category is in the group only if it goes the same way everywhere.
    return any(ways.get(MISSING) != ways.get(naming[0]) for ways in children)


def _shortened(node: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**node, "value": float(f"{node['value']:.{_DIGITS}g}")}


def _view(tree: Tree, forest: Forest, place: int, says: str, document: Mapping[str, Any]) -> PublishedTree:
    title = "The tree" if len(forest.trees) == 1 else f"Tree {place + 1}"
    records = _records(document, place)
    rules = dict(zip(tree.leaves.tolist(), rules_of(tree, forest), strict=True))
    rows = tuple(
        _rule(number, rules[leaf], records.get(leaf, "–"), forest, leaf in tree.closed)
        for number, leaf in enumerate(drawn_leaves(tree, forest), 1)
    )
    drawn = len(rows) <= LEAVES_DRAWN
    svg = draw_svg(tree, forest, title, dict.fromkeys(tree.closed, CLOSED)) if drawn else ""
    return PublishedTree(
        title,
        svg,
        _drawn_width(svg) > PAGE_WIDTH,
        f"The picture of its {count(len(rows))} leaves" if len(rows) > LEAVES_OPEN else "",
        len(rows),
        rows[:MOST_RULES],
        _left_out(len(rows) - MOST_RULES),
        says,
        len(rows) <= RULES_OPEN,
    )


def _drawn_width(svg: str) -> int:
    found = _WIDTH.match(svg)
    return int(found[1]) if found else 0


def _left_out(rules: int) -> str:
    if rules <= 0:
        return ""
    return f"{things(rules, 'more rule is', 'more rules are')} left out here; tree.json has all of them."


def _rule(number: int, rule: Rule, records: str, forest: Forest, closed: bool) -> PublishedRule:
    row = rule_row(rule)
    if not forest.classes:
        return PublishedRule(number, row.conditions, row.label, (), "", records, closed)
    total = count(sum(rule.counts))
    return PublishedRule(number, row.conditions, row.label, row.counts, row.share, total, closed)


def _records(document: Mapping[str, Any], place: int) -> dict[int, str]:
    """Records per leaf, counted from the groups; nothing where groups are left out or spread over several leaves."""
    groups, trees = document["groups"], len(document["forest"]["trees"])
    if document.get("groups_left_out") or any(len(group["leaves"]) != trees for group in groups):
        return {}
    found: dict[int, int] = {}
    for group in groups:
        leaf = group["leaves"][place]
        found[leaf] = found.get(leaf, 0) + group["records"]
    return {leaf: count(records) for leaf, records in found.items()}
