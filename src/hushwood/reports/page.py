"""The report of a release as one HTML page that opens offline, made from the evaluation document alone.

Two versions: the internal one shows everything, the publishable one only what `redaction` lets through.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from hushwood.reports import charts, findings, views
from hushwood.reports.distribution_charts import distribution_chart
from hushwood.reports.redaction import PUBLIC, publishable
from hushwood.reports.vega import vega_script
from hushwood.reports.wording import measure, verdict

_SECTIONS = (
    ("columns", "What was done"),
    ("rules", "The rules that survived"),
    ("people", "Who might still stand out"),
    ("class", "The class"),
    ("distributions", "Before and after"),
    ("warnings", "Warnings"),
    ("reading", "How to read this"),
)


def internal_report(document: Mapping[str, Any]) -> str:
    """The whole evaluation, for those who may see the original table."""
    return _page(document)


def publishable_report(document: Mapping[str, Any]) -> str:
    """What may travel with the released table: nothing about fewer than five records."""
    return _page(publishable(document))


def _page(document: Mapping[str, Any]) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    folder = files("hushwood.reports") / "templates"
    environment = Environment(
        loader=PackageLoader("hushwood.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html.j2").render(
        _view(document),
        style=(folder / "report.css").read_text(encoding="utf-8"),
        script=(folder / "report.js").read_text(encoding="utf-8"),
        vega=vega_script(),
        config=dict(charts.CONFIG),
    )


def _view(document: Mapping[str, Any]) -> dict[str, Any]:
    release = document["release"]
    cells = measure(document, "unchanged_cells")
    moved = measure(document, "changed_classes")
    people_charts = [charts.segment_chart(release["segments"])]
    if cells and cells["details"]["columns"]:
        people_charts.append(charts.unchanged_chart(cells))
    return {
        "public": document.get("audience") == PUBLIC,
        "about": dict.fromkeys(("table", "technique", "made", "hushwood"), "") | release["about"],
        "records": release["records"],
        "verdict": verdict(document),
        "sections": _SECTIONS,
        "columns": views.column_rows(document),
        "copied": views.copied_columns(document),
        "classes": views.class_names(document),
        "class_name": document["forests"].get("original", {}).get("class", ""),
        "trees": views.tree_views(document),
        "standing_out": findings.standing_out(document),
        "class_finding": findings.class_finding(document),
        "class_chart": charts.class_chart(moved) if moved else None,
        "people_charts": people_charts,
        "rare": release["rare_categories"],
        "extremes": views.extreme_rows(document),
        "distributions": [distribution_chart(d) for d in release["distributions"] if d.get("edges", True)],
        "warnings": release["warnings"],
        "attacked": bool(document["attacks"]),
    }
