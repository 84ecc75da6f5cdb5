"""Risk as charts: how unsure an intruder is about single records, how that falls with what is known, and how many
cells of each column stayed.

The measures' one number each is a card of `measure_findings`; attacks are in `attack_chart`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hushwood.reports.charts import (
    AFTER,
    AFTER_SOFT,
    CARE,
    DATA,
    Chart,
    drawn_height,
    finished,
    tooltips,
    unchanged_chart,
)
from hushwood.reports.measure_words import words_of
from hushwood.reports.wording import count, measure, share_or_dash

_ENTROPIES = ("reidentification_entropy", "class_entropy", "sers")
_HEIGHT = 180


def risk_charts(document: Mapping[str, Any]) -> list[Chart]:
    """The charts for which the document has numbers."""
    entropies = [entry for name in _ENTROPIES if (entry := measure(document, name)) is not None]
    found = [_histogram(entry) for entry in entropies if entry["details"].get("histogram")]
    found += [_by_known(entry) for entry in entropies if entry["details"].get("by_size")]
    cells = measure(document, "unchanged_cells")
    if cells and cells["details"]["columns"]:
        found.append(unchanged_chart(cells))
    return found


def _histogram(entry: Mapping[str, Any]) -> Chart:
    """Records by how many bits an intruder lacks about them, those below the threshold marked."""
    import altair as alt

    details = entry["details"]
    edges, counts = details["histogram"]["edges"], details["histogram"]["counts"]
    limit = details.get("threshold_bits")
    thinnest = 1e-3 * max(1.0, edges[-1])
    rows = [
        {
            "low": low,
            "high": max(high, low + thinnest),
            "records": drawn_height(n),
            "shown": count(n),
            "values": f"{low:.2f} – {high:.2f} bits",
            "exposed": limit is not None and high <= limit,
        }
        for low, high, n in zip(edges[:-1], edges[1:], counts, strict=True)
    ]
    base = alt.Chart(alt.NamedData(DATA)).encode(
        tooltip=tooltips(("values", "uncertainty"), ("shown", "records"))
    )
    bars = base.mark_bar(binSpacing=1).encode(
        x=alt.X("low:Q", title="bits", scale=alt.Scale(zero=False, nice=False), axis=alt.Axis(tickCount=5)),
        x2="high",
        y=alt.Y("records:Q", title="records", axis=alt.Axis(tickCount=4)),
        y2=alt.datum(0),
        color=alt.when("datum.exposed").then(alt.value(CARE)).otherwise(alt.value(AFTER_SOFT)),
    )
    below = "" if limit is None else f" Bars below {limit:.2f} bits are marked."
    return Chart(
        f"{words_of(entry).title}, record by record",
        f"Records by how unsure an intruder stays about them; those on the left are the exposed ones.{below}",
        finished(bars, rows, _HEIGHT),
        ("Bits", "Records"),
        [(row["values"], row["shown"]) for row in rows],
    )


def _by_known(entry: Mapping[str, Any]) -> Chart:
    """Mean bits by the number of attributes that an intruder knows, with their spread where it is told."""
    import altair as alt

    sizes = entry["details"]["by_size"]
    rows = [
        {
            "known": size["known"],
            "bits": size["mean_bits"],
            "low": max(0.0, size["mean_bits"] - size.get("deviation", 0.0)),
            "high": size["mean_bits"] + size.get("deviation", 0.0),
            "shown": f"{size['mean_bits']:.2f}",
            "below": share_or_dash(size.get("below_threshold")),
        }
        for size in sizes
    ]
    most = max(row["known"] for row in rows)
    base = alt.Chart(alt.NamedData(DATA)).encode(
        x=alt.X(
            "known:Q",
            title="attributes that the intruder knows",
            scale=alt.Scale(domain=[0, max(most, 1)], nice=False),
            axis=alt.Axis(tickMinStep=1, tickCount=min(most, 8), format="d"),
        ),
        tooltip=tooltips(
            ("known", "known attributes"), ("shown", "bits"), ("below", "records below the threshold")
        ),
    )
    bits = alt.Y("bits:Q", title="bits", scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=4))
    spread = base.mark_rule(color=AFTER_SOFT, strokeWidth=5, opacity=0.5).encode(y="low:Q", y2="high")
    line = base.mark_line(color=AFTER, strokeWidth=2).encode(y=bits)
    points = base.mark_point(color=AFTER, filled=True, size=45, opacity=1).encode(y="bits:Q")
    return Chart(
        f"{words_of(entry).title}, by what is known",
        "Bits that an intruder lacks on average who knows so many attributes, drawn by lot; thick bars are one "
        "standard deviation up and down. Higher is better.",
        finished(alt.layer(spread, line, points), rows, _HEIGHT),
        ("Known attributes", "Bits", "Records below the threshold"),
        [(f"{row['known']}", row["shown"], row["below"]) for row in rows],
    )
