"""Ready-made charts for experiments: bars, lines, dots with printed values, histograms of runs, and two matrices.

Every chart brings its numbers as a table. `chart_layers` draws them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, log10
from textwrap import wrap
from typing import Any

from hushwood.measures.utility.correlations import Matrix
from hushwood.reports.charts.columns import heat_maps
from hushwood.reports.charts.frame import Chart, layered
from hushwood_papers.reproducing.chart_layers import (
    MARK_LINE,
    NAME_LINE,
    OURS,
    PRINTED,
    bar_layers,
    dot_layers,
    histogram_layers,
    in_order,
    line_layers,
    measured,
    value_cells,
    value_heads,
    with_interval,
)
from hushwood_papers.reproducing.comparison import shown

_HEIGHT, _HISTOGRAM = 230, 150
# Bars are vertical if they and the names below them fit on a phone, in pixels.
_NARROW, _LETTER, _THINNEST = 300, 7, 9
# Names are wrapped at this many letters.
_NAME_WIDTH, _LABEL_WIDTH = 18, 44
_BAR, _DOT_ROW = 12, 30
# The ends of long names distinguish columns; their beginnings often do not.
_COLUMN_NAME = 16
_MOST_BINS = 20


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its group, series and height, and the lowest and highest run if there are several."""

    group: str
    series: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a line, with the lowest and highest run if there are several."""

    series: str
    x: float
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """The printed values of a quantity, and our mean, lowest and highest run."""

    label: str
    printed: tuple[float, ...]
    mean: float
    low: float
    high: float


def grouped_bars(title: str, says: str, rows: Sequence[Bar], y_title: str, percent: bool = False) -> Chart:
    """Grouped bars, for instance techniques by table; horizontal if the names need the space.

    With `percent`, values are 0 to 100. A series called "printed" is grey.
    """
    unit = "%" if percent else ""
    names, groups = in_order(bar.series for bar in rows), in_order(bar.group for bar in rows)
    upright = (
        len(rows) * _THINNEST <= _NARROW and _LETTER * sum(len(group) + 2 for group in groups) <= _NARROW
    )
    width = max(map(len, groups), default=1) if upright else _NAME_WIDTH
    drawn = [
        {"group": "\n".join(wrap(bar.group, width)), "series": bar.series, **measured(bar, unit)}
        for bar in rows
    ]
    lines_of_names = max((row["group"].count("\n") + 1 for row in drawn), default=1)
    group_height = max(_BAR * len(names), NAME_LINE * lines_of_names) + NAME_LINE
    return Chart(
        title,
        with_interval(says, rows),
        layered(
            bar_layers(names, y_title, percent, upright),
            drawn,
            _HEIGHT if upright else group_height * len(groups),
        ),
        ("Group", "Series", *value_heads(y_title, rows)),
        [(bar.group, bar.series, *value_cells(bar, unit, rows)) for bar in rows],
    )


def lines(
    title: str, says: str, points: Sequence[Point], x_title: str, y_title: str, logarithmic: bool = False
) -> Chart:
    """Lines over a number, with a band from the lowest to the highest run; the vertical axis may be `logarithmic`.

    Points at or below zero cannot be on a logarithmic axis; they are in the table only.
    """
    drawn = [p for p in points if not logarithmic or _lowest(p) > 0]
    layers = line_layers(
        in_order(point.series for point in points),
        sorted({point.x for point in points}),
        x_title,
        y_title,
        _tens(drawn) if logarithmic else (),
    )
    return Chart(
        title,
        with_interval(says, points, "The pale band"),
        layered(layers, [{"series": p.series, "x": p.x, **measured(p)} for p in drawn], _HEIGHT),
        ("Line", x_title, *value_heads(y_title, points)),
        [(p.series, shown(p.x, ""), *value_cells(p, "", points)) for p in points],
    )


def dots(title: str, says: str, pairs: Sequence[Pair], x_title: str) -> Chart:
    """One line per quantity: diamonds for printed values, a dot for our mean, a line from lowest to highest run."""
    drawn: list[dict[str, Any]] = []
    names = [wrap(pair.label, _LABEL_WIDTH) for pair in pairs]
    tall = max(map(len, names), default=1)
    for name, pair in zip(names, pairs, strict=True):
        words = {
            "label": pair.label,
            "name": "\n".join([" "] * (tall - len(name)) + name),
            OURS: f"{shown(pair.mean, '')} ({shown(pair.low, '')} to {shown(pair.high, '')})",
            PRINTED: _all_shown(pair.printed),
        }
        drawn += [{**words, "kind": PRINTED, "value": value} for value in pair.printed]
        drawn.append({**words, "kind": OURS, "value": pair.mean, "low": pair.low, "high": pair.high})
    return Chart(
        title,
        f"{says} The line through our dot spans our lowest to our highest run.",
        layered(dot_layers(x_title, tall), drawn, (_DOT_ROW + NAME_LINE * tall) * len(pairs)),
        ("What", "Printed", "Ours, mean", "Lowest", "Highest"),
        [(p.label, _all_shown(p.printed), *(shown(v, "") for v in (p.mean, p.low, p.high))) for p in pairs],
    )


def strip(title: str, says: str, values: Sequence[float], marks: Mapping[str, float], x_title: str) -> Chart:
    """A histogram of our runs, with the printed values marked and named."""
    import numpy as np

    counted, edges = np.histogram(values, bins=min(_MOST_BINS, max(5, round(len(values) ** 0.5))))
    bounds = [float(edge) for edge in edges]
    bins: list[dict[str, Any]] = [
        {"from": low, "to": high, "runs": int(runs), "shown": f"{shown(low, '')} to {shown(high, '')}"}
        for low, high, runs in zip(bounds, bounds[1:], counted, strict=False)
    ]
    low, high = min([bounds[0], *marks.values()]), max([bounds[-1], *marks.values()])
    room = 0.03 * (high - low)
    height = _HISTOGRAM + MARK_LINE * len(marks)
    return Chart(
        title,
        says,
        layered(histogram_layers(x_title, (low - room, high + room), marks, height), bins, height),
        (x_title, "Runs"),
        [
            *((b["shown"], str(b["runs"])) for b in bins),
            *((f"{name}: {shown(value, '')}", "–") for name, value in marks.items()),
        ],
    )


def heat_map(
    title: str, says: str, names: Sequence[str], first: Matrix, second: Matrix, captions: tuple[str, str]
) -> Chart:
    """Two correlation matrices, for instance before and after, or printed and ours."""
    kinds = [["pearson"] * len(names)] * len(names)
    short_names = [name if len(name) <= _COLUMN_NAME else f"…{name[1 - _COLUMN_NAME :]}" for name in names]
    drawn = heat_maps({"names": short_names, "kinds": kinds, "before": first, "after": second})
    says = f"{says} The stronger the colour, the stronger the correlation; another colour or a dot marks negative ones."
    head = ("Pair", "Kind", *(caption.capitalize() for caption in captions), "Apart")
    return replace(drawn, title=title, says=says, captions=captions, head=head)


def _lowest(point: Point) -> float:
    return point.value if point.low is None else min(point.low, point.value)


def _tens(points: Sequence[Point]) -> list[float]:
    """The powers of ten around all values."""
    if not points:
        return [1.0, 10.0]
    low = floor(log10(min(_lowest(p) for p in points)))
    high = ceil(log10(max(p.value if p.high is None else p.high for p in points)))
    return [10.0**power for power in range(low, max(high, low + 1) + 1)]


def _all_shown(values: Sequence[float]) -> str:
    return ", ".join(shown(value, "") for value in values) or "–"
