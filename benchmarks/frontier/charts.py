"""Risk against utility as pictures: one for the development tables together, and one for every table.

Two panels share the risk axis: what models can still learn, and how well counts are kept. The specifications are made
of the reports' parts, in the reports' light colours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from light_colours import coloured

from frontier.contenders import FAMILIES, Family
from frontier.document import Document
from frontier.label_places import Placed, placed_labels
from frontier.summary import Runs
from frontier.yardstick import RISK, overall_risk
from hushwood.reports.charts.frame import (
    CONFIG,
    INK,
    MUTED,
    Spec,
    layer,
    layered,
    legend_above,
    number_field,
    word_field,
)

WIDTH, HEIGHT = 430, 380
MOST_RISK, LEAST_LIFT = 1.0, 0.5
COLOURS: dict[Family, str] = {
    "segment-shuffle": "var(--class-0)",
    "papers": "var(--class-1)",
    "synthesis": "var(--class-2)",
    "masking": "var(--class-3)",
    "peer": "var(--class-5)",
    "control": "var(--class-6)",
}


@dataclass(frozen=True)
class Panel:
    """What the vertical axis shows: a measure, its ends from bottom to top, and its title."""

    key: str
    title: str
    bottom: float
    top: float

    def height(self, value: float) -> float:
        """Where a value lies, from 0 at the bottom to 1; values beyond the ends are drawn at the ends."""
        return min(max((value - self.bottom) / (self.top - self.bottom), 0.0), 1.0)


PANELS = (
    Panel("lift_share", "AUC-lift share kept (higher is better)", LEAST_LIFT, 1.1),
    Panel("query_error", "query error (higher up is better)", 0.6, 0.0),
)


def picture(document: Document, tables: Sequence[str], title: str) -> str:
    """Both panels as one SVG text."""
    import vl_convert

    spec = specification(document, tables, title)
    # Fonts of the reader; the picture has none of its own.
    return str(vl_convert.vegalite_to_svg(spec))


def specification(document: Document, tables: Sequence[str], title: str) -> Spec:
    """The Vega-Lite specification of both panels, with colours instead of the page's variables."""
    runs = Runs.of(document.runs, tables)
    points = [_point(document, runs, name) for name in document.contenders]
    drawn = [point for point in points if point is not None]
    panels = [_panel(panel, drawn) for panel in PANELS]
    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": {"text": title, "anchor": "start", "color": INK, "fontSize": 14, "fontWeight": 600},
        "hconcat": panels,
        "spacing": 36,
        "padding": 12,
        "config": {**CONFIG, "background": "white", "font": "sans-serif"},
    }
    resolved: Spec = coloured(spec)
    return resolved


def _point(document: Document, runs: Runs, name: str) -> dict[str, Any] | None:
    """The means of a contender; None if it has no runs on these tables."""
    found = {key: runs.mean(name, key) for key in (*RISK, *(panel.key for panel in PANELS))}
    values = {key: estimate.mean for key, estimate in found.items() if estimate is not None}
    if any(panel.key not in values for panel in PANELS):
        return None
    family = document.contenders[name]["family"]
    return {
        "name": name,
        "label": _label(name),
        "family": FAMILIES[family],
        "line": re.sub(r" k=\d+", "", name) if " k=" in name else "",
        "k": int(name.partition(" k=")[2].partition(",")[0] or 0),
        "risk": min(overall_risk(values), MOST_RISK),
        **{panel.key: values[panel.key] for panel in PANELS},
    }


def _label(name: str) -> str:
    """A short name for a point.

    >>> _label("segment-shuffle k=50, teacher tree"), _label("cart-synthesis, equal risk")
    ('k=50, tree', 'cart, equal risk')
    """
    short = name.replace("segment-shuffle k=", "k=").replace("teacher ", "").replace("-synthesis", "")
    return short.replace("-framework", " fw")


def _panel(panel: Panel, points: Sequence[dict[str, Any]]) -> Spec:
    rows = [_row(panel, point) for point in points]
    labels = placed_labels([Placed(r["across"] * WIDTH, (1 - r["up"]) * HEIGHT, r["label"]) for r in rows])
    for row, place in zip(rows, labels, strict=True):
        row |= {"label_x": place.x / WIDTH, "label_y": 1 - place.y / HEIGHT, "align": place.align}
        row["label"] = row["label"] if place.shown else ""
    families = [name for name in FAMILIES.values() if any(row["family"] == name for row in rows)]
    colours = {FAMILIES[family]: colour for family, colour in COLOURS.items()}
    scale = {"domain": families, "range": [colours[name] for name in families]}
    colour = {"color": word_field("family", scale=scale, legend=legend_above(families) | {"columns": 3})}
    ends = {"domain": [0, 1], "nice": False}
    shared = {
        "x": number_field(
            "across", scale=ends, title="worst risk (further left is better)", axis=_risk_axis()
        ),
        "y": number_field("up", scale=ends, title=panel.title, axis=_height_axis(panel)),
    }
    lines = {**colour, "detail": word_field("line"), "order": number_field("k")}
    text = {
        "x": number_field("label_x", scale=ends),
        "y": number_field("label_y", scale=ends),
        "text": word_field("label"),
    }
    layers = [
        layer("line", lines, "datum.line != ''", strokeWidth=1.5, opacity=0.6),
        layer("point", colour, filled=True, size=60, opacity=1),
        *(layer("text", text, f"datum.align == '{a}'", align=a, fontSize=10.5, color=MUTED) for a in ALIGNED),
    ]
    drawn = layered(layers, rows, HEIGHT, shared) | {"width": WIDTH, "data": {"values": rows}}
    del drawn["datasets"]  # panels side by side cannot have named data of their own
    return drawn


ALIGNED = ("left", "right", "center")
_RISKS = (0, 0.01, 0.03, 0.1, 0.2, 0.4, 0.7, 1)


def _row(panel: Panel, point: dict[str, Any]) -> dict[str, Any]:
    return {**point, "across": _across(point["risk"]), "up": panel.height(point[panel.key])}


def _across(risk: float) -> float:
    """Square roots give the small risks, where the contest is, room."""
    return float((risk / MOST_RISK) ** 0.5)


def _risk_axis() -> Spec:
    shown = " : ".join(f"abs(datum.value - {_across(risk):.6f}) < 1e-4 ? '{risk:g}'" for risk in _RISKS)
    values = [round(_across(risk), 6) for risk in _RISKS]
    return {"values": values, "labelExpr": f"{shown} : ''", "grid": True}


def _height_axis(panel: Panel) -> Spec:
    steps = round(abs(panel.top - panel.bottom) / 0.1)
    shown = f"format({panel.bottom} + datum.value * {panel.top - panel.bottom}, '.1f')"
    return {"values": [i / steps for i in range(steps + 1)], "labelExpr": shown, "grid": True}
