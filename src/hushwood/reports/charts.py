"""The report's charts as Vega-Lite specifications, each with the same numbers as a plain table.

Colours are CSS variables of the page, so that light, dark and print need no second drawing. The page that
embeds them is `page`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from hushwood.evaluation.release_facts import SMALL
from hushwood.reports.wording import count, percent

if TYPE_CHECKING:
    import altair as alt

BEFORE, AFTER, AFTER_SOFT, CARE, INK, MUTED = (
    f"var(--{name})" for name in ("before", "after", "after-soft", "care", "ink", "muted")
)
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
# What a withheld count of one to four is drawn as.
_FEW_HEIGHT = SMALL / 2
_ROW = 26

CONFIG: Mapping[str, Any] = {
    "background": "transparent",
    "font": _FONT,
    "aria": False,
    "view": {"stroke": None},
    "axis": {
        "labelColor": MUTED,
        "titleColor": MUTED,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "labelOverlap": "greedy",
        "labelSeparation": 6,
        "titleFontSize": 12,
        "gridColor": "var(--line)",
        "domainColor": "var(--line-strong)",
        "tickColor": "var(--line-strong)",
    },
    "axisY": {"domain": False, "ticks": False},
    "axisX": {"grid": False},
}


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: its title, what it shows in a sentence, its specification, and its numbers as a table."""

    title: str
    says: str
    spec: Mapping[str, Any]
    head: Sequence[str]
    rows: Sequence[Sequence[str]] = field(default_factory=tuple)


