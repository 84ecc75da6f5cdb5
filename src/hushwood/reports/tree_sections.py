"""What each section of a published tree's page shows; the templates only arrange it.

The page itself is put together in `tree_page`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hushwood.reports import tree_charts, tree_findings, tree_tables
from hushwood.reports.published_trees import CLOSED, published_trees, pure_leaves, readable_forest
from hushwood.reports.tree_proof import proof
from hushwood.reports.tree_verdict import tree_verdict
from hushwood.reports.wording import count, things

View = dict[str, Any]

_TITLES = {
    "numbers": "What the numbers mean",
    "trees": "The published tree",
    "groups": "Who looks alike",
    "columns": "What was generalised",
    "check": "How to check it",
    "growth": "How it was grown",
    "warnings": "Warnings",
    "reading": "What this does not promise",
}


def everything(document: Mapping[str, Any]) -> View:
    """All that the page shows; nothing of it is secret."""
    titles = dict(_TITLES)
    if len(document["forest"]["trees"]) > 1:
        titles["trees"] = "The published trees"
    return {
        "public": True,
        "about": {"table": document["table"], "hushwood": document["hushwood"]},
        "records": document["records"],
        "sections": list(titles.items()),
        "titles": titles,
        **_summary(document),
        **_trees(document),
        **_groups(document),
        **_columns(document),
        **_growth(document),
    }


def _summary(document: Mapping[str, Any]) -> View:
    privacy, use = tree_findings.privacy_findings(document), tree_findings.use_findings(document)
    return {
        "verdict": tree_verdict(document),
        "privacy": privacy,
        "use": use,
        "hidden": tree_findings.headlines(privacy),
        "kept": tree_findings.headlines(use),
        "prediction_chart": tree_charts.prediction_chart(document),
        "accuracy_sentence": document["accuracy"]["sentence"],
    }


def _trees(document: Mapping[str, Any]) -> View:
    return {
        "class_name": document["class"],
        "classes": document["classes"],
        "regression": document["regression"],
        "trees": published_trees(document),
        "closed_means": CLOSED.sentence.removeprefix("closed: "),
        "closed": sum(document["growth"]["closed"]),
    }


def _groups(document: Mapping[str, Any]) -> View:
    privacy, left_out = document["privacy"], document.get("groups_left_out", 0)
    return {
        "group_chart": tree_charts.group_chart(document),
        "groups": tree_tables.group_rows(document),
        "groups_open": tree_tables.GROUPS_OPEN,
        "groups_left_out": things(left_out, "larger group") if left_out else "",
        "group_count": count(privacy["groups"]),
        "quasi_identifiers": privacy["quasi_identifiers"],
        "sensitive": [found["name"] for found in privacy["sensitive"]],
        "with_class": document["options"]["class_in_groups"],
    }


def _columns(document: Mapping[str, Any]) -> View:
    copied = tree_tables.copied_columns(document)
    return {
        "generalised": tree_tables.generalised_columns(document),
        "others": tree_tables.other_columns(document),
        "copied": copied,
        "uncounted": [name for name in tree_findings.uncounted_columns(document) if name not in copied],
    }


def _growth(document: Mapping[str, Any]) -> View:
    growth = document["growth"]
    return {
        "command": f"hushwood verify-tree {document['table']} tree.json",
        "verified": document["verified"],
        "proves": proof(document),
        "options": tree_tables.option_rows(document),
        "tried": things(growth["tried"], "expansion"),
        "barred": growth["barred"],
        "stopped": growth["stopped"],
        "warnings": document["warnings"],
        "pure": pure_leaves(readable_forest(document)),
        "anchored": document["options"]["mode"] == "anchored",
    }
