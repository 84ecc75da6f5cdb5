"""Correlations of all pairs of columns, before and after, as two heat maps side by side.

The strength is drawn as opacity over one colour for each sign, so that the page's colours fit light and dark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hushwood.reports.charts import DATA, INK, Chart, finished, tooltips

if TYPE_CHECKING:
    import altair as alt

Matrix = Sequence[Sequence[float | None]]

MINUS, PLUS = "var(--minus)", "var(--plus)"
KINDS = {"pearson": "Pearson's r", "eta": "correlation ratio", "cramers_v": "Cramér's V"}
# More columns than this are too small for numbers inside the cells, or for a label each.
_NUMBERED, _LABELLED = 8, 30
_MOST_ROWS = 200


def heat_maps(details: Mapping[str, Any]) -> Chart:
    """Both matrices of the correlations measure."""
    names = details["names"]
    return Chart(
        "Correlations before and after",
        "Each square is a pair of columns; the stronger the colour, the more closely they go together. The two should "
        "look alike.",
        _map(names, details["before"], details["kinds"]),
        ("Pair", "Kind", "Before", "After", "Change"),
        _rows(names, details),
        beside=_map(names, details["after"], details["kinds"]),
        captions=("before", "after"),
    )


def change_sentence(details: Mapping[str, Any]) -> str:
    """How much pairs of columns changed on average, over the whole table and inside segments."""
    mean, inside = details.get("mean_change"), details.get("within_segments")
    said = (
        "" if mean is None else f"On average over all pairs of columns, the strength changed by {mean:.2f}."
    )
    if inside:
        said += (
            f" Inside the segments, where the noise is made, correlations of numbers changed by "
            f"{inside['mean_change']:.2f}."
        )
    return said.strip()


def _map(names: Sequence[str], matrix: Matrix, kinds: Sequence[Sequence[str]]) -> dict[str, Any]:
    import altair as alt

    places = range(len(names))
    cells = [_cell(names[i], names[j], matrix[i][j], kinds[i][j]) for i in places for j in places if i != j]
    labelled = len(names) <= _LABELLED
    scale = alt.Scale(domain=list(names))
    base = alt.Chart(alt.NamedData(DATA)).encode(
        x=alt.X("second:N", scale=scale, title=None, axis=_axis(labelled, labelAngle=-90)),
        y=alt.Y("first:N", scale=scale, title=None, axis=_axis(labelled)),
        tooltip=tooltips(
            ("first", "first"), ("second", "second"), ("shown", "strength"), ("kind", "measured as")
        ),
    )
    squares = base.mark_rect(stroke="var(--line)", strokeWidth=0.5).encode(
        color=alt.when("datum.negative").then(alt.value(MINUS)).otherwise(alt.value(PLUS)),
        fillOpacity=alt.FillOpacity(
            "strength:Q", scale=alt.Scale(domain=[0, 1], range=[0.03, 1]), legend=None
        ),
    )
    layers = [squares]
    if len(names) <= _NUMBERED:
        layers.append(base.mark_text(fontSize=10.5, color=INK).encode(text="short:N"))
    else:
        dots = base.transform_filter("datum.negative").mark_point(
            filled=True, size=10, color=INK, opacity=0.9
        )
        layers.append(dots)
    return finished(alt.layer(*layers), cells, max(180, min(26 * len(names), 520)))


def _cell(first: str, second: str, value: float | None, kind: str) -> dict[str, Any]:
    return {
        "first": first,
        "second": second,
        "strength": abs(value or 0.0),
        "negative": (value or 0.0) < 0,
        "shown": _text(value),
        "short": _text(value, 1),
        "kind": KINDS.get(kind, kind),
    }


def _axis(labelled: bool, **more: Any) -> alt.Axis:
    import altair as alt

    return alt.Axis(
        labels=labelled,
        labelLimit=90,
        labelOverlap=False,
        labelFontSize=11,
        ticks=False,
        domain=False,
        **more,
    )


def _rows(names: Sequence[str], details: Mapping[str, Any]) -> list[tuple[str, str, str, str, str]]:
    """All pairs, those that changed most first."""
    before, after, kinds = details["before"], details["after"], details["kinds"]
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
            KINDS.get(kinds[i][j], kinds[i][j]),
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
