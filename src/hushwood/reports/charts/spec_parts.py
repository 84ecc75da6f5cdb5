"""Parts of Vega-Lite specifications: fields, marks, layers, tooltips and legends; all charts are made of these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hushwood.reports.charts.frame import INK, Spec

DATA = "rows"
# A legend fits into a chart on a phone: its width in pixels, those of a letter, and those of the mark next to it.
_NARROW, _LETTER, _MARK = 300, 6.6, 32
SHARE_AXIS: Spec = {"format": ".0%", "tickCount": 5, "grid": True}


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
