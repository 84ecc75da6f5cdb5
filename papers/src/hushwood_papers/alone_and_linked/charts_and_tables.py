"""Charts of `alone_and_linked`, and its tables and verdicts in Markdown for docs/findings.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log2
from statistics import fmean
from typing import Any

from hushwood.reports.charts.frame import MUTED, Chart, layered, legend_above, number_field, word_field
from hushwood_papers.alone_and_linked import releases
from hushwood_papers.alone_and_linked.claims import correlation_key, signed
from hushwood_papers.protocol import Measured
from hushwood_papers.reproducing.chart_layers import coloured, in_order, own_shape
from hushwood_papers.reproducing.charts import Bar, Point, grouped_bars, lines
from hushwood_papers.reproducing.comparison import shown

MAIN = (
    *(releases.UNTOUCHED, releases.F, releases.FF, releases.EXTENDED, releases.FOREST_EXTENDED),
    *(releases.GADP, releases.RANDOM_EXTENDED, releases.RT),
)
_HEIGHT = 300
# Most shares are small: a logarithmic axis that includes zero.
_NEAR_ZERO = {"type": "symlog", "constant": 0.5, "domain": [0, 100]}
_TICKS = {"values": [0, 1, 2, 5, 10, 20, 50, 100], "grid": True}


def drawn(measured: Measured, printed: Mapping[str, Sequence[float]]) -> Sequence[Chart]:
    """Utility against linkage, bars of linkage, lines of records alone, and the entropies against linkage."""
    linked = _bars(measured, releases.LINKED)
    return [
        chart
        for chart in (
            _scatter(measured, releases.EDUDS, "Utility and linkage"),
            grouped_bars(
                "Records linked",
                "Share of records linked correctly by an intruder who knows all attributes but the class.",
                linked,
                "records linked",
                percent=True,
            )
            if linked
            else None,
            _alone(measured),
            _scatter(measured, releases.SERS, "SERS and linkage", lacking=True),
            _scatter(measured, releases.RI, "H_RI and linkage", lacking=True),
        )
        if chart is not None
    ]


def _bars(measured: Measured, what: str) -> list[Bar]:
    found = []
    for table, label in releases.LABELS.items():
        for way in MAIN[1:]:
            values = measured.numbers.get(releases.key(table, way, what))
            if values:
                found.append(Bar(label, way, fmean(values), min(values), max(values)))
    return found


def _alone(measured: Measured) -> Chart | None:
    """The share of records alone, by the number of trees."""
    points = []
    for table, label in releases.LABELS.items():
        for trees in releases.TREES:
            values = measured.numbers.get(releases.alone_key(table, "release", trees))
            if values:
                points.append(Point(label, trees, values[0]))
    if not points:
        return None
    return lines(
        "Records alone in their intersection",
        "The more trees, the more records have no other record to trade values with. Leaves are the release's.",
        points,
        "Trees",
        "% of records",
    )


def _scatter(measured: Measured, what: str, title: str, lacking: bool = False) -> Chart | None:
    """One point per table and technique: a measure against the share of records linked.

    With `lacking`, entropies are shown as the difference to the highest possible one.
    """
    rows: list[dict[str, Any]] = []
    for table, label in releases.LABELS.items():
        for way in MAIN:
            linked = measured.numbers.get(releases.key(table, way, releases.LINKED))
            values = measured.numbers.get(releases.key(table, way, what))
            if linked and values:
                value = fmean(values)
                if lacking:
                    value = log2(measured.numbers[releases.records_key(table)][0]) - value
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
    said = f"Every point is one table released by one technique: {what} against the share of records linked."
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


Numbers = Mapping[str, Sequence[float]]
# Heading, measure, digits after the point.
TABLES = (
    ("Records linked by the best of three attacks, in %", releases.LINKED, 1),
    ("Records in segments of fewer than 5, in %", releases.FEW, 1),
    ("SERS, in bits", releases.SERS, 3),
    ("H_RI, in bits, all attributes but the class known", releases.RI, 1),
    ("Cells released unchanged, in %", releases.SAME_CELLS, 0),
    ("Categories other than the class released unchanged, in %", releases.SAME_CATEGORIES, 0),
    ("EDUDS", releases.EDUDS, 2),
    ("Held-out records predicted correctly by a forest grown on the release, in %", releases.ACCURACY, 1),
)


def finding_markdown(measured: Measured) -> str:
    """All tables, each under its heading."""
    parts = [
        f"**{heading}**\n\n{_by_way(measured.numbers, what, digits)}" for heading, what, digits in TABLES
    ]
    parts.insert(1, f"**Rank correlation with linkage**\n\n{_correlations(measured.numbers)}")
    for heading, key, digits in (
        ("Records alone in their intersection, in %", releases.alone_key, 1),
        ("Intersections", releases.count_key, 0),
    ):
        parts.append(f"**{heading}**\n\n{_by_trees(measured.numbers, key, digits)}")
    return "\n\n".join(parts)


def claims_markdown(measured: Measured, says: Mapping[str, str]) -> str:
    """Every sentence of the papers with its verdict."""
    lines = []
    for name, finding in measured.claims.items():
        verdict = "Holds" if finding.holds else "Does not hold"
        lines.append(f'- "{says[name]}" **{verdict}**: {finding.numbers}.')
    return "\n".join(lines)


def _by_way(numbers: Numbers, what: str, digits: int) -> str:
    tables = _there(numbers)
    rows = []
    for way in releases.WAYS:
        cells = [_cell(numbers.get(releases.key(table, way, what)), digits) for table in tables]
        if any(cells):
            rows.append((way, *(cell or "–" for cell in cells)))
    if what == releases.LINKED:
        rows.append(
            ("blind guesser", *(f"{100 / _records(numbers, table):.{digits + 1}f}" for table in tables))
        )
    if what in releases.ENTROPIES:
        rows.append(("most possible", *(f"{log2(_records(numbers, table)):.{digits}f}" for table in tables)))
    return _table(("", *(releases.LABELS[table] for table in tables)), rows)


def _correlations(numbers: Numbers) -> str:
    tables = _there(numbers)
    rows = []
    for entropy in releases.ENTROPIES:
        found = [numbers.get(correlation_key(table, entropy)) for table in tables]
        rows.append((entropy, *(signed(one[0]) if one else "–" for one in found)))
    return _table(("", *(releases.LABELS[table] for table in tables)), rows)


def _by_trees(numbers: Numbers, key: Callable[[str, str, int], str], digits: int) -> str:
    head = ("", "leaves", *(f"{trees} tree{'s' * (trees > 1)}" for trees in releases.TREES))
    rows = []
    for table, label in releases.LABELS.items():
        for leaves in releases.LEAVES:
            found = [numbers.get(key(table, leaves, trees)) for trees in releases.TREES]
            if any(found):
                words = releases.LEAF_WORDS[leaves]
                rows.append((label, words, *(f"{one[0]:.{digits}f}" if one else "–" for one in found)))
    return _table(head, rows)


def _there(numbers: Numbers) -> list[str]:
    return [table for table in releases.LABELS if releases.records_key(table) in numbers]


def _records(numbers: Numbers, table: str) -> float:
    return numbers[releases.records_key(table)][0]


def _cell(values: Sequence[float] | None, digits: int) -> str:
    """The mean, with the lowest and highest run if they differ."""
    if not values:
        return ""
    mean, low, high = (f"{value:.{digits}f}" for value in (fmean(values), min(values), max(values)))
    return mean if low == high else f"{mean} ({low}-{high})"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
