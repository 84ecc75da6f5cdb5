"""The layers of the ready-made charts, as pieces of Vega-Lite specifications, and how series and intervals look.

Colours are the page's, in an order that people with red-green blindness can distinguish; shape and dash repeat the
distinction. `charts` says which rows are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from hushwood.reports.charts.frame import (
    AFTER,
    AFTER_SOFT,
    BEFORE,
    CARE,
    INK,
    MUTED,
    legend_above,
    number_field,
    word_field,
)
from hushwood_papers.reproducing.comparison import shown

_COLOURS = tuple(f"var(--class-{number})" for number in (2, 1, 0, 3, 4, 7, 5))
_SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
    "triangle-right",
    "triangle-left",
)
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [1, 3], [10, 4], [3, 1])
# The baseline is grey, so that the other series have the same colours in charts with and without it.
_AGAINST = ("printed", "original")


class Spread(Protocol):
    """A value with the lowest and highest run, if there are several."""

    @property
    def value(self) -> float:
        """The mean, or the only run."""

    @property
    def low(self) -> float | None:
        """The lowest run."""

    @property
    def high(self) -> float | None:
        """The highest run."""


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Every name once, in order of first appearance."""
    return tuple(dict.fromkeys(names))


def coloured(names: Sequence[str], legend: dict[str, Any], grey: str) -> dict[str, Any]:
    """The colour of a series; the printed one, or the original, is grey."""
    against = next((name for name in _AGAINST if name in names), None)
    others = iter(_COLOURS * (1 + len(names) // len(_COLOURS)))
    range_ = [grey if name == against else next(others) for name in names]
    return word_field("series", legend=legend, scale=scale_of(names, range_))


def own_shape(names: Sequence[str], legend: dict[str, Any]) -> dict[str, Any]:
    """The shape of the points of a series."""
    return word_field("series", legend=legend, scale=scale_of(names, _SHAPES))


def dashed(names: Sequence[str], legend: dict[str, Any]) -> dict[str, Any]:
    """How the line of a series is dashed."""
    return word_field("series", legend=legend, scale=scale_of(names, _DASHES))


def scale_of(names: Sequence[str], looks: Sequence[Any]) -> dict[str, Any]:
    """A scale that gives every name its look, cycling if there are more names than looks."""
    return {"domain": list(names), "range": [looks[place % len(looks)] for place in range(len(names))]}


def measured(item: Spread, unit: str = "") -> dict[str, Any]:
    """A value with its interval, if it has one, as a row of a chart."""
    row: dict[str, Any] = {"value": item.value, "shown": shown(item.value, unit)}
    if item.low is None or item.high is None:
        return row
    reach = f" ({shown(item.low, unit)} to {shown(item.high, unit)})"
    return row | {"low": item.low, "high": item.high, "shown": row["shown"] + reach}


def with_interval(says: str, items: Sequence[Spread], line: str = "The thin line") -> str:
    """What the chart says, and what its intervals are if it has any."""
    if not _any_interval(items):
        return says
    return f"{says} {line} reaches from the lowest to the highest run."


def value_heads(title: str, items: Sequence[Spread]) -> tuple[str, ...]:
    """The heads of the value columns."""
    return (title, "Lowest", "Highest") if _any_interval(items) else (title,)


def value_cells(item: Spread, unit: str, items: Sequence[Spread]) -> tuple[str, ...]:
    """A value as text, with its lowest and highest run if any value of the chart has them."""
    shown_values = (item.value, item.low, item.high) if _any_interval(items) else (item.value,)
    return tuple("–" if value is None else shown(value, unit) for value in shown_values)


def _any_interval(items: Sequence[Spread]) -> bool:
    return any(item.low is not None and item.low != item.high for item in items)


Layer = dict[str, Any]

PRINTED, OURS = "printed", "ours"
MARK_LINE, NAME_LINE = 17, 14
# A dot is closer to its own name than to the next.
_BELOW_NAME = 5
_WITH_INTERVAL = {"transform": [{"filter": "isValid(datum.low)"}]}
_OF_OURS = {"transform": [{"filter": f"datum.kind == '{OURS}'"}]}
# Up to this many places on the horizontal axis are all labelled; beyond that, Vega chooses.
_NAMED_PLACES = 12


def bar_layers(names: Sequence[str], y_title: str, percent: bool, upright: bool) -> list[Layer]:
    """Grouped bars, each with a thin line from the lowest to the highest run."""
    sign = {"labelExpr": "datum.label + ' %'"} if percent else {}
    length = {"scale": {"zero": True}, "axis": {"grid": True, "tickCount": 5} | sign}
    labels = {"labelExpr": "split(datum.value, '\\n')", "labelAngle": 0, "labelOverlap": False}
    group = word_field("group", sort=None, title=None, axis=labels, scale={"paddingInner": 0.25})
    along, across = ("y", "x") if upright else ("x", "y")
    shared = {
        across: group,
        f"{across}Offset": word_field("series", sort=list(names)),
        "tooltip": _tips("group", "series", "shown"),
    }
    value, low = (number_field(field, title=y_title, **length) for field in ("value", "low"))
    bars = {
        "mark": {"type": "bar", "cornerRadiusEnd": 2},
        "encoding": shared | {along: value, "color": coloured(names, legend_above(names), BEFORE)},
    }
    whiskers = _WITH_INTERVAL | {
        "mark": {"type": "rule", "color": INK, "strokeWidth": 1.5},
        "encoding": shared | {along: low, f"{along}2": {"field": "high"}},
    }
    return [bars, whiskers]


def line_layers(
    names: Sequence[str], places: Sequence[float], x_title: str, y_title: str, tens: Sequence[float]
) -> list[Layer]:
    """A pale band, a line and its points for every series; `tens` are the ticks of a logarithmic axis."""
    few = {"values": list(places)} if len(places) <= _NAMED_PLACES else {}
    whole = {"format": ",d"} if all(place == round(place) for place in places) else {}
    room = 0.03 * (places[-1] - places[0]) if places else 0.0
    ends = {"domain": [places[0] - room, places[-1] + room], "nice": False} if room else {}
    ways = {"axis": {"grid": False, "tickCount": 6} | few | whole, "scale": {"zero": False} | ends}
    x = number_field("x", title=x_title, **ways)
    up: dict[str, Any] = {"title": y_title, "scale": {"zero": False}, "axis": {"tickCount": 5}}
    if tens:
        scale = {"type": "log", "domain": [tens[0], tens[-1]]}
        up = {"title": f"{y_title} (logarithmic)", "scale": scale, "axis": {"values": list(tens)}}
    value, low = (number_field(field, **up) for field in ("value", "low"))
    legend = legend_above(names) | {"symbolStrokeWidth": 0}
    colour = coloured(names, legend, MUTED)
    bands = _WITH_INTERVAL | {
        "mark": {"type": "area", "opacity": 0.18},
        "encoding": {"x": x, "y": low, "y2": {"field": "high"}, "color": colour},
    }
    strokes = {
        "mark": {"type": "line", "strokeWidth": 2},
        "encoding": {"x": x, "y": value, "color": colour, "strokeDash": dashed(names, legend)},
    }
    marks = {
        "mark": {"type": "point", "filled": True, "size": 46, "opacity": 1},
        "encoding": {
            "x": x,
            "y": value,
            "color": colour,
            "shape": own_shape(names, legend),
            "tooltip": _tips("series", "x", "shown"),
        },
    }
    return [bands, strokes, marks]


def dot_layers(x_title: str, lines_of_names: int) -> list[Layer]:
    """The name of each quantity above its line, diamonds for printed values, a dot and a range for ours."""
    y = word_field("label", sort=None, axis=None)
    axis = {"grid": True, "tickCount": 5}
    x, low = (
        number_field(field, title=x_title, scale={"zero": False, "padding": 12}, axis=axis)
        for field in ("value", "low")
    )
    up = -3 - NAME_LINE * (lines_of_names - 1)
    written = {"align": "left", "baseline": "bottom", "lineBreak": "\n", "lineHeight": NAME_LINE, "dy": up}
    texts = _OF_OURS | {
        "mark": {"type": "text", "color": INK, "fontSize": 12, **written},
        "encoding": {"y": y, "x": {"value": 0}, "text": word_field("name")},
    }
    reach = _OF_OURS | {
        "mark": {"type": "rule", "color": AFTER_SOFT, "strokeWidth": 3, "yOffset": _BELOW_NAME},
        "encoding": {"y": y, "x": low, "x2": {"field": "high"}},
    }
    names = (PRINTED, OURS)
    legend = legend_above(names)
    marks = {
        "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1, "yOffset": _BELOW_NAME},
        "encoding": {
            "y": y,
            "x": x,
            "color": word_field("kind", legend=legend, scale=scale_of(names, (CARE, AFTER))),
            "shape": word_field("kind", legend=legend, scale=scale_of(names, ("diamond", "circle"))),
            "tooltip": _tips("label", PRINTED, OURS),
        },
    }
    return [reach, texts, marks]


def histogram_layers(
    x_title: str, reach: tuple[float, float], marks: Mapping[str, float], height: int
) -> list[Layer]:
    """A histogram of the runs, with the given values marked and named."""
    low, high = reach
    above = MARK_LINE * len(marks) + 4
    upward = {"scale": {"range": [height, above]}, "axis": {"tickCount": 4, "tickMinStep": 1, "format": "d"}}
    bars = {
        "mark": {"type": "rect", "color": AFTER_SOFT, "stroke": "var(--card)", "strokeWidth": 1},
        "encoding": {
            "x": number_field("from", title=x_title, scale={"domain": [low, high]}, axis={"tickCount": 6}),
            "x2": {"field": "to"},
            "y": number_field("runs", title="runs", **upward),
            "y2": {"datum": 0},
            "tooltip": [word_field("shown", title=x_title), word_field("runs", title="runs")],
        },
    }
    layers = [bars]
    for line, (name, value, leftwards) in enumerate(_sides(marks, low, high)):
        layers += _named_mark(f"{name} {shown(value, '')}", value, line, leftwards)
    return layers


def _sides(marks: Mapping[str, float], low: float, high: float) -> list[tuple[str, float, bool]]:
    """Marks from the top line of names to the bottom, and whether the name is to the left of its vertical line.

    Names of outer marks go inwards, all others one way, outer marks are higher: so no line crosses another's name.
    """
    third = (high - low) / 3
    mostly_right = sum(marks.values()) > len(marks) * (low + high) / 2
    sided = [
        (name, value, value > high - third or (mostly_right and value > low + third))
        for name, value in marks.items()
    ]
    return sorted(sided, key=lambda mark: (mark[2], -mark[1] if mark[2] else mark[1]))


def _named_mark(name: str, value: float, line: int, leftwards: bool) -> list[Layer]:
    """A vertical line with its name at the top, on one side."""
    here: Layer = {"data": {"values": [{}]}}
    rule = {"type": "rule", "color": CARE, "strokeWidth": 2}
    text = {"type": "text", "color": CARE, "baseline": "top", "fontSize": 12, "fontWeight": 600}
    side = {"align": "right", "dx": -5} if leftwards else {"align": "left", "dx": 5}
    x, y = {"datum": value, "type": "quantitative"}, {"value": line * MARK_LINE}
    return [
        here | {"mark": rule, "encoding": {"x": x, "y": y, "y2": {"value": "height"}}},
        here | {"mark": text | side, "encoding": {"x": x, "y": y, "text": {"value": name}}},
    ]


def _tips(*fields: str) -> list[dict[str, Any]]:
    return [word_field(field, title={"shown": "value"}.get(field, field)) for field in fields]
