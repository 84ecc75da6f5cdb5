"""Trees with their rules: those whose rules were to be kept, and the two that the rule types compare.

In the comparison a rule's type is a letter, a word and an outline, never a colour alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Floats
from hushwood.evaluation.evaluation import Evaluation
from hushwood.evaluation.membership_law import LawFacts
from hushwood.measures.publishing import percent
from hushwood.measures.utility.rule_types import NO_VERDICT, RuleTypeDetails, RuleTypes
from hushwood.reports.release.judgement import details_of, drawn, made_here, made_up
from hushwood.reports.wording import count
from hushwood.trees.drawing.drawing import LeafMark, draw_svg
from hushwood.trees.forest import (
    LEAF,
    Forest,
    LeafRule,
    Predicted,
    Tree,
    describe,
    describe_conditions,
    rules_of,
)

# A tree with more rules than this hides its table until it is asked for.
RULES_OPEN = 12
# The word for each type of rule at a leaf, and in a sentence.
TYPES: Mapping[str, tuple[str, str]] = {
    "A": ("same", "the same rule as in the original"),
    "B": ("other limits", "the same rule except for its numeric limits, or a part of such a rule"),
    "C": ("other rule", "another rule about the same attributes"),
    "D": ("new column", "a rule about an attribute that the original's tree does not use"),
}
# Rules that differ most come first.
_ORDER = {mark: place for place, mark in enumerate(("", "D", "C", "B", "A"))}
_FOLLOWED = "follow the same rule as before"
_MATCHED = "can be matched with an original record that follows the same rule"
_DRAWN = "can be matched with a drawn person who follows the same rule"
_LOST = ("lost", "a rule that the tree of the release does not have")
DEPTH = 3


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One rule of a tree with its records."""

    conditions: str
    label: str
    counts: tuple[str, ...]
    share: str


@dataclass(frozen=True, slots=True)
class TreeView:
    """One tree: its picture, its rules, and how many records still follow them; what it predicts, and the classes."""

    title: str
    predicts: str
    classes: tuple[str, ...]
    svg: str
    rules: tuple[RuleRow, ...]
    kept: str
    unfolded: bool


@dataclass(frozen=True, slots=True)
class MarkedRule:
    """A rule with its type, in words."""

    mark: str
    word: str
    rule: str
    records: str


@dataclass(frozen=True, slots=True)
class MarkedTree:
    """A tree with its rules marked, those that differ first."""

    title: str
    svg: str
    rules: tuple[MarkedRule, ...]


@dataclass(frozen=True, slots=True)
class ComparedTrees:
    """Both trees, the share of the released records by type of their rule, and the thesis' word for it."""

    before: MarkedTree
    after: MarkedTree
    shares: tuple[tuple[str, str, str], ...]
    verdict: str | None
    classes: tuple[str, ...] = ()


def tree_views(evaluation: Evaluation) -> list[TreeView]:
    """The trees whose rules were to be kept; a release that was not made here has none."""
    forest, certificate = evaluation.forests.get("original"), evaluation.release.certificate
    if forest is None or not made_here(evaluation):
        return []
    kept = certificate.per_tree if certificate else ()
    said = _DRAWN if drawn(evaluation) else _MATCHED if made_up(evaluation) else _FOLLOWED
    records = certificate.records if certificate else 0
    parts, law = {part.class_name: part for part in forest.parts}, evaluation.release.law
    return [
        _tree_view(
            tree, parts[target.name], place, kept[place] if place < len(kept) else None, records, said, law
        )
        for place, (tree, target) in enumerate(zip(forest.trees, forest.predicts, strict=True))
    ]


def predicted_names(evaluation: Evaluation) -> list[Predicted]:
    """What the trees predict, with the classes in the order of the bars in the trees; nothing without trees."""
    forest = evaluation.forests.get("original") or evaluation.forests.get("original_tree")
    return list(dict.fromkeys(forest.predicts)) if forest else []


def rule_row(rule: LeafRule, law: LawFacts | None = None, records: int = 0) -> RuleRow:
    """A rule of a decision tree as text; counts that were drawn have their standard error about the people's."""
    withheld = any(math.isnan(c) for c in rule.counts)
    total = _total(rule)
    share = "" if withheld or not total else percent(max(rule.counts) / total)
    counts = tuple(count(None if math.isnan(c) else c) for c in rule.counts)
    if law is not None and law.noise > 0 and not withheld and total:
        errors = (law.count_error(c, total, records) for c in rule.counts)
        counts = tuple(f"{said} ± {error:.0f}" for said, error in zip(counts, errors, strict=True))
    return RuleRow(describe_conditions(rule.conditions), rule.label, counts, share)


def compared_trees(evaluation: Evaluation) -> ComparedTrees | None:
    """The comparison behind the rule types; None if the evaluation does not have it."""
    answer, forests = evaluation.measure(RuleTypes.name), evaluation.forests
    details: RuleTypeDetails | None = details_of(evaluation, RuleTypes)
    if details is None or not {"original_tree", "released_tree"} <= set(forests):
        return None
    kept = {rule["leaf"]: "A" if rule["kept"] else "" for rule in details["original_rules"]}
    about = answer.about if answer else None
    before, after = (
        next((part for part in forests[name].parts if part.class_name == about), forests[name].parts[0])
        for name in ("original_tree", "released_tree")
    )
    for_whom = f" for {about}" if about else ""
    return ComparedTrees(
        _marked(f"Tree of the original{for_whom}", before, kept),
        _marked(
            f"Tree of the release{for_whom}", after, {rule["leaf"]: rule["type"] for rule in details["rules"]}
        ),
        tuple((mark, TYPES[mark][1], percent(share)) for mark, share in details["shares"].items()),
        None if details["verdict"] == NO_VERDICT else details["verdict"],
        before.classes,
    )


