"""The two trees that the rule types compare, side by side, with every rule marked by its type.

The certified forest is shown by `views`; a mark is a letter, a word and an outline, never a colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.reports.wording import count, measure, percent
from hushwood.trees.drawing import LeafMark, draw_svg
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_from_json
from hushwood.trees.rules import describe, rules_of

# What each type is called beside a leaf, and in a sentence.
TYPES: Mapping[str, tuple[str, str]] = {
    "A": ("same", "the same rule as in the original"),
    "B": ("other limits", "the same rule but for its numeric limits, or a part of such a rule"),
    "C": ("other rule", "another rule about the same attributes"),
    "D": ("new column", "a rule about an attribute that the original's tree does not use"),
}
# Rules that differ most come first.
_ORDER = {mark: place for place, mark in enumerate(("", "D", "C", "B", "A"))}
LOST = ("lost", "a rule that the tree of the release does not have")


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
    verdict: str


def compared_trees(document: Mapping[str, Any]) -> ComparedTrees | None:
    """The comparison behind the rule types; None if its details are not in the document."""
    found = measure(document, "rule_types")
    forests = document["forests"]
    if found is None or not found["details"] or not {"original_tree", "released_tree"} <= set(forests):
        return None
    details = found["details"]
    kept = {rule["leaf"]: "A" if rule["kept"] else "" for rule in details["original_rules"]}
    types = {rule["leaf"]: rule["type"] for rule in details["rules"]}
    return ComparedTrees(
        _marked("Tree of the original", forest_from_json(forests["original_tree"]), kept),
        _marked("Tree of the release", forest_from_json(forests["released_tree"]), types),
        tuple((mark, said, percent(details["shares"][mark])) for mark, (_, said) in TYPES.items()),
        details["verdict"],
    )


def _marked(title: str, forest: Forest, marks: Mapping[int, str]) -> MarkedTree:
    tree = forest.trees[0]
    rules = zip(tree.leaves.tolist(), rules_of(tree, forest), strict=True)
    rows = [(leaf, tree.counts[leaf], describe(rule)) for leaf, rule in rules if tree.counts[leaf].any()]
    rows.sort(key=lambda row: (_ORDER[marks[row[0]]], -float(np.nansum(row[1]))))
    return MarkedTree(
        title,
        draw_svg(tree, forest, title, {leaf: _leaf_mark(mark) for leaf, mark in marks.items()}),
        tuple(
            MarkedRule(marks[leaf] or "–", _words(marks[leaf])[0], rule, _records(counts))
            for leaf, counts, rule in rows
        ),
    )


def _records(counts: NDArray[np.float64]) -> str:
    """All records of a leaf; a class of few records is withheld, so that the others say about how many there are."""
    known = float(np.nansum(counts))
    if not np.isnan(counts).any():
        return count(known)
    return f"about {count(known)}" if known else "few"


def _leaf_mark(mark: str) -> LeafMark:
    word, sentence = _words(mark)
    return LeafMark(mark or "lost", mark or "–", word, sentence)


def _words(mark: str) -> tuple[str, str]:
    return TYPES[mark] if mark else LOST
