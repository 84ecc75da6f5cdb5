"""Charts of `alone_and_linked`: what linkage finds beside what miners keep, who is alone, and what SERS sees of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2
from statistics import fmean
from typing import Any

from hushwood.experiments.alone_and_linked import alone_segments, names
from hushwood.experiments.protocol import Measured
from hushwood.experiments.reproducing.charts import Bar, Point, grouped_bars, lines
from hushwood.experiments.reproducing.comparison import shown
from hushwood.experiments.reproducing.drawn_series import coloured, in_order, own_shape
from hushwood.reports.charts import MUTED, Chart
from hushwood.reports.spec_parts import layered, legend_above, number_field, word_field

MAIN = (
    *(names.UNTOUCHED, names.F, names.FF, names.EXTENDED, names.FOREST_EXTENDED),
    *(names.GADP, names.RANDOM_EXTENDED, names.RT),
)
_HEIGHT = 300
# Most shares are small: as logarithms, but with room for zero.
_NEAR_ZERO = {"type": "symlog", "constant": 0.5, "domain": [0, 100]}
_TICKS = {"values": [0, 1, 2, 5, 10, 20, 50, 100], "grid": True}


def drawn(measured: Measured, printed: Mapping[str, Sequence[float]]) -> Sequence[Chart]:
    """One scatter for all tables, bars of linkage, lines of records alone, and SERS beside linkage."""
    linked = _bars(measured, names.LINKED)
    return [
        chart
        for chart in (
            _scatter(measured, names.EDUDS, "What miners keep, and who is linked"),
            grouped_bars(
                "Records linked",
                "Of the records whose attributes are all known but the class, so many are linked with their own.",
                linked,
                "records linked",
                percent=True,
            )
            if linked
            else None,
            _alone(measured),
            _scatter(measured, names.SERS, "What SERS sees of it", lacking=True),
            _scatter(measured, names.RI, "What H_RI sees of it", lacking=True),
        )
        if chart is not None
    ]


def _bars(measured: Measured, what: str) -> list[Bar]:
    found = []
    for table, label in names.LABELS.items():
        for way in MAIN[1:]:
            values = measured.numbers.get(names.key(table, way, what))
            if values:
                found.append(Bar(label, way, fmean(values), min(values), max(values)))
    return found


def _alone(measured: Measured) -> Chart | None:
    """The share of records alone over the number of trees."""
    points = []
    for table, label in names.LABELS.items():
        for trees in alone_segments.TREES:
            values = measured.numbers.get(alone_segments.key(table, "release", trees))
            if values:
                points.append(Point(label, trees, values[0]))
    if not points:
        return None
    return lines(
        "Records alone in their intersection",
        "The more trees, the more records have no other one to trade values with. Leaves are the release's.",
        points,
        "Trees",
        "% of records",
    )


def _scatter(measured: Measured, what: str, title: str, lacking: bool = False) -> Chart | None:
    """One point for every table and technique: a measure beside the share of records linked.

    Entropies are drawn by what is `lacking` to the highest possible one.
    """
    rows: list[dict[str, Any]] = []
    for table, label in names.LABELS.items():
        for way in MAIN:
            linked = measured.numbers.get(names.key(table, way, names.LINKED))
            values = measured.numbers.get(names.key(table, way, what))
            if linked and values:
                value = fmean(values)
                if lacking:
                    value = log2(measured.numbers[names.records_key(table)][0]) - value
                rows.append({"table": label, "series": way, "linked": fmean(linked), "value": value})
    if not rows:
        return None
    what = f"log2 n - {what}" if lacking else what
    series = in_order(str(row["series"]) for row in rows)
    legend = legend_above(series)
    points = {
        "mark": {"type": "point", "filled": True, "size": 70, "opacity": 0.9},
        "encoding": {
            "x": number_field("value", title=what, scale={"zero": False}, axis={"tickCount": 6}),
            "y": number_field("linked", title="% of records linked", scale=_NEAR_ZERO, axis=_TICKS),
            "color": coloured(series, legend, MUTED),
            "shape": own_shape(series, legend),
            "tooltip": [word_field(field) for field in ("table", "series", "linked", "value")],
        },
    }
    said = f"Every point is one table released in one way: {what} and the share of its records that linkage finds."
    cells = [
        (
            str(row["table"]),
            str(row["series"]),
            shown(float(row["value"]), ""),
            shown(float(row["linked"]), "%"),
        )
        for row in rows
    ]
    return Chart(title, said, layered([points], rows, _HEIGHT), ("Table", "Technique", what, "Linked"), cells)
