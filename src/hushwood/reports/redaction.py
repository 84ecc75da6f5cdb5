"""The evaluation as outsiders may see it: built anew from what is allowed, so that nothing slips through.

Counts of one to four records become None ("fewer than 5"), other counts are rounded to fives so that none can
be worked out from the rest, rare categories lose their names, the tails of histograms are pooled, and limits
that cut off fewer than five records are rounded. Measures and attacks are in `redacted_evidence`, trees in
`redacted_forests`; the page that shows it is in `page`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hushwood.evaluation.release_facts import SMALL
from hushwood.reports.redacted_evidence import safe_attack, safe_audit, safe_measure
from hushwood.reports.redacted_forests import safe_forest
from hushwood.reports.small_counts import at_most_few, chosen, counted, safe_count, two_digits

PUBLIC = "public"
_ABOUT = ("technique", "noise", "made", "hushwood")
_PLAN = ("columns", "technique", "acronym", "says", "keeps_segment")
_FORESTS = ("original", "original_tree", "released_tree")
_CERTIFICATE = ("claimed", "records", "kept", "per_tree")


def publishable(document: Mapping[str, Any]) -> dict[str, Any]:
    """The same document without anything that describes fewer than five records."""
    release = document["release"]
    rare = release["rare_categories"]
    hidden = _hidden_names(rare, release["unreleased_categories"]) if rare else {}
    distributions = [_distribution(d, hidden) for d in release["distributions"]]
    return {
        "format": document["format"],
        "version": document["version"],
        "audience": PUBLIC,
        "pairing": document["pairing"],
        "schema": [_column(c, distributions) for c in document["schema"]],
        "measures": [safe_measure(m, release["released_records"]) for m in document["measures"]],
        "attacks": [safe_attack(a) for a in document["attacks"]],
        # Without the list of rare categories they cannot be taken out of the trees.
        "forests": {
            k: safe_forest(document["forests"][k], hidden)
            for k in _FORESTS
            if rare and k in document["forests"]
        },
        "release": _release(release, distributions),
        "audit": safe_audit(document["audit"]),
    }


def _release(release: Mapping[str, Any], distributions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    certificate, segments = release["certificate"], release["segments"]
    rare, extremes = release["rare_categories"], release["unique_extremes"]
    return {
        "about": chosen(release["about"], _ABOUT),
        "records": release["records"],
        "released_records": release["released_records"],
        "plan": [chosen(entry, _PLAN) for entry in release["plan"]],
        "certificate": chosen(certificate, _CERTIFICATE) if certificate else None,
        "segments": _segments(segments) if segments else None,
        "drawn_together": _drawn(release.get("drawn_together")),
        "rare_categories": _rare(rare) if rare else None,
        "unique_extremes": counted(extremes, ("count", "unchanged")) if extremes else None,
        "distributions": list(distributions),
        "warnings": [],
    }


def _drawn(found: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Ways and errors of numbers drawn together; the largest error may be that of a tiny segment."""
    if found is None:
        return None
    ways = [chosen(way, ("way",)) | counted(way, ("segments", "records")) for way in found["ways"]]
    errors = {
        key: {"mean": two_digits(found[key]["mean"])} if found[key] else None
        for key in ("mean_error", "covariance_error")
    }
    return chosen(found, ("columns", "technique", "within")) | {"ways": ways} | errors


def _hidden_names(
    rare: Mapping[str, Any], unreleased: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, str]]:
    """What to call the categories that few records have, and those that the released table no longer names."""
    hidden = {
        name: {category: f"unreleased value {i}" for i, category in enumerate(categories, 1)}
        for name, categories in unreleased.items()
    }
    for column in rare["columns"]:
        names = {c["category"]: f"rare value {i}" for i, c in enumerate(column["categories"], 1)}
        hidden[column["column"]] = hidden.get(column["column"], {}) | names
    return hidden


def _rare(rare: Mapping[str, Any]) -> dict[str, Any]:
    columns = [{"column": c["column"], "count": safe_count(c["count"])} for c in rare["columns"]]
    return counted(rare, ("count", "records", "unchanged")) | {"columns": columns}


def _column(column: Mapping[str, Any], distributions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    safe = chosen(column, ("name", "kind", "role", "storage", "precision", "categories"))
    safe["missing"] = safe_count(column["missing"])
    edges = next((d.get("edges") for d in distributions if d["column"] == column["name"]), None)
    if edges:
        half = 0.0 if column["precision"] is None else 10.0 ** -column["precision"] / 2
        safe |= {"low": edges[0] + half, "high": edges[-1] - half, "rounded": True}
    return safe


def _segments(segments: Mapping[str, Any]) -> dict[str, Any]:
    safe = counted(segments, ("count", "alone", "below_small", "median", "smallest", "largest"))
    sizes = [
        chosen(band, ("from", "to")) | counted(band, ("segments", "records")) for band in segments["sizes"]
    ]
    return safe | {"small": segments["small"], "sizes": sizes}


def _distribution(given: Mapping[str, Any], hidden: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    head = chosen(given, ("column", "kind", "role", "storage"))
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
        "before": [at_most_few(n) for n in before],
        "after": [at_most_few(n) for n in after],
    }


def _without_rare(given: Mapping[str, Any], rare: Mapping[str, str]) -> dict[str, Any]:
    names = given["categories"]
    shown = [i for i, name in enumerate(names) if name not in rare and given["before"][i] >= SMALL]
    pooled = [i for i in range(len(given["before"])) if i not in shown]
    others = given["others"] + len(names) - len(shown)
    safe: dict[str, Any] = {"categories": [names[i] for i in shown], "others": others}
    for side in ("before", "after"):
        counts = [at_most_few(given[side][i]) for i in shown]
        safe[side] = counts + ([at_most_few(sum(given[side][i] for i in pooled))] if pooled else [])
    return safe | {"missing": [safe_count(n) for n in given["missing"]]}
