"""Charts as Vega-Lite specifications, each with the same numbers as a plain table: what they are, and those of counts.

Colours are CSS variables of the page, so that light, dark and print need no second drawing. The page that
embeds them is `page`; before and after of each column is in `distribution_charts`, pairs of columns in `heat_maps`,
entropies in `risk_charts`, attacks in `attack_chart`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hushwood.evaluation.release_facts import SMALL
from hushwood.reports.findings import usual_changes
from hushwood.reports.wording import band, count, percent

if TYPE_CHECKING:
    import altair as alt

BEFORE, AFTER, AFTER_SOFT, CARE, BAD, INK, MUTED = (
    f"var(--{name})" for name in ("before", "after", "after-soft", "care", "bad", "ink", "muted")
)
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
# What a withheld count of one to four is drawn as.
_FEW_HEIGHT = SMALL / 2
ROW = 26
DATA = "rows"

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
    """A chart: its title, what it shows in a sentence, its specification, and its numbers as a table.

    `beside` is a second picture of the same kind, for charts that are read side by side; `captions` name the two.
    """

    title: str
    says: str
    spec: Mapping[str, Any]
    head: Sequence[str]
    rows: Sequence[Sequence[str]] = field(default_factory=tuple)
    beside: Mapping[str, Any] | None = None
    captions: tuple[str, str] = ("", "")


def segment_chart(segments: Mapping[str, Any]) -> Chart:
    """How many records sit in segments of each size."""
    import altair as alt

    bands = segments["sizes"]
    rows = [
        {
            "size": band(b["from"], b["to"]),
            "records": drawn_height(b["records"]),
            "shown": count(b["records"]),
            "segments": count(b["segments"]),
            "small": b["from"] < segments["small"],
        }
        for b in bands
    ]
    base = alt.Chart(alt.NamedData(DATA)).encode(
        y=alt.Y("size:N", sort=None, title="records in the segment"),
        x=alt.X("records:Q", title="records", axis=alt.Axis(tickCount=4, grid=True)),
        tooltip=tooltips(("size", "segment size"), ("shown", "records"), ("segments", "segments")),
    )
    bars = base.mark_bar(cornerRadiusEnd=2, height=14).encode(
        color=alt.when("datum.small").then(alt.value(CARE)).otherwise(alt.value(AFTER_SOFT))
    )
    return Chart(
        "Records by the size of their segment",
        f"The lower down, the safer. Segments of fewer than {segments['small']} records are marked.",
        finished(bars, rows, ROW * len(rows)),
        ("Segment size", "Segments", "Records"),
        [(band(b["from"], b["to"]), count(b["segments"]), count(b["records"])) for b in bands],
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
    base = alt.Chart(alt.NamedData(DATA)).encode(
        y=alt.Y("column:N", sort=None, title=None, axis=alt.Axis(labelLimit=130)),
        tooltip=tooltips(("column", "column"), ("shown", "unchanged"), ("chance_shown", "by chance")),
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
        finished(alt.layer(bars, ticks), rows, ROW * max(len(rows), 1)),
        ("Column", "Unchanged", "By chance"),
        [(r["column"], r["shown"], r["chance_shown"]) for r in rows],
    )


def class_chart(measure: Mapping[str, Any]) -> Chart:
    """Changed classes beside the number that shuffling within segments would change."""
    import altair as alt

    details = measure["details"]
    expected, changed = drawn_height(details["expected"]), drawn_height(details["changed"])
    low, high = usual_changes(expected, details)
    shown, usual = count(details["changed"]), f"{low:,.0f} to {high:,.0f}"
    row = {"low": low, "high": high, "changed": changed, "shown": shown, "usual": usual}
    scale = alt.Scale(domain=[0, max(high, changed, 1.0) * 1.15])
    base = alt.Chart(alt.NamedData(DATA)).encode(tooltip=tooltips(("shown", "changed"), ("usual", "usual")))
    around = base.mark_bar(color=AFTER_SOFT, height=22, cornerRadius=2).encode(
        x=alt.X("low:Q", scale=scale, title="records with another class", axis=alt.Axis(tickCount=5)),
        x2="high",
    )
    mark = base.mark_tick(color=INK, thickness=3, height=34, opacity=1).encode(
        x=alt.X("changed:Q", scale=scale)
    )
    return Chart(
        "Changed classes against what to expect",
        "The band is where 19 of 20 such releases fall; the upright mark is this one.",
        finished(alt.layer(around, mark), [row], 60),
        ("", "Records"),
        [("Changed", shown), ("Usual", usual), ("Untouched table", "none")],
    )


def tooltips(*shown: tuple[str, str]) -> list[alt.Tooltip]:
    """What is said where the mouse rests: fields of the rows, each with a title."""
    import altair as alt

    return [alt.Tooltip(f"{field}:N", title=title) for field, title in shown]


def finished(
    chart: alt.Chart | alt.LayerChart | alt.FacetChart, rows: Sequence[Mapping[str, Any]], height: int
) -> dict[str, Any]:
    """The specification of a chart of these rows as wide as its box; the page brings the configuration.

    The chart names its data DATA; the rows come in last, because Altair copies whatever it holds at every step.
    """
    spec: dict[str, Any] = chart.properties(width="container", height=height).to_dict(validate=False)
    spec.pop("config", None)
    spec.pop("$schema", None)
    return spec | {"datasets": {DATA: list(rows)}}


def drawn_height(number: float | None) -> float:
    """How tall a count is drawn; a withheld one stands at the middle of what it can be."""
    return _FEW_HEIGHT if number is None else number
