"""The numbers of a published tree, each with its question, meaning, good direction and comparison.

Headlines come from here too, for the top of the page and for the terminal; tables are in `tree_tables`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from hushwood.reports.findings import Finding
from hushwood.reports.headlines import Headline
from hushwood.reports.judgement import badge, place_of, tone_of_measure
from hushwood.reports.wording import Tone, count, percent, things

_TELLING = frozenset(("generalised", "unchanged", "copied"))
_KEPT, _BROKEN = "promise kept", "promise broken"
_AMONG = "Whoever knows all quasi-identifiers of a person cannot tell which record of the person's group is theirs."
_ALONE = "Whoever knows all quasi-identifiers of a person may find the one record that is theirs."
# Points by which trees on other records must be better before it is said.
_MUCH = 0.05
_TITLES = {"accuracy": "Accuracy", "r_squared": "Explained variance (R²)"}


def privacy_findings(document: Mapping[str, Any]) -> list[Finding]:
    """How well people are hidden: K of the groups, and L of every sensitive attribute."""
    return [
        _anonymity(document),
        *(_diversity(found, document) for found in document["privacy"]["sensitive"]),
    ]


def use_findings(document: Mapping[str, Any]) -> list[Finding]:
    """What the tree is worth: how well it predicts with and without the promises, and how fine it is."""
    return [*_predictions(document), _leaves(document)]


def headlines(findings: list[Finding]) -> list[Headline]:
    """The same numbers in short."""
    return [Headline(f.title, f.answer, f.compares, f.tone, f.badge) for f in findings]


def score_text(value: float | None, measure: str) -> str:
    """How well a tree predicts: a share of records, or R² with three decimals; none if all numbers are the same.

    >>> score_text(0.825, "accuracy"), score_text(0.6128, "r_squared")
    ('82.5\\xa0%', '0.613')
    """
    if value is None:
        return "–"
    # A tiny negative number is written as 0.000, without its sign.
    return percent(value) if measure == "accuracy" else f"{round(value, 3) + 0.0:.3f}"


def diversity_text(value: float) -> str:
    """L with at most two decimals, never rounded up: no more is claimed than there is.

    >>> diversity_text(4.129), diversity_text(2.0), diversity_text(2.3)
    ('4.12', '2', '2.3')
    """
    return f"{math.floor(100 * value + 1e-6) / 100:.10g}"


def promises_kept(document: Mapping[str, Any]) -> bool:
    """Whether the release has the K and the L that were asked for."""
    asked, privacy = document["options"], document["privacy"]
    diverse = all(s["l"] >= asked["l"] for s in privacy["sensitive"])
    return bool(privacy["k"] >= asked["k"] and diverse)


def uncounted_columns(document: Mapping[str, Any]) -> list[str]:
    """Columns that differ between records and are no quasi-identifiers: whoever knows them finds smaller groups."""
    counted = set(document["privacy"]["quasi_identifiers"])
    return [
        column["name"]
        for column in document["columns"]
        if column["what"] in _TELLING and column["role"] != "class" and column["name"] not in counted
    ]


def _anonymity(document: Mapping[str, Any]) -> Finding:
    privacy, asked = document["privacy"], document["options"]["k"]
    smallest = privacy["k"]
    kept = smallest >= asked
    tone: Tone = "bad" if not kept else "care" if smallest < 2 else "good"
    beside = (
        f"{document['class']} is counted as known."
        if document["options"]["class_in_groups"]
        else f"Counting {document['class']} as known too, it is {count(privacy['k_with_class'])}."
    )
    return Finding(
        "k",
        "How many records look alike, at least?",
        f"K = {count(smallest)}",
        "Records with the same released quasi-identifiers form a group; there "
        f"{_are(privacy['groups'], 'group')}, and the smallest has {things(smallest, 'record')}. "
        f"{_ALONE if smallest < 2 else _AMONG}",
        "Higher is better.",
        f"Asked for: {asked:,}. In the original table it was {count(privacy['original_k'])}. {beside}",
        tone,
        "Records alike (K)",
        _BROKEN if not kept else "nobody is hidden" if smallest < 2 else _KEPT,
    )


def _diversity(found: Mapping[str, Any], document: Mapping[str, Any]) -> Finding:
    asked, value = document["options"]["l"], found["l"]
    tone: Tone = "bad" if value < asked else "good" if asked > 1 else "plain"
    return Finding(
        f"l-{found['name']}",
        f"How mixed is {found['name']} in every group?",
        f"L = {diversity_text(value)}",
        f"In every group, the most frequent value of {found['name']} is that of at most {percent(1 / value)} of its "
        "records: whoever finds the group of a person and guesses it is right no more often than that. It was "
        "counted on the original values; the release does not show them.",
        "Higher is better.",
        f"Asked for: {diversity_text(asked)}{'' if asked > 1 else ', which is nothing'}. "
        f"The whole table has {diversity_text(found['whole_table'])}; no grouping has more.",
        tone,
        f"Mixture of {found['name']} (L)",
        {"bad": _BROKEN, "good": _KEPT}.get(tone, ""),
    )


def _predictions(document: Mapping[str, Any]) -> list[Finding]:
    found = document["accuracy"]
    many = len(document["forest"]["trees"]) > 1
    title = _TITLES[found["measure"]]
    table = Finding(
        "on_the_table",
        f"How well {'do the trees' if many else 'does the tree'} fit the table itself?",
        score_text(found["on_the_table"], found["measure"]),
        "The original and the released table give the same number: every record follows the same rules in both, and "
        f"{document['class']} is released as it is.",
        "Higher is better, but a tree that fits too well says more about single records.",
        "These are the records that it was grown on: a fit, not a forecast.",
        title=f"{title} on the table",
    )
    return [_unseen(document, title), table] if found["unseen"] else [table]


def _unseen(document: Mapping[str, Any], title: str) -> Finding:
    found = document["accuracy"]
    published, unlimited, naive = (
        score_text(found["unseen"][key], found["measure"]) for key in ("published", "unlimited", "naive")
    )
    entry = {
        "name": "tree",
        "side": "utility",
        "better": "higher",
        "value": found["unseen"]["published"],
        "untouched": found["unseen"]["unlimited"],
        "noise": found["unseen"]["naive"],
        "details": {},
    }
    tone = tone_of_measure(entry)
    return Finding(
        "unseen",
        "How well are records predicted that a tree was not grown on?",
        published,
        found["sentence"],
        "Higher is better.",
        f"{_siblings(document)} Grown without K and L: {unlimited}. Naive guess: {naive}.{_worse(document)}",
        tone,
        f"{title} on unseen records",
        badge("utility", tone),
        place_of(entry),
        (f"naive guess {naive}", f"no K and L {unlimited}"),
    )


def _siblings(document: Mapping[str, Any]) -> str:
    """Whose number it is: not the published tree's, which has seen all records."""
    leaves = document["accuracy"]["unseen_leaves"]
    low, high = min(leaves), max(leaves)
    sizes = things(low, "leaf", "leaves") if low == high else f"{low:,} to {high:,} leaves"
    if len(document["forest"]["trees"]) > 1:
        return f"The average vote of trees grown in the same way on other records ({sizes} together)."
    who = "A tree" if len(leaves) == 1 else f"{len(leaves)} trees"
    return f"{who} grown in the same way on other records ({sizes})."


