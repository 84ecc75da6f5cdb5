"""The report of a published tree as one HTML page that opens offline; all of it may be shared with the table."""

from __future__ import annotations

from hushwood.evaluation.publication import Publication
from hushwood.reports.charts import trees as tree_charts
from hushwood.reports.page_frame import View, rendered
from hushwood.reports.tree import findings as tree_findings
from hushwood.reports.tree import tables as tree_tables
from hushwood.reports.tree.findings import proof, tree_verdict
from hushwood.reports.tree.published_trees import CLOSED, published_trees, pure_leaves, readable_forest
from hushwood.reports.wording import count, things

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


def tree_report(publication: Publication) -> str:
    """The tree, who looks alike, what was generalised, and how to check it."""
    return rendered("tree_report.html.j2", everything(publication))


def everything(publication: Publication) -> View:
    """All that the page shows."""
    titles = dict(_TITLES)
    if len(publication.forest.trees) > 1:
        titles["trees"] = "The published trees"
    return {
        "public": True,
        "about": {"table": publication.table, "hushwood": publication.hushwood},
        "records": publication.records,
        "sections": list(titles.items()),
        "titles": titles,
        **_summary(publication),
        **_trees(publication),
        **_groups(publication),
        **_columns(publication),
        **_growth(publication),
    }


def _summary(publication: Publication) -> View:
    privacy, use = tree_findings.privacy_findings(publication), tree_findings.use_findings(publication)
    return {
        "verdict": tree_verdict(publication),
        "privacy": privacy,
        "use": use,
        "hidden": tree_findings.headlines(privacy),
        "kept": tree_findings.headlines(use),
        "prediction_chart": tree_charts.prediction_chart(publication),
        "accuracy_sentence": publication.accuracy.sentence,
    }


def _trees(publication: Publication) -> View:
    return {
        "class_name": publication.class_name,
        "classes": publication.classes,
        "regression": publication.regression,
        "trees": published_trees(publication),
        "closed_means": CLOSED.sentence.removeprefix("closed: "),
        "closed": sum(publication.growth.closed),
    }


def _groups(publication: Publication) -> View:
    privacy, left_out = publication.privacy, publication.groups_left_out
    return {
        "group_chart": tree_charts.group_chart(publication),
        "groups": tree_tables.group_rows(publication),
        "groups_open": tree_tables.GROUPS_OPEN,
        "groups_left_out": things(left_out, "larger group") if left_out else "",
        "group_count": count(privacy.groups),
        "quasi_identifiers": privacy.quasi_identifiers,
        "sensitive": [found.name for found in privacy.sensitive],
        "with_class": publication.options.class_in_groups,
    }


def _columns(publication: Publication) -> View:
    copied = tree_tables.copied_columns(publication)
    return {
        "generalised": tree_tables.generalised_columns(publication),
        "others": tree_tables.other_columns(publication),
        "copied": copied,
        "uncounted": [name for name in tree_findings.uncounted_columns(publication) if name not in copied],
    }


def _growth(publication: Publication) -> View:
    growth = publication.growth
    return {
        "command": f"hushwood verify-tree {publication.table} tree.json",
        "verified": publication.verified,
        "proves": proof(publication),
        "options": tree_tables.option_rows(publication),
        "tried": things(growth.tried, "expansion"),
        "barred": growth.barred,
        "stopped": growth.stopped,
        "warnings": publication.warnings,
        "pure": pure_leaves(readable_forest(publication.forest)),
        "anchored": publication.options.mode == "anchored",
    }
