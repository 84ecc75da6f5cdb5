"""Columns before and after as charts: histograms, bars of categories, correlations, classes and segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hushwood.evaluation.distributions import CategoryCounts, Distribution, Histogram
from hushwood.evaluation.release_facts import SegmentFacts
from hushwood.measures.risk.changed_classes import ClassDetails, usual_changes
from hushwood.measures.utility.correlations import Matrices, Matrix
from hushwood.reports.charts.frame import (
    AFTER,
    AFTER_SOFT,
    BEFORE,
    CARE,
    INK,
    ROW,
    Chart,
    Spec,
    coloured_if,
    drawn_height,
    layer,
    layered,
    named_rows,
    number_field,
    tooltips,
    word_field,
)
from hushwood.reports.wording import band, count
from hushwood.tables.columns.value_texts import without_separators

_SMALL = 72
MINUS, PLUS = "var(--minus)", "var(--plus)"
_KINDS = {"pearson": "Pearson's r", "eta": "correlation ratio", "cramers_v": "Cramér's V"}
# More columns than this are too small for numbers inside the cells, or for a label each.
_NUMBERED, _LABELLED = 8, 30
_MOST_ROWS = 200


def distribution_chart(entry: Distribution, *, years: bool = False) -> Chart:
    """Before and after of one column; years are written without separators."""
    if years and entry.histogram is not None:
        labels = tuple(without_separators(label) for label in entry.histogram.labels)
        entry = replace(entry, histogram=replace(entry.histogram, labels=labels))
    if entry.histogram is not None:
        key, head = "values", "Values"
        rows, spec = _histogram(entry.histogram, entry.storage)
    else:
        key, head = "category", "Category"
        rows, spec = _categories(entry.counts or CategoryCounts((), 0, (), (), (0, 0)))
    what = "class" if entry.role == "class" else f"{entry.kind} column"
    return Chart(
        entry.column,
        f"Number of records by value of the {what} {entry.column}, before and after.",
        spec,
        (head, "Before", "After"),
        [(row[key], row["before_shown"], row["after_shown"]) for row in rows],
    )


def small_chart(entry: Distribution, says: str, *, years: bool = False) -> Chart:
    """The same numbers as columns in a small space, without axes: enough to see that something moved."""
    whole = distribution_chart(entry, years=years)
    rows = [
        {"place": place, "value": name, "before_shown": before, "after_shown": after} | heights
        for place, ((name, before, after), heights) in enumerate(
            zip(whole.rows, _heights(entry), strict=True)
        )
    ]
    shared = {
        "x": {"field": "place", "type": "ordinal", "axis": None, "scale": {"paddingInner": 0.15}},
        "tooltip": _tooltip("value"),
    }
    up = number_field("before", axis=None)
    layers = [
        layer("bar", {"y": up}, color=BEFORE),
        layer("tick", {"y": number_field("after", axis=None)}, color=AFTER, thickness=2.5, opacity=1),
    ]
    return Chart(
        entry.column, f"{whole.says} {says}.", layered(layers, rows, _SMALL, shared), whole.head, whole.rows
    )


def _heights(entry: Distribution) -> list[dict[str, float]]:
    found = entry.histogram or entry.counts
    sides = (found.before, found.after) if found else ((), ())
    pairs = [*zip(*sides, strict=True)]
    if entry.counts is not None and any(number != 0 for number in entry.counts.missing):
        pairs.append((entry.counts.missing[0], entry.counts.missing[1]))
    return [{"before": drawn_height(before), "after": drawn_height(after)} for before, after in pairs]


def _histogram(found: Histogram, storage: str) -> tuple[list[dict[str, Any]], Spec]:
    temporal = storage.startswith("Date")
    # Vega counts milliseconds.
    unit = (86_400_000.0 if storage == "Date" else 1000.0) if temporal else 1.0
    bins = zip(found.edges, found.edges[1:], found.labels, found.before, found.after, strict=False)
    rows = [
        {"low": low * unit, "high": high * unit, "values": label} | _both(before, after)
        for low, high, label, before, after in bins
    ]
    large = max(map(abs, found.edges), default=0.0) >= 10_000
    axis = {"tickCount": 5} | ({} if temporal else {"format": "~s" if large else "~r"})
    across = number_field("low", title=None, scale={"zero": False, "nice": False}, axis=axis)
    shared = {
        "x": across | ({"type": "temporal"} if temporal else {}),
        "x2": {"field": "high"},
        "tooltip": _tooltip("values"),
    }
    up = number_field("before", title="records", axis={"tickCount": 3})
    layers = [
        layer("bar", {"y": up, "y2": {"datum": 0}}, color=BEFORE, binSpacing=1),
        layer("rule", {"y": number_field("after")}, color=AFTER, strokeWidth=2.5, strokeCap="round"),
    ]
    return rows, layered(layers, rows, 130, shared)


def _categories(found: CategoryCounts) -> tuple[list[dict[str, Any]], Spec]:
    pooled = len(found.before) > len(found.categories)
    names = [*found.categories, *([_others(found.others)] if pooled else [])]
    rows = [
        {"category": name} | _both(before, after)
        for name, before, after in zip(names, found.before, found.after, strict=True)
    ]
    if any(number != 0 for number in found.missing):
        rows.append({"category": "(missing)"} | _both(*found.missing))
    across = number_field("before", title="records", axis={"tickCount": 4, "grid": False})
    layers = [
        layer("bar", {"x": across}, color=BEFORE, height=18),
        layer("tick", {"x": number_field("after")}, color=AFTER, thickness=3, height=20, opacity=1),
    ]
    shared = {"y": named_rows("category", labelLimit=120), "tooltip": _tooltip("category")}
    return rows, layered(layers, rows, ROW * max(len(rows), 1), shared)


def _both(before: int | None, after: int | None) -> dict[str, Any]:
    return {
        "before": drawn_height(before),
        "after": drawn_height(after),
        "before_shown": count(before),
        "after_shown": count(after),
    }


def _tooltip(key: str) -> Sequence[Spec]:
    return tooltips((key, key), ("before_shown", "before"), ("after_shown", "after"))


def _others(number: int) -> str:
    return "(1 other)" if number == 1 else f"({number:,} others)"


def column_chart(entry: Distribution) -> Chart:
    """The values of a column; both sides of the entry are the same."""
    both = distribution_chart(entry)
    spec: Spec = {
        **both.spec,
        "layer": [_in_front(one) for one in both.spec["layer"] if one["mark"].get("color") != AFTER],
    }
    rows = [row[:2] for row in both.rows]
    return Chart(entry.column, "", spec, (both.head[0], "Records"), rows)


def _in_front(layer: Spec) -> dict[str, Any]:
    """What is grey next to a release has a colour where it stands alone."""
    colour = AFTER_SOFT if layer["mark"].get("color") == BEFORE else layer["mark"].get("color")
    shown = [one for one in layer["encoding"].get("tooltip", ()) if one["field"] != "after_shown"]
    named = [{**one, "title": "records"} if one["field"] == "before_shown" else one for one in shown]
    return {
        **layer,
        "mark": {**layer["mark"], "color": colour},
        "encoding": {**layer["encoding"], "tooltip": named},
    }


def heat_maps(found: Matrices) -> Chart:
    """Both matrices of coefficients."""
    return Chart(
        "Correlations before and after",
        "Each square is a pair of columns; the stronger the colour, the stronger their correlation. The two should "
        "look alike.",
        _map(found, found["before"]),
        ("Pair", "Kind", "Before", "After", "Change"),
        _rows(found),
        second=_map(found, found["after"]),
        captions=("before", "after"),
    )


def _map(found: Matrices, matrix: Matrix) -> Spec:
    names, kinds = found["names"], found["kinds"]
    places = range(len(names))
    cells = [_cell(names[i], names[j], matrix[i][j], kinds[i][j]) for i in places for j in places if i != j]
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
    names, before, after, kinds = found["names"], found["before"], found["after"], found["kinds"]
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


def segment_chart(segments: SegmentFacts) -> Chart:
    """How many records are in segments of each size."""
    rows: list[dict[str, Any]] = [
        {
            "size": band(size.low, size.high),
            "records": drawn_height(size.records),
            "shown": count(size.records),
            "segments": count(size.segments),
            "small": size.low < segments.small,
        }
        for size in segments.sizes
    ]
    encoding = {
        "y": named_rows("size", "records in the segment"),
        "x": number_field("records", title="records", axis={"tickCount": 4, "grid": True}),
        "tooltip": tooltips(("size", "segment size"), ("shown", "records"), ("segments", "segments")),
        "color": coloured_if("datum.small", CARE, AFTER_SOFT),
    }
    return Chart(
        "Records by the size of their segment",
        f"Larger segments are further down. Segments of fewer than {segments.small} records are marked.",
        layered([layer("bar", encoding, cornerRadiusEnd=2, height=14)], rows, ROW * len(rows)),
        ("Segment size", "Segments", "Records"),
        [(row["size"], row["segments"], row["shown"]) for row in rows],
    )


def class_chart(changes: ClassDetails) -> Chart:
    """Changed classes, and the range of what a shuffle would change."""
    expected, changed = drawn_height(changes["expected"]), drawn_height(changes["changed"])
    low, high = usual_changes(changes, expected)
    shown, usual = count(changes["changed"]), f"{low:,.0f} to {high:,.0f}"
    row = {"low": low, "high": high, "changed": changed, "shown": shown, "usual": usual}
    scale = {"domain": [0, max(high, changed, 1.0) * 1.15]}
    across = number_field("low", scale=scale, title="records with a different class", axis={"tickCount": 5})
    layers = [
        layer("bar", {"x": across, "x2": {"field": "high"}}, color=AFTER_SOFT, height=22, cornerRadius=2),
        layer(
            "tick", {"x": number_field("changed", scale=scale)}, color=INK, thickness=3, height=34, opacity=1
        ),
    ]
    return Chart(
        "Changed classes and what to expect",
        "The band is where 19 of 20 such releases fall; the upright mark is this one.",
        layered(layers, [row], 60, {"tooltip": tooltips(("shown", "changed"), ("usual", "usual"))}),
        ("", "Records"),
        [("Changed", shown), ("Usual", usual), ("Untouched table", "none")],
    )
