"""The attacks as bars: how often each worked, with its interval and the marks that it must be seen beside.

The same numbers with the verdict in words are in `attack_views`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hushwood.reports.attack_views import interval_text, label_of, success, success_text
from hushwood.reports.charts import AFTER_SOFT, BAD, CARE, DATA, INK, MUTED, Chart, finished, tooltips
from hushwood.reports.judgement import tone_of_attack
from hushwood.reports.wording import percent, share_or_dash

if TYPE_CHECKING:
    import altair as alt

_ROW, _DOWN = 50, 10
_COLOURS = {"good": AFTER_SOFT, "plain": AFTER_SOFT, "care": CARE, "bad": BAD}
# Fields of a row, each with its title.
_TOLD = (
    ("label", "attack"),
    ("shown", "success"),
    ("interval", "interval"),
    ("guessed", "guessing"),
    ("others", "never in the table"),
    ("before", "untouched"),
    ("noise", "pure noise"),
    ("verdict", "verdict"),
)


def attack_chart(entries: Sequence[Mapping[str, Any]]) -> Chart:
    """One bar per attack and scenario."""
    import altair as alt

    rows = [{"place": place} | _drawn(entry) for place, entry in enumerate(entries)]
    scale = alt.Scale(domain=[0, 1])
    axis = alt.Axis(format=".0%", tickCount=5, grid=True)
    base = alt.Chart(alt.NamedData(DATA)).encode(
        y=alt.Y("place:O", axis=None, scale=alt.Scale(paddingInner=0.1, paddingOuter=0.1)),
        tooltip=tooltips(*_TOLD),
    )
    colour = alt.Color("colour:N", scale=None, legend=None)
    bars = base.mark_bar(height=14, cornerRadiusEnd=2, yOffset=_DOWN).encode(
        x=alt.X("success:Q", scale=scale, axis=axis, title="tries that worked"), color=colour
    )
    spread = base.mark_rule(color=INK, strokeWidth=1.5, yOffset=_DOWN).encode(
        x=alt.X("low:Q", scale=scale), x2="high"
    )
    ends = [
        base.mark_tick(color=INK, thickness=1.5, height=8, yOffset=_DOWN).encode(
            x=alt.X(f"{end}:Q", scale=scale)
        )
        for end in ("low", "high")
    ]
    guess = base.mark_tick(color=INK, thickness=3, height=24, yOffset=_DOWN).encode(
        x=alt.X("naive:Q", scale=scale)
    )
    control = _points(base, "control", "circle", scale)
    untouched = _points(base, "untouched", "diamond", scale)
    names = base.mark_text(align="left", baseline="middle", dy=-11, color=INK, fontSize=12.5).encode(
        x=alt.datum(0, scale=scale), text="label:N"
    )
    return Chart(
        "How often each attack worked",
        "The shorter the bar, the better. An attack whose interval touches the thick upright mark is no better than "
        "guessing.",
        finished(alt.layer(bars, spread, *ends, guess, untouched, control, names), rows, _ROW * len(rows)),
        ("Attack", "Success", "Interval", "Guessing", "Never in the table", "Untouched"),
        [(r["label"], r["shown"], r["interval"], r["guessed"], r["others"], r["before"]) for r in rows],
    )


def _points(base: alt.Chart, field: str, shape: str, scale: alt.Scale) -> alt.Chart:
    import altair as alt

    mark: alt.Chart = base.transform_filter(f"isValid(datum.{field})").mark_point(
        shape=shape, size=70, stroke=MUTED, strokeWidth=2, fill="var(--card)", opacity=1, yOffset=_DOWN
    )
    found: alt.Chart = mark.encode(x=alt.X(f"{field}:Q", scale=scale))
    return found


def _drawn(entry: Mapping[str, Any]) -> dict[str, Any]:
    worked = success(entry)
    low, high = entry["interval"] or (worked, worked)
    return {
        "label": label_of(entry),
        "success": worked,
        "low": low,
        "high": high,
        "naive": entry["naive"],
        "control": entry["control"],
        "untouched": entry["untouched"],
        "shown": success_text(entry),
        "interval": interval_text(entry["interval"]),
        "guessed": percent(entry["naive"]),
        "others": share_or_dash(entry["control"]),
        "before": share_or_dash(entry["untouched"]),
        "noise": share_or_dash(entry["noise"]),
        "verdict": entry["verdict"],
        "colour": _COLOURS[tone_of_attack(entry)],
    }
