"""The cost of a release against its records, as a picture: seconds and peak memory, beside Polars' copy of the file."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from document import Result
from light_colours import coloured

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

PICTURE = "benchmarks-cost.svg"
DRAWN = ("streaming_vs_polars", "huge_tables")
OURS, PEER = "Hushwood, streaming", "Polars, scan and sink"
COLOURS = {OURS: "var(--class-0)", PEER: "var(--class-5)"}
WIDTH, HEIGHT = 380, 300
ALLOWED_GB = 2.0
TITLE = "A release of 10 columns by streaming, from Parquet to Parquet, certified"


@dataclass(frozen=True)
class CostPoint:
    """Median seconds and peak gigabytes of one contender on a table of so many records."""

    who: str
    rows: int
    seconds: float
    gigabytes: float


def cost_points(results: Sequence[Result]) -> list[CostPoint]:
    """Both contenders of every line that has runs of both and names its records."""
    return [
        CostPoint(who, line.facts["rows"], statistics.median(runs), size / 1e9)
        for result in results
        if result.name in DRAWN
        for line in result.lines
        if "rows" in line.facts and line.peer_runs
        for who, runs, size in (
            (OURS, line.runs, line.peak_bytes),
            (PEER, line.peer_runs, line.peer_bytes),
        )
    ]


def picture(points: Sequence[CostPoint]) -> str:
    """Both panels as one SVG text."""
    import vl_convert

    return str(vl_convert.vegalite_to_svg(specification(points)))


def specification(points: Sequence[CostPoint]) -> Spec:
    rows = [vars(point) for point in points]
    limit = layer("rule", {"y": {"datum": ALLOWED_GB}}, strokeDash=[4, 4], color=MUTED)
    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": {"text": TITLE, "anchor": "start", "color": INK, "fontSize": 14, "fontWeight": 600},
        "hconcat": [
            _panel(rows, "seconds", {"type": "log"}, "seconds", []),
            _panel(rows, "gigabytes", {"domainMin": 0}, "peak memory in GB (dashed: the limit)", [limit]),
        ],
        "spacing": 36,
        "padding": 12,
        "config": {**CONFIG, "background": "white", "font": "sans-serif"},
    }
    resolved: Spec = coloured(spec)
    return resolved


def _panel(rows: Sequence[dict[str, Any]], field: str, scale: Spec, title: str, more: Sequence[Spec]) -> Spec:
    names = list(COLOURS)
    colours = {"domain": names, "range": list(COLOURS.values())}
    axis = {"values": sorted({row["rows"] for row in rows}), "format": "~s", "grid": True}
    shared = {
        "x": number_field("rows", scale={"type": "log"}, title="records", axis=axis),
        "y": number_field(field, scale=scale, title=title, axis={"grid": True, "format": "~g"}),
        "color": word_field("who", scale=colours, legend=legend_above(names)),
    }
    layers = [layer("line", {}, strokeWidth=2), layer("point", {}, filled=True, size=60, opacity=1)]
    drawn = layered(layers, rows, HEIGHT, shared)
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "data": {"values": list(rows)},
        "layer": [*drawn["layer"], *more],
    }
