"""The risk-utility map: every release that was tried, the front, and the untouched table and pure noise as corners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hushwood.measures.publishing.number_words import percent
from hushwood.reports.charts.frame import AFTER, AFTER_SOFT, BAD, BEFORE, INK, MUTED, Chart
from hushwood.reports.charts.spec_parts import (
    SHARE_AXIS,
    layer,
    layered,
    legend_above,
    number_field,
    tooltips,
    word_field,
)

CLEARED, NOT_CLEARED, SAMPLED, CORNER = "cleared", "not cleared", "compared on a sample only", "corner"
_LOOKS = {
    CLEARED: (AFTER, "circle"),
    NOT_CLEARED: (BAD, "cross"),
    SAMPLED: (AFTER_SOFT, "circle"),
    CORNER: (BEFORE, "diamond"),
}
_HEIGHT = 420
HEAD = ("Release", "Utility", "Risk, share of its limit", "Upper end", "What", "Front")


@dataclass(frozen=True, slots=True)
class MapPoint:
    """A release on the map: risks as shares of their limits, the worst of them, and the upper end of its interval."""

    label: str
    utility: float
    risk: float
    upper: float
    what: str
    front: bool = False
    winner: bool = False


def map_chart(points: Sequence[MapPoint]) -> Chart:
    """The map; risk is drawn on a square-root scale because the untouched table is far away."""
    rows = [_row(point) for point in points]
    far = max([1.5, *(point.upper for point in points)])
    scale = {"type": "sqrt", "domain": [0, far], "nice": False}
    ticks = [tick for tick in (0, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64) if tick <= far]
    x = number_field(
        "risk",
        scale=scale,
        title="worst risk, as a multiple of its limit",
        axis={"values": ticks, "grid": True, "format": "~g"},
    )
    y = number_field("utility", scale={"domain": [0, 1]}, title="utility", axis=SHARE_AXIS)
    kinds = [kind for kind in _LOOKS if any(point.what == kind for point in points)]
    colours, shapes = zip(*(_LOOKS[kind] for kind in kinds), strict=True)
    look = {
        "color": word_field("what", scale={"domain": kinds, "range": colours}, legend=legend_above(kinds)),
        "shape": word_field("what", scale={"domain": kinds, "range": shapes}),
    }
    shared = {
        "tooltip": tooltips(
            ("label", "release"),
            ("shown", "utility"),
            ("share", "risk"),
            ("high", "upper end"),
            ("what", "what"),
        )
    }
    limit = layer(
        "rule", {"x": {"datum": 1, "type": "quantitative", "scale": scale}}, color=INK, strokeDash=[5, 4]
    )
    layers = [
        limit,
        layer(
            "line",
            {"x": x, "y": y, "order": number_field("risk")},
            "datum.front",
            color=MUTED,
            strokeWidth=1.5,
        ),
        layer("rule", {"x": x, "x2": {"field": "upper"}, "y": y}, "datum.judged", color=MUTED, opacity=0.5),
        layer("point", {"x": x, "y": y, **look}, size=70, filled=True, opacity=0.9),
        layer("point", {"x": x, "y": y}, "datum.winner", shape="circle", size=260, stroke=INK, strokeWidth=2),
        layer(
            "text",
            {"x": x, "y": y, "text": word_field("label")},
            "datum.named",
            dy=-13,
            fontSize=11.5,
            color=INK,
        ),
    ]
    drawn = layered(layers, rows, _HEIGHT, shared)
    return Chart(
        "Risk and utility of everything that was tried",
        "Further up is more useful, further left is safer. Left of the dashed line every estimate is below its limit; "
        "thin lines reach to the upper end of the interval, which decides. The grey line is the front: no other "
        "release is both safer and more useful. The ring marks the release that was made.",
        drawn,
        HEAD,
        [_cells(point) for point in sorted(points, key=lambda point: -point.utility)],
    )


def _row(point: MapPoint) -> dict[str, Any]:
    return {
        "label": point.label,
        "utility": point.utility,
        "risk": point.risk,
        "upper": max(point.upper, point.risk),
        "what": point.what,
        "front": point.front,
        "winner": point.winner,
        "named": point.winner or point.what == CORNER,
        "judged": point.what in {CLEARED, NOT_CLEARED},
        "shown": percent(point.utility),
        "share": f"{point.risk:.2f}",
        "high": f"{point.upper:.2f}",
    }


def _cells(point: MapPoint) -> tuple[str, ...]:
    made = " (released)" if point.winner else ""
    on_front = "yes" if point.front else ""
    return (
        f"{point.label}{made}",
        percent(point.utility),
        f"{point.risk:.2f}",
        f"{point.upper:.2f}",
        point.what,
        on_front,
    )
