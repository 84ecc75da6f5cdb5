"""Pieces of Vega-Lite specifications that are written out: fields, layers, legends.

Charts that are made so need no Altair, which takes a while to load. What a chart is, is in `charts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hushwood.reports.charts import DATA, INK

# A legend fits into a chart on a phone: so many pixels, so many for a letter, so many for the mark beside it.
_NARROW, _LETTER, _MARK = 300, 6.6, 32


def number_field(field: str, **how: Any) -> dict[str, Any]:
    """A channel that shows a field of numbers."""
    return {"field": field, "type": "quantitative", **how}


def word_field(field: str, **how: Any) -> dict[str, Any]:
    """A channel that shows a field of words."""
    return {"field": field, "type": "nominal", **how}


def layered(
    layers: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]], height: int
) -> dict[str, Any]:
    """Layers over the same rows, as wide as the box they are put into."""
    sized = {"width": "container", "height": height}
    return {"layer": list(layers), "data": {"name": DATA}, "datasets": {DATA: list(rows)}, **sized}


def legend_above(names: Sequence[str]) -> dict[str, Any]:
    """A legend over the chart, in as many columns as a phone has room for."""
    longest = max(map(len, names), default=0)
    columns = int(_NARROW // (_LETTER * longest + _MARK))
    shown = {"labelColor": INK, "labelFontSize": 12, "labelLimit": _NARROW - _MARK, "symbolOpacity": 1}
    return {"orient": "top", "title": None, "columns": min(max(columns, 1), len(names) or 1), **shown}
