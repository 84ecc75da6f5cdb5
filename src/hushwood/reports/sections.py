"""What each section of the page shows, gathered from the document; the templates only arrange it.

The page itself is put together in `page`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hushwood.reports import attack_views, charts, detail_tables, findings, headlines, views
from hushwood.reports.attack_chart import attack_chart
from hushwood.reports.compared_trees import compared_trees
from hushwood.reports.distribution_charts import distribution_chart
from hushwood.reports.drawn_together import drawn_together_view
from hushwood.reports.heat_maps import change_sentence, heat_maps
from hushwood.reports.judgement import RULE
from hushwood.reports.measure_findings import measure_findings, not_answered
from hushwood.reports.redaction import PUBLIC
from hushwood.reports.risk_charts import risk_charts
from hushwood.reports.verdicts import attack_sentence, made_here, verdict
from hushwood.reports.wording import measure

View = dict[str, Any]

_TITLES = {
    "miners": "What miners keep",
    "intruder": "What an intruder learns",
    "columns": "What was done",
    "rules": "The rules that survived",
    "people": "Who might still stand out",
    "class": "The class",
    "distributions": "Before and after",
    "warnings": "Warnings and notes",
    "reading": "How to read this",
}


def everything(document: Mapping[str, Any]) -> View:
    """All that the page shows."""
    ours = made_here(document)
    titles = dict(_TITLES)
    if not ours:
        titles["columns"] = "The columns"
        del titles["rules"]
    return {
        "public": document.get("audience") == PUBLIC,
        "ours": ours,
        "sections": list(titles.items()),
        "titles": titles,
        **_summary(document),
        "miners": _miners(document),
        "intruder": _intruder(document),
        **_release(document),
        "people": _people(document),
        **_class(document),
        "distributions": [
            distribution_chart(entry)
            for entry in document["release"]["distributions"]
            if entry.get("edges", True)
        ],
        **_notes(document),
    }


def _summary(document: Mapping[str, Any]) -> View:
    release = document["release"]
    return {
        "about": dict.fromkeys(("table", "released", "technique", "made", "hushwood"), "") | release["about"],
        "records": release["records"],
        "released_records": release["released_records"],
        "verdict": verdict(document),
        "attacks_said": attack_sentence(document) if made_here(document) else "",
        "kept": headlines.miners_headlines(document),
        "learnt": headlines.intruder_headlines(document),
        "rule": RULE,
    }


def _miners(document: Mapping[str, Any]) -> View:
    found = measure(document, "correlations")
    return {
        "cards": measure_findings(document, "utility"),
        "trees": compared_trees(document),
        "heat_maps": heat_maps(found["details"]) if found and found["details"] else None,
        "changes": change_sentence(found["details"]) if found else "",
        "tables": detail_tables.utility_tables(document),
        "not_answered": not_answered(document, "utility"),
    }


def _intruder(document: Mapping[str, Any]) -> View:
    attempted = attack_views.attempted(document)
    return {
        "cards": measure_findings(document, "risk"),
        "charts": risk_charts(document),
        "attack_chart": attack_chart(attempted) if attempted else None,
        "attacks": attack_views.attack_rows(document),
        "control": document["audit"]["control"],
        "tables": detail_tables.risk_tables(document),
        "not_answered": [*not_answered(document, "risk"), *attack_views.not_attempted(document)],
    }


def _release(document: Mapping[str, Any]) -> View:
    class_name, classes = views.class_and_values(document)
    return {
        "columns": views.column_rows(document),
        "copied": views.copied_columns(document),
        "drawn_together": drawn_together_view(document),
        "named": views.still_named(document),
        "not_compared": views.not_compared(document),
        "classes": classes,
        "class_name": class_name,
        "trees": views.tree_views(document),
    }


def _people(document: Mapping[str, Any]) -> View:
    release = document["release"]
    return {
        "findings": findings.standing_out(document),
        "charts": [charts.segment_chart(release["segments"])] if release["segments"] else [],
        "rare": (release["rare_categories"] or {"columns": []})["columns"],
        "extremes": views.extreme_rows(document),
    }


def _class(document: Mapping[str, Any]) -> View:
    found = measure(document, "changed_classes")
    reasons = [
        e["not_computable"] for e in document["measures"] if e["name"] == "changed_classes" and not found
    ]
    return {
        "class_finding": findings.class_finding(document),
        "class_chart": charts.class_chart(found) if found else None,
        "no_class_finding": reasons[0] if reasons else "",
    }


def _notes(document: Mapping[str, Any]) -> View:
    audit = document["audit"]
    judged, records = audit["records"], document["release"]["records"]
    return {
        "warnings": document["release"]["warnings"],
        "notes": audit["notes"],
        "left_out": audit["left_out"],
        "generalised": audit["generalised"],
        "sampled": judged if judged < records else None,
        "evidence": audit["evidence"],
        "pairing": document["pairing"],
    }