def _tree_view(
    tree: Tree, forest: Forest, place: int, kept: int | None, records: int, said: str, law: LawFacts | None
) -> TreeView:
    rules = sorted(rules_of(tree, forest), key=lambda rule: -_total(rule))
    rows = tuple(rule_row(rule, law, records) for rule in rules if _total(rule) or not forest.classes)
    title = f"Tree {place + 1}"
    followed = "" if kept is None else f"{kept:,} of {records:,} records {said}."
    picture = _drawn(tree, forest, title, {})
    return TreeView(
        title, forest.class_name, forest.classes, picture, rows, followed, len(rows) <= RULES_OPEN
    )


def _drawn(tree: Tree, forest: Forest, title: str, marks: Mapping[int, str]) -> str:
    """The tree down to the depth that is drawn; the letters of its leaves are given by their numbers."""
    found = cut(tree)
    shown = {found.places[leaf]: _leaf_mark(mark) for leaf, mark in marks.items() if leaf in found.places}
    ends = {end: _end_mark([marks.get(leaf) for leaf in leaves]) for end, leaves in found.below.items()}
    return draw_svg(found.tree, forest, title, shown | ends)


def _end_mark(below: Sequence[str | None]) -> LeafMark:
    """What lies below the drawn depth: how many rules, and how many of them differ where that was asked."""
    rules = f"{len(below)} more rules are in the table"
    if None in below:
        return LeafMark("deeper", "+", f"{len(below)} more", rules)
    same = sum(mark == "A" for mark in below)
    return LeafMark("deeper", "+", f"{same} of {len(below)} same", f"{rules}, {same} of them the same")


def _total(rule: LeafRule) -> float:
    return sum(1.0 if math.isnan(c) else c for c in rule.counts)


def _marked(title: str, forest: Forest, marks: Mapping[int, str]) -> MarkedTree:
    tree = forest.trees[0]
    rules = zip(tree.leaves.tolist(), rules_of(tree, forest), strict=True)
    reached = [(leaf, rule) for leaf, rule in rules if tree.counts[leaf].any() or not forest.classes]
    rows = [(leaf, tree.counts[leaf], describe(rule)) for leaf, rule in reached]
    rows.sort(key=lambda row: (_ORDER[marks[row[0]]], -float(np.nansum(row[1]))))
    return MarkedTree(
        title,
        _drawn(tree, forest, title, marks),
        tuple(
            MarkedRule(
                marks[leaf] or "–", _words(marks[leaf])[0], rule, _records(counts) if forest.classes else "–"
            )
            for leaf, counts, rule in rows
        ),
    )


def _records(counts: Floats) -> str:
    """All records of a leaf; where a class with few records is withheld, about how many the others are."""
    known = float(np.nansum(counts))
    if not np.isnan(counts).any():
        return count(known)
    return f"about {count(known)}" if known else "few"


def _leaf_mark(mark: str) -> LeafMark:
    word, sentence = _words(mark)
    return LeafMark(mark or "lost", mark or "–", word, sentence)


def _words(mark: str) -> tuple[str, str]:
    return TYPES[mark] if mark else _LOST


@dataclass(frozen=True, slots=True)
class CutTree:
    """A tree without its deep nodes: `places` are its nodes by their number before, `below` its cut ends.

    A cut end is a leaf here; `below` has the leaves, by their number before, that it stands for.
    """

    tree: Tree
    places: Mapping[int, int]
    below: Mapping[int, tuple[int, ...]]


def cut(tree: Tree, depth: int = DEPTH) -> CutTree:
    """The nodes down to a depth; the root has depth 0."""
    depths, parents = np.zeros(len(tree), np.int64), np.full(len(tree), LEAF)
    for parent, child in tree.edges():
        depths[child], parents[child] = depths[parent] + 1, parent
    kept = np.flatnonzero(depths <= depth)
    places = {int(node): place for place, node in enumerate(kept)}
    ended = {int(node) for node in kept if depths[node] == depth and tree.attribute[node] != LEAF}
    below: dict[int, list[int]] = {places[node]: [] for node in sorted(ended)}
    for leaf in tree.leaves.tolist():
        above = leaf
        while depths[above] > depth:
            above = int(parents[above])
        if above in ended:
            below[places[above]].append(leaf)
    return CutTree(_taken(tree, places, ended), places, {end: tuple(found) for end, found in below.items()})


def _taken(tree: Tree, places: Mapping[int, int], ended: set[int]) -> Tree:
    nodes = np.array(list(places))
    is_end = np.isin(nodes, list(ended))
    inner = [() if node in ended else tree.branches_of(node).tolist() for node in places]
    missing = tree.missing_to[nodes].tolist()
    return replace(
        tree,
        attribute=np.where(is_end, LEAF, tree.attribute[nodes]).astype(tree.attribute.dtype),
        threshold=np.where(is_end, np.nan, tree.threshold[nodes]),
        branch_start=np.cumsum([0, *map(len, inner)]).astype(tree.branch_start.dtype),
        branches=np.array([places[child] for found in inner for child in found], tree.branches.dtype),
        missing_to=np.array(
            [LEAF if end else places.get(to, LEAF) for to, end in zip(missing, is_end, strict=True)],
            tree.missing_to.dtype,
        ),
        counts=tree.counts[nodes],
        label=tree.label[nodes],
        closed=frozenset(places[node] for node in tree.closed if node in places),
    )