def _worse(document: Mapping[str, Any]) -> str:
    """What must be said where the number flatters the published tree."""
    found, leaves = document["accuracy"], sum(document["growth"]["leaves"])
    own, others = found["on_the_table"], found["unseen"]["published"]
    if own is None or others <= own + _MUCH:
        return ""
    many = len(document["forest"]["trees"]) > 1
    what = "The published trees happen" if many else "The published tree happens"
    smaller = leaves < min(found["unseen_leaves"])
    how = f"smaller than these ({things(leaves, 'leaf', 'leaves')})" if smaller else "worse than these"
    only = score_text(own, found["measure"])
    return f" {what} to be {how}: even on the table itself the score is only {only}."


def _leaves(document: Mapping[str, Any]) -> Finding:
    growth = document["growth"]
    leaves, closed = sum(growth["leaves"]), sum(growth["closed"])
    per_tree = " + ".join(map(str, growth["leaves"])) if len(growth["leaves"]) > 1 else ""
    return Finding(
        "leaves",
        "How fine is what is published?",
        f"{things(leaves, 'leaf', 'leaves')}{f' ({per_tree})' if per_tree else ''}",
        "Every leaf is a rule about a group of records. A leaf is closed where another test would help the "
        "prediction but break the promise of K or L.",
        "More leaves say more to analysts, fewer hide people better.",
        f"{_closed(closed, leaves)} {_tried(growth)}",
        title="Leaves",
    )


def _closed(closed: int, leaves: int) -> str:
    if leaves == 1:
        return "It is closed." if closed else "It is not closed."
    return f"{count(closed).capitalize()} of them {'are' if closed > 1 else 'is'} closed."


def _tried(growth: Mapping[str, Any]) -> str:
    if not growth["tried"]:
        return "No expansion was tried."
    return f"Expansions tried: {growth['tried']:,}, undone: {growth['barred']:,}."


def _are(number: int, what: str) -> str:
    return f"{'is' if number == 1 else 'are'} {things(number, what)}"
