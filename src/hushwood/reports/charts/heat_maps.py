"""Correlations of all pairs of columns, before and after, as two heat maps side by side.

The strength is drawn as opacity over one colour for each sign, so that the page's colours fit light and dark.
"""

from __future__ import annotations

from typing import Any

from hushwood.measures.utility.correlations import Matrices, Matrix
from hushwood.reports.charts.frame import INK, Chart, Spec
from hushwood.reports.charts.spec_parts import (
    coloured_if,
    layer,
    layered,
    number_field,
    tooltips,
    word_field,
)

MINUS, PLUS = "var(--minus)", "var(--plus)"
_KINDS = {"pearson": "Pearson's r", "eta": "correlation ratio", "cramers_v": "Cramér's V"}
# More columns than this are too small for numbers inside the cells, or for a label each.
_NUMBERED, _LABELLED = 8, 30
_MOST_ROWS = 200


def heat_maps(found: Matrices) -> Chart:
    """Both matrices of coefficients."""
    return Chart(
        "Correlations before and after",
        "Each square is a pair of columns; the stronger the colour, the stronger their correlation. The two should "
        "look alike.",
        _map(found, found.before),
        ("Pair", "Kind", "Before", "After", "Change"),
        _rows(found),
        second=_map(found, found.after),
        captions=("before", "after"),
    )


def _map(found: Matrices, matrix: Matrix) -> Spec:
    names, places = found.names, range(len(found.names))
    cells = [
        _cell(names[i], names[j], matrix[i][j], found.kinds[i][j]) for i in places for j in places if i != j
    ]
    axis = {
        "labels": len(names) <= _LABELLED,
        "labelLimit": 90,
        "labelOverlap": False,
        "labelFontSize": 11,
        "ticks": False,
        "domain": False,
    }
    scale = {"domain": list(names)}
    shared = {
        "x": word_field("second", scale=scale, title=None, axis={**axis, "labelAngle": -90}),
        "y": word_field("first", scale=scale, title=None, axis=axis),
        "tooltip": tooltips(
            ("first", "first"), ("second", "second"), ("shown", "correlation"), ("kind", "measured as")
        ),
    }
    opacity = number_field("strength", scale={"domain": [0, 1], "range": [0.03, 1]}, legend=None)
    filled = {"color": coloured_if("datum.negative", MINUS, PLUS), "fillOpacity": opacity}
    squares = layer("rect", filled, stroke="var(--line)", strokeWidth=0.5)
    if len(names) <= _NUMBERED:
        signs = layer("text", {"text": word_field("short")}, fontSize=10.5, color=INK)
    else:
        signs = layer("point", {}, "datum.negative", filled=True, size=10, color=INK, opacity=0.9)
    return layered([squares, signs], cells, max(180, min(26 * len(names), 520)), shared)


def _cell(first: str, second: str, value: float | None, kind: str) -> dict[str, Any]:
    return {
        "first": first,
        "second": second,
        "strength": abs(value or 0.0),
        "negative": (value or 0.0) < 0,
        "shown": _text(value),
        "short": _text(value, 1),
        "kind": _KINDS.get(kind, kind),
    }


def _rows(found: Matrices) -> list[tuple[str, str, str, str, str]]:
    """All pairs, those that changed most first."""
    names, before, after, kinds = found.names, found.before, found.after, found.kinds
    pairs = [
        (abs((before[i][j] or 0.0) - (after[i][j] or 0.0)), i, j)
        for i in range(len(names))
        for j in range(i + 1, len(names))
        if before[i][j] is not None or after[i][j] is not None
    ]
    pairs.sort(key=lambda pair: -pair[0])
    return [
        (
            f"{names[i]} and {names[j]}",
            _KINDS.get(kinds[i][j], kinds[i][j]),
            _text(before[i][j]),
            _text(after[i][j]),
            f"{change:.2f}",
        )
        for change, i, j in pairs[:_MOST_ROWS]
    ]


def _text(value: float | None, places: int = 2) -> str:
    """A coefficient; a dash where it does not exist.

    >>> _text(-0.031), _text(None), _text(-0.001)
    ('-0.03', '–', '0.00')
    """
    return "–" if value is None else f"{round(value, places) + 0.0:.{places}f}"
