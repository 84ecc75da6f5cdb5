"""Before and after of each column as charts: histograms for numbers, bars for categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hushwood.evaluation.distributions import CategoryCounts, Distribution, Histogram
from hushwood.reports.charts.frame import AFTER, BEFORE, ROW, Chart, Spec, drawn_height
from hushwood.reports.charts.spec_parts import layer, layered, named_rows, number_field, tooltips
from hushwood.reports.words.wording import count
from hushwood.tables.columns.value_texts import without_separators

_SMALL = 72


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
