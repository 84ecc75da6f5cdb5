"""What a chart is: a Vega-Lite specification with the same numbers as a plain table, in the page's colours.

Colours are CSS variables of the page, so that light, dark and print need no second drawing. The parts of specifications
are here, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hushwood.measures.publishing import SMALL

Spec = dict[str, Any]  # Vega-Lite, or a part of it
BEFORE, AFTER, AFTER_SOFT, CARE, BAD, INK, MUTED = (
    f"var(--{name})" for name in ("before", "after", "after-soft", "care", "bad", "ink", "muted")
)
ROW = 26

CONFIG: Spec = {
    "background": "transparent",
    "font": "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
    "aria": False,
    "view": {"stroke": None},
    "axis": {
        "labelColor": MUTED,
        "titleColor": MUTED,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "labelOverlap": "greedy",
        "labelSeparation": 6,
        "titleFontSize": 12,
        "gridColor": "var(--line)",
        "domainColor": "var(--line-strong)",
        "tickColor": "var(--line-strong)",
    },
    "axisY": {"domain": False, "ticks": False},
    "axisX": {"grid": False},
}
DATA = "rows"
# A legend fits into a chart on a phone: its width in pixels, those of a letter, and those of the mark next to it.
_NARROW, _LETTER, _MARK = 300, 6.6, 32
SHARE_AXIS: Spec = {"format": ".0%", "tickCount": 5, "grid": True}


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: its title, what it shows in a sentence, its specification, and its numbers as a table.

    `second` is another picture of the same kind, to be read side by side with the first; `captions` name the two.
    """

    title: str
    says: str
    spec: Spec
    head: Sequence[str]
    rows: Sequence[Sequence[str]] = field(default_factory=tuple)
    second: Spec | None = None
    captions: tuple[str, str] = ("", "")


def drawn_height(number: float | None) -> float:
    """How tall a count is drawn; a withheld one, of one to four, stands in the middle of that range."""
    return SMALL / 2 if number is None else number


def number_field(field: str, **how: Any) -> dict[str, Any]:
    """A channel that shows a field of numbers."""
    return {"field": field, "type": "quantitative", **how}


def word_field(field: str, **how: Any) -> dict[str, Any]:
    """A channel that shows a field of words."""
    return {"field": field, "type": "nominal", **how}


def named_rows(field: str, title: str | None = None, **axis: Any) -> dict[str, Any]:
    """A channel with one row per word, in the order of the data."""
    return word_field(field, sort=None, title=title, **({"axis": axis} if axis else {}))


def tooltips(*shown: tuple[str, str]) -> list[dict[str, Any]]:
    """What is shown where the mouse rests: fields of the rows, each with a title."""
    return [word_field(field, title=title) for field, title in shown]


def coloured_if(test: str, colour: str, otherwise: str) -> dict[str, Any]:
    """A colour for the rows that pass a test, and one for all others."""
    return {"condition": {"test": test, "value": colour}, "value": otherwise}


def layer(mark: str, encoding: Spec, only: str = "", **how: Any) -> dict[str, Any]:
    """Marks of one kind, of all rows or only of those that pass a test."""
    filtered = {"transform": [{"filter": only}]} if only else {}
    return {**filtered, "mark": {"type": mark, **how}, "encoding": dict(encoding)}


def layered(
    layers: Sequence[Spec], rows: Sequence[Spec], height: int, shared: Spec | None = None
) -> dict[str, Any]:
    """Layers over the same rows, as wide as the box they are put into; each has the `shared` channels too."""
    drawn = [{**one, "encoding": {**(shared or {}), **one["encoding"]}} for one in layers]
    sized = {"width": "container", "height": height}
    return {"layer": drawn, "data": {"name": DATA}, "datasets": {DATA: list(rows)}, **sized}


def legend_above(names: Sequence[str]) -> dict[str, Any]:
    """A legend above the chart, in as many columns as a phone has room for."""
    longest = max(map(len, names), default=0)
    columns = int(_NARROW // (_LETTER * longest + _MARK))
    shown = {"labelColor": INK, "labelFontSize": 12, "labelLimit": _NARROW - _MARK, "symbolOpacity": 1}
    return {"orient": "top", "title": None, "columns": min(max(columns, 1), len(names) or 1), **shown}
