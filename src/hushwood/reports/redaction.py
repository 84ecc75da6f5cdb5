"""The evaluation as outsiders may see it: built anew from what is allowed, so that nothing slips through.

Counts of one to four records become None ("fewer than 5"), other counts are rounded to fives so that none can
be worked out from the rest, rare categories lose their names, the tails of histograms are pooled, and limits
that cut off fewer than five records are rounded. The page that shows it is in `page`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

SMALL = 5
PUBLIC = "public"
_ABOUT = ("technique", "noise", "made", "hushwood")
_GROWN = ("variant", "criterion", "min_leaf", "confidence", "thresholds")
_PLAN = ("columns", "technique", "acronym", "says", "keeps_segment")
_CERTIFICATE = ("claimed", "records", "kept", "per_tree")


def publishable(document: Mapping[str, Any]) -> dict[str, Any]:
    """The same document without anything that describes fewer than five records."""
    release = document["release"]
    hidden = _rare_names(release["rare_categories"])
    distributions = [_distribution(d, hidden) for d in release["distributions"]]
    return {
        "format": document["format"],
        "version": document["version"],
        "audience": PUBLIC,
        "pairing": document["pairing"],
        "schema": [_column(c, distributions) for c in document["schema"]],
        "measures": [_measure(m) for m in document["measures"]],
        "attacks": [],
        "forests": {name: _forest(f, hidden) for name, f in document["forests"].items()},
        "release": {
            "about": _chosen(release["about"], _ABOUT),
            "records": release["records"],
            "plan": [_chosen(entry, _PLAN) for entry in release["plan"]],
            "certificate": _chosen(release["certificate"], _CERTIFICATE),
            "segments": _segments(release["segments"]),
            "rare_categories": _rare(release["rare_categories"]),
            "unique_extremes": _counted(release["unique_extremes"], ("count", "unchanged")),
            "distributions": distributions,
            "warnings": [],
        },
    }


def safe_count(count: float | None) -> int | None:
    """A count that outsiders may see: None for one to four, else the nearest multiple of five.

    >>> [safe_count(n) for n in (0, 3, 5, 123)]
    [0, None, 5, 125]
    """
    if count is None or 0 < count < SMALL:
        return None
    return int((count + SMALL // 2) // SMALL * SMALL)


def _chosen(given: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    return {key: given[key] for key in keys if key in given}


def _counted(given: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    return {key: safe_count(given[key]) for key in keys}


def _rare_names(rare: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    return {
        column["column"]: {c["category"]: f"rare value {i}" for i, c in enumerate(column["categories"], 1)}
        for column in rare["columns"]
    }


def _rare(rare: Mapping[str, Any]) -> dict[str, Any]:
    columns = [{"column": c["column"], "count": safe_count(c["count"])} for c in rare["columns"]]
    return _counted(rare, ("count", "records", "unchanged")) | {"columns": columns}


def _column(column: Mapping[str, Any], distributions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    safe = _chosen(column, ("name", "kind", "role", "storage", "precision", "categories"))
    safe["missing"] = safe_count(column["missing"])
    edges = next((d.get("edges") for d in distributions if d["column"] == column["name"]), None)
    if edges:
        half = 0.0 if column["precision"] is None else 10.0 ** -column["precision"] / 2
        safe |= {"low": edges[0] + half, "high": edges[-1] - half, "rounded": True}
    return safe


def _measure(measure: Mapping[str, Any]) -> dict[str, Any]:
    if "not_computable" in measure:
        return _chosen(measure, ("name", "not_computable"))
    details = measure["details"]
    safe = _chosen(measure, ("name", "better", "bounds")) | {"value": round(measure["value"], 2)}
    if measure["name"] == "unchanged_cells":
        columns = [
            {
                "column": c["column"],
                "share": None if safe_count(c["unchanged"]) is None else round(c["share"], 2),
                "by_chance": round(c["by_chance"], 2),
            }
            for c in details["columns"]
        ]
        safe["details"] = {
            "untouched_table": 1.0,
            "by_chance": round(details["by_chance"], 2),
            "columns": columns,
        }
    elif measure["name"] == "changed_classes":
        safe["details"] = _counted(details, ("changed", "expected")) | {
            "records": details["records"],
            "deviation": round(details["deviation"]),
            "untouched_table": 0,
        }
        if safe["details"]["changed"] is None:
            safe["value"] = None
    return safe


def _segments(segments: Mapping[str, Any]) -> dict[str, Any]:
    safe = _counted(segments, ("count", "alone", "below_small", "median", "smallest", "largest"))
    sizes = [
        _chosen(band, ("from", "to")) | _counted(band, ("segments", "records")) for band in segments["sizes"]
    ]
    return safe | {"small": segments["small"], "sizes": sizes}


def _distribution(given: Mapping[str, Any], hidden: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    head = _chosen(given, ("column", "kind", "role", "storage"))
    if given["kind"] == "numeric":
        return head | _pooled_tails(given)
    return head | _without_rare(given, hidden.get(given["column"], {}))


def _pooled_tails(given: Mapping[str, Any]) -> dict[str, Any]:
    before, after, labels = list(given["before"]), list(given["after"]), list(given["labels"])
    edges = list(given["edges"])
    while len(before) > 1 and min(before[0], after[0]) < SMALL:
        before[:2], after[:2] = [sum(before[:2])], [sum(after[:2])]
        del edges[0], labels[0]
        labels[0] = f"up to {labels[0].split(' – ')[-1]}"
    while len(before) > 1 and min(before[-1], after[-1]) < SMALL:
        before[-2:], after[-2:] = [sum(before[-2:])], [sum(after[-2:])]
        del edges[-1], labels[-1]
        labels[-1] = f"{labels[-1].removeprefix('up to ').split(' – ')[0]} and more"
    if len(before) == 1:
        labels = ["all values"]
    return {
        "edges": edges,
        "labels": labels,
        "before": [_at_most_few(n) for n in before],
        "after": [_at_most_few(n) for n in after],
    }


def _at_most_few(count: float) -> int | None:
    return None if count < SMALL else safe_count(count)


def _without_rare(given: Mapping[str, Any], rare: Mapping[str, str]) -> dict[str, Any]:
    names = given["categories"]
    shown = [i for i, name in enumerate(names) if name not in rare]
    pooled = [i for i in range(len(given["before"])) if i not in shown]
    others = given["others"] + len(names) - len(shown)
    safe: dict[str, Any] = {"categories": [names[i] for i in shown], "others": others}
    for side in ("before", "after"):
        counts = [_at_most_few(given[side][i]) for i in shown]
        safe[side] = counts + ([_at_most_few(sum(given[side][i] for i in pooled))] if pooled else [])
    return safe | {"missing": [safe_count(n) for n in given["missing"]]}


def _forest(forest: Mapping[str, Any], hidden: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    classes = hidden.get(forest["class"], {})
    attributes = [_forest_attribute(a, hidden.get(a["name"], {})) for a in forest["attributes"]]
    return {
        "format": forest["format"],
        "version": forest["version"],
        "class": forest["class"],
        "classes": [classes.get(name, name) for name in forest["classes"]],
        "grown": _chosen(forest["grown"], _GROWN),
        "attributes": attributes,
        "trees": [{"nodes": _nodes(tree["nodes"], hidden, classes)} for tree in forest["trees"]],
    }


def _forest_attribute(attribute: Mapping[str, Any], rare: Mapping[str, str]) -> dict[str, Any]:
    safe = _chosen(attribute, ("name", "kind", "integer", "precision"))
    if "values" in attribute:
        safe["values"] = [rare.get(value, value) for value in attribute["values"]]
    return safe


def _nodes(
    nodes: Sequence[Mapping[str, Any]], hidden: Mapping[str, Mapping[str, str]], classes: Mapping[str, str]
) -> list[dict[str, Any]]:
    small = frozenset(node["id"] for node in nodes if 0 < sum(node.get("counts", ())) < SMALL)
    return [_node(node, hidden, classes, small) for node in nodes]


def _node(
    node: Mapping[str, Any],
    hidden: Mapping[str, Mapping[str, str]],
    classes: Mapping[str, str],
    small: frozenset[int],
) -> dict[str, Any]:
    safe = _chosen(node, ("id", "missing_to", "value", "closed"))
    if "test" in node:
        rare = hidden.get(node["test"]["attribute"], {})
        safe["children"] = {rare.get(key, key): child for key, child in node["children"].items()}
        safe["test"] = _chosen(node["test"], ("attribute", "threshold"))
        if "threshold" in safe["test"] and small.intersection(node["children"].values()):
            safe["test"]["threshold"] = float(f"{node['test']['threshold']:.1g}")
    if "counts" in node:
        reached = sum(node["counts"]) > 0
        safe["counts"] = [_at_most_few(c) if reached else 0 for c in node["counts"]]
    if "label" in node:
        safe["label"] = classes.get(node["label"], node["label"])
    return safe