@cache
def vega_script() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, so that the page opens without a network."""
    import altair as alt
    import vl_convert

    wanted = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    known = wanted in vl_convert.get_vegalite_versions()
    bundle = str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", wanted if known else None))
    return bundle.replace("</script", "<\\/script")


def distribution_chart(entry: Mapping[str, Any]) -> Chart:
    """Before and after of one column."""
    return _histogram(entry) if entry["kind"] == "numeric" else _categories(entry)


def segment_chart(segments: Mapping[str, Any]) -> Chart:
    """How many records sit in segments of each size."""
    import altair as alt

    bands = segments["sizes"]
    rows = [
        {
            "size": _band(band),
            "records": _height(band["records"]),
            "shown": count(band["records"]),
            "segments": count(band["segments"]),
            "small": band["from"] < segments["small"],
        }
        for band in bands
    ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("size:N", sort=None, title="records in the segment"),
        x=alt.X("records:Q", title="records", axis=alt.Axis(tickCount=4, grid=True)),
        tooltip=[
            alt.Tooltip("size:N", title="segment size"),
            alt.Tooltip("shown:N", title="records"),
            alt.Tooltip("segments:N", title="segments"),
        ],
    )
    bars = base.mark_bar(cornerRadiusEnd=2, height=14).encode(
        color=alt.when("datum.small").then(alt.value(CARE)).otherwise(alt.value(AFTER_SOFT))
    )
    return Chart(
        "Records by the size of their segment",
        f"The lower down, the safer. Segments of fewer than {segments['small']} records are marked.",
        _finished(bars, _ROW * len(rows)),
        ("Segment size", "Segments", "Records"),
        [(_band(b), count(b["segments"]), count(b["records"])) for b in bands],
    )


def unchanged_chart(measure: Mapping[str, Any]) -> Chart:
    """Share of unchanged cells per column, beside what chance alone would leave."""
    import altair as alt

    columns = measure["details"]["columns"]
    rows = [
        {
            "column": c["column"],
            "share": c["share"] or 0.0,
            "by_chance": c["by_chance"],
            "shown": percent(c["share"]),
            "chance_shown": percent(c["by_chance"]),
        }
        for c in columns
    ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("column:N", sort=None, title=None, axis=alt.Axis(labelLimit=130)),
        tooltip=[
            alt.Tooltip("column:N", title="column"),
            alt.Tooltip("shown:N", title="unchanged"),
            alt.Tooltip("chance_shown:N", title="by chance"),
        ],
    )
    scale = alt.Scale(domain=[0, 1])
    axis = alt.Axis(format=".0%", tickCount=5, grid=True)
    bars = base.mark_bar(color=AFTER_SOFT, cornerRadiusEnd=2, height=14).encode(
        x=alt.X("share:Q", scale=scale, axis=axis, title="cells that left as they came")
    )
    ticks = base.mark_tick(color=INK, thickness=2.5, height=22, opacity=1).encode(
        x=alt.X("by_chance:Q", scale=scale)
    )
    return Chart(
        "Unchanged cells by column",
        "The bar is this release; the upright mark is what shuffling the whole column would leave by chance.",
        _finished(alt.layer(bars, ticks), _ROW * max(len(rows), 1)),
        ("Column", "Unchanged", "By chance"),
        [(r["column"], r["shown"], r["chance_shown"]) for r in rows],
    )


def class_chart(measure: Mapping[str, Any]) -> Chart:
    """Changed classes beside the number that shuffling within segments would change."""
    import altair as alt

    details = measure["details"]
    expected, changed = _height(details["expected"]), _height(details["changed"])
    spread = 2 * details["deviation"]
    usual = {"low": max(0.0, expected - spread), "high": min(float(details["records"]), expected + spread)}
    shown = f"{usual['low']:,.0f} to {usual['high']:,.0f}"
    row = usual | {"changed": changed, "shown": count(details["changed"]), "usual": shown}
    scale = alt.Scale(domain=[0, max(usual["high"], changed, 1.0) * 1.15])
    base = alt.Chart(alt.InlineData(values=[row])).encode(
        tooltip=[alt.Tooltip("shown:N", title="changed"), alt.Tooltip("usual:N", title="usual")]
    )
    band = base.mark_bar(color=AFTER_SOFT, height=22, cornerRadius=2).encode(
        x=alt.X("low:Q", scale=scale, title="records with another class", axis=alt.Axis(tickCount=5)),
        x2="high",
    )
    mark = base.mark_tick(color=INK, thickness=3, height=34, opacity=1).encode(
        x=alt.X("changed:Q", scale=scale)
    )
    return Chart(
        "Changed classes against what to expect",
        "The band is where 19 of 20 such releases fall; the upright mark is this one.",
        _finished(alt.layer(band, mark), 60),
        ("", "Records"),
        [("Changed", row["shown"]), ("Usual", shown), ("Untouched table", "none")],
    )


def _histogram(entry: Mapping[str, Any]) -> Chart:
    import altair as alt

    temporal = entry.get("storage", "").startswith("Date")
    scale = {"Date": 86_400_000.0}.get(entry["storage"], 1000.0) if temporal else 1.0
    rows = [
        {
            "low": low * scale,
            "high": high * scale,
            "values": label,
            "before": _height(before),
            "after": _height(after),
            "before_shown": count(before),
            "after_shown": count(after),
        }
        for low, high, label, before, after in zip(
            entry["edges"][:-1],
            entry["edges"][1:],
            entry["labels"],
            entry["before"],
            entry["after"],
            strict=True,
        )
    ]
    for row in rows:
        row["top"] = max(row["before"], row["after"])
    kind = "T" if temporal else "Q"
    x = alt.X(
        f"low:{kind}",
        title=None,
        scale=alt.Scale(zero=False, nice=False),
        axis=_value_axis(entry["edges"], temporal),
    )
    y_axis = alt.Axis(tickCount=3)
    base = alt.Chart(alt.InlineData(values=rows)).encode(x=x, x2="high")
    filled = base.mark_bar(color=BEFORE, binSpacing=1).encode(
        y=alt.Y("before:Q", title="records", axis=y_axis),
        y2=alt.datum(0),
        tooltip=_tooltip("values", "values"),
    )
    line = base.mark_rule(color=AFTER, strokeWidth=2.5, strokeCap="round").encode(
        y="after:Q", tooltip=_tooltip("values", "values")
    )
    return _before_after(entry, rows, _finished(alt.layer(filled, line), 130), "values")


def _categories(entry: Mapping[str, Any]) -> Chart:
    import altair as alt

    names = [
        *entry["categories"],
        *([_others(entry["others"])] if len(entry["before"]) > len(entry["categories"]) else []),
    ]
    triples = list(zip(names, entry["before"], entry["after"], strict=True))
    if any(n != 0 for n in entry["missing"]):
        triples.append(("(missing)", *entry["missing"]))
    rows = [
        {
            "category": name,
            "before": _height(before),
            "after": _height(after),
            "before_shown": count(before),
            "after_shown": count(after),
        }
        for name, before, after in triples
    ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("category:N", sort=None, title=None, axis=alt.Axis(labelLimit=120)),
        tooltip=_tooltip("category", "category"),
    )
    filled = base.mark_bar(color=BEFORE, height=18).encode(
        x=alt.X("before:Q", title="records", axis=alt.Axis(tickCount=4, grid=False))
    )
    line = base.mark_tick(color=AFTER, thickness=3, height=20, opacity=1).encode(x="after:Q")
    return _before_after(
        entry, rows, _finished(alt.layer(filled, line), _ROW * max(len(rows), 1)), "category"
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


def _tooltip(key: str, title: str) -> list[alt.Tooltip]:
    import altair as alt

    shown = (("before_shown", "before"), ("after_shown", "after"))
    return [
        alt.Tooltip(f"{key}:N", title=title),
        *(alt.Tooltip(f"{name}:N", title=text) for name, text in shown),
    ]


def _finished(chart: alt.Chart | alt.LayerChart | alt.FacetChart, height: int) -> dict[str, Any]:
    spec: dict[str, Any] = chart.properties(width="container", height=height).to_dict(validate=True)
    spec.pop("config", None)
    spec.pop("$schema", None)
    return spec


def _value_axis(edges: Sequence[float], temporal: bool) -> alt.Axis:
    import altair as alt

    if temporal:
        return alt.Axis(tickCount=5)
    return alt.Axis(tickCount=5, format="~s" if max(map(abs, edges), default=0.0) >= 10_000 else "~r")


def _height(number: float | None) -> float:
    return _FEW_HEIGHT if number is None else number


def _band(band: Mapping[str, Any]) -> str:
    if band["to"] is None:
        return f"{band['from']:,}+"
    return f"{band['from']:,}" if band["to"] == band["from"] else f"{band['from']:,}–{band['to']:,}"


def _others(number: int) -> str:
    return "(1 other)" if number == 1 else f"({number:,} others)"
