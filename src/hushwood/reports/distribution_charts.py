"""Before and after of each column as charts: histograms for numbers, bars for categories.

What a chart is, and the others of the report, are in `charts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hushwood.reports.charts import AFTER, BEFORE, DATA, ROW, Chart, drawn_height, finished, tooltips
from hushwood.reports.wording import count

if TYPE_CHECKING:
    import altair as alt


def distribution_chart(entry: Mapping[str, Any]) -> Chart:
    """Before and after of one column."""
    return _histogram(entry) if entry["kind"] == "numeric" else _categories(entry)


def _histogram(entry: Mapping[str, Any]) -> Chart:
    import altair as alt

    temporal = entry["storage"].startswith("Date")
    rows = _bins(entry, _milliseconds(entry["storage"]) if temporal else 1.0)
    x = alt.X(
        "low:T" if temporal else "low:Q",
        title=None,
        scale=alt.Scale(zero=False, nice=False),
        axis=_value_axis(entry["edges"], temporal),
    )
    y = alt.Y("before:Q", title="records", axis=alt.Axis(tickCount=3))
    base = alt.Chart(alt.NamedData(DATA)).encode(x=x, x2="high", tooltip=_tooltip("values"))
    filled = base.mark_bar(color=BEFORE, binSpacing=1).encode(y=y, y2=alt.datum(0))
    line = base.mark_rule(color=AFTER, strokeWidth=2.5, strokeCap="round").encode(y="after:Q")
    return _before_after(entry, rows, finished(alt.layer(filled, line), rows, 130), "values")


def _milliseconds(storage: str) -> float:
    return 86_400_000.0 if storage == "Date" else 1000.0


def _bins(entry: Mapping[str, Any], scale: float) -> list[dict[str, Any]]:
    limits = zip(entry["edges"][:-1], entry["edges"][1:], entry["labels"], strict=True)
    counts = zip(entry["before"], entry["after"], strict=True)
    return [
        {"low": low * scale, "high": high * scale, "values": label} | _both(before, after)
        for (low, high, label), (before, after) in zip(limits, counts, strict=True)
    ]


def _both(before: int | None, after: int | None) -> dict[str, Any]:
    return {
        "before": drawn_height(before),
        "after": drawn_height(after),
        "before_shown": count(before),
        "after_shown": count(after),
    }


def _categories(entry: Mapping[str, Any]) -> Chart:
    import altair as alt

    pooled = len(entry["before"]) > len(entry["categories"])
    names = [*entry["categories"], *([_others(entry["others"])] if pooled else [])]
    triples = list(zip(names, entry["before"], entry["after"], strict=True))
    if any(n != 0 for n in entry["missing"]):
        triples.append(("(missing)", *entry["missing"]))
    rows = [{"category": name} | _both(before, after) for name, before, after in triples]
    base = alt.Chart(alt.NamedData(DATA)).encode(
        y=alt.Y("category:N", sort=None, title=None, axis=alt.Axis(labelLimit=120)),
        tooltip=_tooltip("category"),
    )
    filled = base.mark_bar(color=BEFORE, height=18).encode(
        x=alt.X("before:Q", title="records", axis=alt.Axis(tickCount=4, grid=False))
    )
    line = base.mark_tick(color=AFTER, thickness=3, height=20, opacity=1).encode(x="after:Q")
    return _before_after(
        entry, rows, finished(alt.layer(filled, line), rows, ROW * max(len(rows), 1)), "category"
    )


def _before_after(
    entry: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], spec: dict[str, Any], key: str
) -> Chart:
    said = "class" if entry["role"] == "class" else f"{entry['kind']} column"
    return Chart(
        entry["column"],
        f"Number of records by value of the {said} {entry['column']}, before and after.",
        spec,
        ("Values" if key == "values" else "Category", "Before", "After"),
        [(row[key], row["before_shown"], row["after_shown"]) for row in rows],
    )


def _tooltip(key: str) -> list[alt.Tooltip]:
    return tooltips((key, key), ("before_shown", "before"), ("after_shown", "after"))


def _value_axis(edges: Sequence[float], temporal: bool) -> alt.Axis:
    import altair as alt

    if temporal:
        return alt.Axis(tickCount=5)
    return alt.Axis(tickCount=5, format="~s" if max(map(abs, edges), default=0.0) >= 10_000 else "~r")


def _others(number: int) -> str:
    return "(1 other)" if number == 1 else f"({number:,} others)"
