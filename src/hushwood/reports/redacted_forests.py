"""Trees as outsiders may see them: rounded counts, rare categories without their names, no limit around a few.

The rest of the document is in `redaction`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hushwood.evaluation.release_facts import SMALL
from hushwood.reports.small_counts import at_most_few, chosen

_GROWN = ("variant", "criterion", "min_leaf", "confidence", "global_pruning", "thresholds")
Hidden = Mapping[str, Mapping[str, str]]


def safe_forest(forest: Mapping[str, Any], hidden: Hidden) -> dict[str, Any]:
    """A forest without rare categories; `hidden` names a stand-in for each, by column."""
    classes = hidden.get(forest["class"], {})
    attributes = [_forest_attribute(a, hidden.get(a["name"], {})) for a in forest["attributes"]]
    return {
        "format": forest["format"],
        "version": forest["version"],
        "class": forest["class"],
        "classes": [classes.get(name, name) for name in forest["classes"]],
        "grown": chosen(forest["grown"], _GROWN),
        "attributes": attributes,
        "trees": [{"nodes": _nodes(tree["nodes"], hidden, classes)} for tree in forest["trees"]],
    }


def _forest_attribute(attribute: Mapping[str, Any], rare: Mapping[str, str]) -> dict[str, Any]:
    safe = chosen(attribute, ("name", "kind", "integer", "precision"))
    if "values" in attribute:
        safe["values"] = [rare.get(value, value) for value in attribute["values"]]
    return safe


def _nodes(
    nodes: Sequence[Mapping[str, Any]], hidden: Hidden, classes: Mapping[str, str]
) -> list[dict[str, Any]]:
    small = frozenset(node["id"] for node in nodes if 0 < sum(node.get("counts", ())) < SMALL)
    return [_node(node, hidden, classes, small) for node in nodes]


def _node(
    node: Mapping[str, Any],
    hidden: Hidden,
    classes: Mapping[str, str],
    small: frozenset[int],
) -> dict[str, Any]:
    safe = chosen(node, ("id", "missing_to", "value", "closed"))
    if "test" in node:
        rare = hidden.get(node["test"]["attribute"], {})
        safe["children"] = {rare.get(key, key): child for key, child in node["children"].items()}
        safe["test"] = chosen(node["test"], ("attribute", "threshold"))
        if "threshold" in safe["test"] and small.intersection(node["children"].values()):
            safe["test"]["threshold"] = float(f"{node['test']['threshold']:.1g}")
    if "counts" in node:
        reached = sum(node["counts"]) > 0
        safe["counts"] = [at_most_few(c) if reached else 0 for c in node["counts"]]
    if "label" in node:
        safe["label"] = classes.get(node["label"], node["label"])
    return safe
