"""Published trees as pictures and as numbered rules, with their closed leaves marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Codes
from hushwood.evaluation.publication import Publication
from hushwood.reports.release.rule_trees import RULES_OPEN, rule_row
from hushwood.reports.wording import count, things
from hushwood.tables.recoding.texts import MISSING
from hushwood.tables.schema import Attribute
from hushwood.trees.drawing.drawing import LeafMark, draw_svg, drawn_leaves
from hushwood.trees.forest import LEAF, Forest, LeafRule, Tree, rules_of

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

    `folded` is the label of the picture of a large tree while it is hidden, `left_out` a sentence about rules that
    are not listed; `wide` tells that the picture does not fit the page. A very large tree has no picture.
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


def published_trees(publication: Publication) -> list[PublishedTree]:
    """All trees, in their order."""
    forest = readable_forest(publication.forest)
    criteria = publication.options.criteria
    only = publication.options.columns or ((),) * len(criteria)
    return [
        _view(tree, forest, place, _says(criteria[place], only[place]), publication)
        for place, tree in enumerate(forest.trees)
    ]


def readable_forest(forest: Forest) -> Forest:
    """The forest with single values only, missing among them, and with shorter means.

    The published one also has the labels of merged values, so that original and released records can be routed.
    """
    labels: Mapping[str, Mapping[str, Sequence[str]]] = forest.grown.get("labels", {})
    columns = [
        _single_values(attribute, labels.get(attribute.name, {}), list(_branches_at(forest, place)))
        for place, attribute in enumerate(forest.attributes)
    ]
    return replace(
        forest,
        attributes=tuple(column.attribute for column in columns),
        trees=tuple(_reduced(tree, columns, regression=not forest.classes) for tree in forest.trees),
    )


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


@dataclass(frozen=True, slots=True)
class _SingleValues:
    """An attribute without labels; `kept` are the places of its values, `missing` tells that one was added."""

    attribute: Attribute
    kept: Codes | None = None
    missing: bool = False


def _branches_at(forest: Forest, place: int) -> Iterator[Codes]:
    """The branches of all nodes that test the attribute in this place."""
    for tree in forest.trees:
        for node in np.flatnonzero(tree.attribute == place):
            yield tree.branches_of(int(node))


def _single_values(
    attribute: Attribute, labels: Mapping[str, Sequence[str]], branches: Sequence[Codes]
) -> _SingleValues:
    """A column with its single values, and one for missing values that are in a group with others.

    Missing values that stand alone are among the categories already.
    """
    if attribute.kind != "categorical":
        return _SingleValues(attribute)
    kept = np.array([i for i, value in enumerate(attribute.categories) if value not in labels], np.int32)
    values = tuple(attribute.categories[i] for i in kept)
    grouped = _missing_are_grouped(attribute.categories, labels, branches)
    if grouped:
        name = MISSING
        while name in values:
            name += " (no value)"
        values += (name,)
    return _SingleValues(replace(attribute, categories=values), kept, grouped)


def _missing_are_grouped(
    values: Sequence[str], labels: Mapping[str, Sequence[str]], branches: Sequence[Codes]
) -> bool:
    """Whether a group holds missing values; a category of the same name can be one of its values instead."""
    naming = [label for label, members in labels.items() for member in members if member == MISSING]
    if len(naming) != 1 or MISSING not in values:
        return bool(naming)
    # The category is in the group only if it goes the same way everywhere.
    category, group = values.index(MISSING), values.index(naming[0])
    return any(ways[category] != ways[group] for ways in branches)


def _reduced(tree: Tree, columns: Sequence[_SingleValues], regression: bool) -> Tree:
    """A tree whose categorical nodes have branches for single values only, and whose means are short."""
    branches = []
    for node in range(len(tree)):
        own = tree.branches_of(node)
        column = columns[tree.attribute[node]] if tree.attribute[node] != LEAF else None
        if column is not None and column.kept is not None:
            own = np.append(own[column.kept], [tree.missing_to[node]] if column.missing else []).astype(
                np.int32
            )
        branches.append(own)
    counts = tree.counts
    if regression:
        counts = np.array([[float(f"{mean:.{_DIGITS}g}") for mean in row] for row in counts.tolist()])
    return replace(
        tree,
        branch_start=np.cumsum([0, *map(len, branches)], dtype=np.int64),
        branches=np.concatenate(branches).astype(np.int32),
        counts=counts,
    )


def _view(tree: Tree, forest: Forest, place: int, says: str, publication: Publication) -> PublishedTree:
    title = "The tree" if len(forest.trees) == 1 else f"Tree {place + 1}"
    records = _records(publication, place)
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
    return f"{things(rules, 'more rule is', 'more rules are')} in tree.json."


def _rule(number: int, rule: LeafRule, records: str, forest: Forest, closed: bool) -> PublishedRule:
    row = rule_row(rule)
    if not forest.classes:
        return PublishedRule(number, row.conditions, row.label, (), "", records, closed)
    total = count(sum(rule.counts))
    return PublishedRule(number, row.conditions, row.label, row.counts, row.share, total, closed)


def _records(publication: Publication, place: int) -> dict[int, str]:
    """Records per leaf, counted from the groups; nothing if not all groups are listed or one has several leaves."""
    groups, trees = publication.groups, len(publication.forest.trees)
    if publication.groups_left_out or any(len(group.leaves) != trees for group in groups):
        return {}
    found: dict[int, int] = {}
    for group in groups:
        leaf = group.leaves[place]
        found[leaf] = found.get(leaf, 0) + group.records
    return {leaf: count(records) for leaf, records in found.items()}
