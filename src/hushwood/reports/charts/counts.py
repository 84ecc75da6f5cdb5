"""Counts of a release as charts: records by the size of their segment, and changed classes against expectation."""

from __future__ import annotations

from typing import Any

from hushwood.evaluation.release_facts import SegmentFacts
from hushwood.measures.risk.changed_classes import ClassChanges
from hushwood.reports.charts.frame import AFTER_SOFT, CARE, INK, ROW, Chart, drawn_height
from hushwood.reports.charts.spec_parts import (
    coloured_if,
    layer,
    layered,
    named_rows,
    number_field,
    tooltips,
)
from hushwood.reports.words.wording import band, count


def segment_chart(segments: SegmentFacts) -> Chart:
    """How many records are in segments of each size."""
    rows: list[dict[str, Any]] = [
        {
            "size": band(size.low, size.high),
            "records": drawn_height(size.records),
            "shown": count(size.records),
            "segments": count(size.segments),
            "small": size.low < segments.small,
        }
        for size in segments.sizes
    ]
    encoding = {
        "y": named_rows("size", "records in the segment"),
        "x": number_field("records", title="records", axis={"tickCount": 4, "grid": True}),
        "tooltip": tooltips(("size", "segment size"), ("shown", "records"), ("segments", "segments")),
        "color": coloured_if("datum.small", CARE, AFTER_SOFT),
    }
    return Chart(
        "Records by the size of their segment",
        f"Larger segments are further down. Segments of fewer than {segments.small} records are marked.",
        layered([layer("bar", encoding, cornerRadiusEnd=2, height=14)], rows, ROW * len(rows)),
        ("Segment size", "Segments", "Records"),
        [(row["size"], row["segments"], row["shown"]) for row in rows],
    )


def class_chart(changes: ClassChanges) -> Chart:
    """Changed classes, and the range of what a shuffle would change."""
    expected, changed = drawn_height(changes.expected), drawn_height(changes.changed)
    low, high = changes.usual(expected)
    shown, usual = count(changes.changed), f"{low:,.0f} to {high:,.0f}"
    row = {"low": low, "high": high, "changed": changed, "shown": shown, "usual": usual}
    scale = {"domain": [0, max(high, changed, 1.0) * 1.15]}
    across = number_field("low", scale=scale, title="records with a different class", axis={"tickCount": 5})
    layers = [
        layer("bar", {"x": across, "x2": {"field": "high"}}, color=AFTER_SOFT, height=22, cornerRadius=2),
        layer(
            "tick", {"x": number_field("changed", scale=scale)}, color=INK, thickness=3, height=34, opacity=1
        ),
    ]
    return Chart(
        "Changed classes and what to expect",
        "The band is where 19 of 20 such releases fall; the upright mark is this one.",
        layered(layers, [row], 60, {"tooltip": tooltips(("shown", "changed"), ("usual", "usual"))}),
        ("", "Records"),
        [("Changed", shown), ("Usual", usual), ("Untouched table", "none")],
    )
