"""The attacks as bars: how often each succeeded, with its interval and the rates to compare it with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hushwood.evaluation.answers import AttackAnswer
from hushwood.reports.charts.frame import AFTER_SOFT, BAD, CARE, INK, MUTED, Chart
from hushwood.reports.charts.spec_parts import (
    SHARE_AXIS,
    layer,
    layered,
    number_field,
    tooltips,
    word_field,
)
from hushwood.reports.release.attack_views import attack_row
from hushwood.reports.words.wording import Tone

_ROW, _DOWN = 50, 10
_COLOURS: dict[Tone, str] = {"good": AFTER_SOFT, "plain": AFTER_SOFT, "care": CARE, "bad": BAD}
_SCALE = {"domain": [0, 1]}
_SHARED = {
    "y": {
        "field": "place",
        "type": "ordinal",
        "axis": None,
        "scale": {"paddingInner": 0.1, "paddingOuter": 0.1},
    },
    "tooltip": tooltips(
        ("label", "attack"),
        ("shown", "success"),
        ("interval", "interval"),
        ("guessed", "guessing"),
        ("others", "never in the table"),
        ("before", "untouched"),
        ("noise", "pure noise"),
        ("verdict", "verdict"),
    ),
}


def attack_chart(answers: Sequence[AttackAnswer]) -> Chart:
    """One bar per attack and scenario."""
    rows = [{"place": place} | _row(answer) for place, answer in enumerate(answers)]
    success = number_field("success", scale=_SCALE, axis=SHARE_AXIS, title="successful attempts")
    colour = word_field("colour", scale=None, legend=None)
    below: dict[str, Any] = {"yOffset": _DOWN}
    ends: dict[str, Any] = {"color": INK, "thickness": 1.5, "height": 8, **below}
    layers = [
        layer("bar", {"x": success, "color": colour}, height=14, cornerRadiusEnd=2, **below),
        layer("rule", {"x": _at("low"), "x2": {"field": "high"}}, color=INK, strokeWidth=1.5, **below),
        layer("tick", {"x": _at("low")}, **ends),
        layer("tick", {"x": _at("high")}, **ends),
        layer("tick", {"x": _at("naive")}, color=INK, thickness=3, height=24, **below),
        _points("untouched", "diamond"),
        _points("control", "circle"),
        layer(
            "text",
            {"x": {"datum": 0, "scale": _SCALE}, "text": word_field("label")},
            align="left",
            baseline="middle",
            dy=-11,
            color=INK,
            fontSize=12.5,
        ),
    ]
    return Chart(
        "How often each attack succeeded",
        "The shorter the bar, the better. An attack whose interval touches the thick upright mark is no better than "
        "guessing.",
        layered(layers, rows, _ROW * len(rows), _SHARED),
        ("Attack", "Success", "Interval", "Guessing", "Never in the table", "Untouched"),
        [(r["label"], r["shown"], r["interval"], r["guessed"], r["others"], r["before"]) for r in rows],
    )


def _at(field: str) -> dict[str, Any]:
    return number_field(field, scale=_SCALE)


def _points(field: str, shape: str) -> dict[str, Any]:
    look = {
        "shape": shape,
        "size": 70,
        "stroke": MUTED,
        "strokeWidth": 2,
        "fill": "var(--card)",
        "opacity": 1,
    }
    return layer("point", {"x": _at(field)}, f"isValid(datum.{field})", yOffset=_DOWN, **look)


def _row(answer: AttackAnswer) -> dict[str, Any]:
    words, success = attack_row(answer), answer.shown_success
    low, high = answer.interval or (success, success)
    return {
        "label": words.label,
        "success": success,
        "low": low,
        "high": high,
        "naive": answer.naive,
        "control": answer.control,
        "untouched": answer.untouched,
        "shown": words.success,
        "interval": words.interval,
        "guessed": words.naive,
        "others": words.control,
        "before": words.untouched,
        "noise": words.noise,
        "verdict": words.verdict,
        "colour": _COLOURS[words.tone],
    }
