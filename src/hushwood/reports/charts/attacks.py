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
Pair = tuple[AttackAnswer, AttackAnswer]  # as it is shown, and as it is judged
_COLOURS: dict[Tone, str] = {"good": AFTER_SOFT, "plain": AFTER_SOFT, "care": CARE, "bad": BAD}
# What these look for is found by guessing hardly ever, so that their rates need an axis of their own.
_FINDS_PEOPLE = frozenset({"row", "parts"})
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
        ("badge", "in short"),
    ),
}


def attack_charts(
    answers: Sequence[AttackAnswer], judged: Sequence[AttackAnswer] | None = None
) -> list[Chart]:
    """Attacks that look for one record among all, and those that guess something about a person: an axis for each."""
    pairs = list(zip(answers, judged or answers, strict=True))
    finding = [pair for pair in pairs if pair[0].attack.goal in _FINDS_PEOPLE]
    guessing = [pair for pair in pairs if pair[0].attack.goal not in _FINDS_PEOPLE]
    charts = []
    if finding:
        charts.append(
            _chart("How often a person's record was found", finding, _top(finding), untouched=False)
        )
    if guessing:
        charts.append(_chart("How often a guess about a person was right", guessing, 1.0, untouched=True))
    return charts


def _top(pairs: Sequence[Pair]) -> float:
    """Where the axis of small rates ends: a little beyond all that is drawn."""
    rows = [_row(*pair) for pair in pairs]
    drawn = [float(row[key] or 0.0) for row in rows for key in ("high", "naive", "control")]
    return min(1.0, 1.1 * max(*drawn, 0.005))


def _chart(title: str, pairs: Sequence[Pair], top: float, *, untouched: bool) -> Chart:
    """One bar per attack and scenario; the untouched table is drawn only where the axis goes that far."""
    rows = [{"place": place} | _row(*pair) for place, pair in enumerate(pairs)]
    scale = {"domain": [0, top], "nice": False}
    axis = SHARE_AXIS | ({} if top > 0.2 else {"format": ".1%"})
    success = number_field("success", scale=scale, axis=axis, title="successful attempts")
    colour = word_field("colour", scale=None, legend=None)
    below: dict[str, Any] = {"yOffset": _DOWN}
    ends: dict[str, Any] = {"color": INK, "thickness": 1.5, "height": 8, **below}

    def at(field: str) -> dict[str, Any]:
        return number_field(field, scale=scale)

    layers = [
        layer("bar", {"x": success, "color": colour}, height=14, cornerRadiusEnd=2, **below),
        layer("rule", {"x": at("low"), "x2": {"field": "high"}}, color=INK, strokeWidth=1.5, **below),
        layer("tick", {"x": at("low")}, **ends),
        layer("tick", {"x": at("high")}, **ends),
        layer("tick", {"x": at("naive")}, color=INK, thickness=3, height=24, **below),
        *([_points("untouched", "diamond", at("untouched"))] if untouched else []),
        _points("control", "circle", at("control")),
        layer(
            "text",
            {"x": {"datum": 0, "scale": scale}, "text": word_field("label")},
            align="left",
            baseline="middle",
            dy=-11,
            color=INK,
            fontSize=12.5,
        ),
    ]
    beyond = "" if untouched else " The untouched table lies beyond the axis; its numbers are in the table."
    return Chart(
        title,
        "The shorter the bar, the better. An attack whose interval touches the thick upright mark is no better than "
        f"guessing.{beyond}",
        layered(layers, rows, _ROW * len(rows), _SHARED),
        ("Attack", "Success", "Interval", "Guessing", "Never in the table", "Untouched"),
        [(r["label"], r["shown"], r["interval"], r["guessed"], r["others"], r["before"]) for r in rows],
    )


def _points(field: str, shape: str, channel: dict[str, Any]) -> dict[str, Any]:
    look = {
        "shape": shape,
        "size": 70,
        "stroke": MUTED,
        "strokeWidth": 2,
        "fill": "var(--card)",
        "opacity": 1,
    }
    return layer("point", {"x": channel}, f"isValid(datum.{field})", yOffset=_DOWN, **look)


def _row(answer: AttackAnswer, judged: AttackAnswer) -> dict[str, Any]:
    words, success = attack_row(answer, judged), answer.shown_success
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
        "badge": words.badge,
        "colour": _COLOURS[words.tone],
    }
