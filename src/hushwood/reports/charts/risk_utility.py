"""The risk-utility map: every release that was tried, the front, and the untouched table and pure noise as corners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hushwood.measures.publishing import percent
from hushwood.reports.charts.frame import (
    AFTER,
    AFTER_SOFT,
    BAD,
    BEFORE,
    INK,
    MUTED,
    SHARE_AXIS,
    Chart,
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
_NEAREST = 1.5  # times the limit: so far the axis goes at least
_TICKS = (0, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64)
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
    kinds = [kind for kind in _LOOKS if any(point.what == kind for point in points)]
    far = max([_NEAREST, *(point.upper for point in points)])
    shown = (
        ("label", "release"),
        ("shown", "utility"),
        ("share", "risk"),
        ("high", "upper end"),
        ("what", "what"),
    )
    return Chart(
        "Risk and utility of everything that was tried",
        "Further up is more useful, further left is safer. Left of the dashed line every estimate is below its limit; "
        "thin lines reach to the upper end of the interval, which decides. The grey line is the front: on the "
        "records that both were tried on, no other release is safer and more useful. The ring marks the release that "
        "was made.",
        layered(_layers(far, kinds), rows, _HEIGHT, {"tooltip": tooltips(*shown)}),
        HEAD,
        [_cells(point) for point in sorted(points, key=lambda point: -point.utility)],
    )


def _layers(far: float, kinds: Sequence[str]) -> list[dict[str, Any]]:
    """The limit, the front, the upper ends, the points, the ring and the names."""
    scale = {"type": "sqrt", "domain": [0, far], "nice": False}
    axis = {"values": [tick for tick in _TICKS if tick <= far], "grid": True, "format": "~g"}
    place = {
        "x": number_field("risk", scale=scale, title="worst risk, as a multiple of its limit", axis=axis),
        "y": number_field("utility", scale={"domain": [0, 1]}, title="utility", axis=SHARE_AXIS),
    }
    colours, shapes = zip(*(_LOOKS[kind] for kind in kinds), strict=True)
    look = {
        "color": word_field("what", scale={"domain": kinds, "range": colours}, legend=legend_above(kinds)),
        "shape": word_field("what", scale={"domain": kinds, "range": shapes}),
    }
    limit = {"x": {"datum": 1, "type": "quantitative", "scale": scale}}
    front = {**place, "order": number_field("risk")}
    named = {**place, "text": word_field("label")}
    return [
        layer("rule", limit, color=INK, strokeDash=[5, 4]),
        layer("line", front, "datum.front", color=MUTED, strokeWidth=1.5),
        layer("rule", {**place, "x2": {"field": "upper"}}, "datum.judged", color=MUTED, opacity=0.5),
        layer("point", {**place, **look}, size=70, filled=True, opacity=0.9),
        layer("point", place, "datum.winner", shape="circle", size=260, stroke=INK, strokeWidth=2),
        layer("text", named, "datum.named", dy=-13, fontSize=11.5, color=INK),
    ]


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
