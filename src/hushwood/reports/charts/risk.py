"""Risk as charts: uncertainty about single records and with more knowledge, unchanged cells, and the attacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hushwood.evaluation.answers import AttackAnswer
from hushwood.evaluation.evaluation import Evaluation
from hushwood.measures.posterior.uncertainty import (
    BitsHistogram,
    KnownBits,
)
from hushwood.measures.publishing import percent
from hushwood.measures.risk.unchanged_cells import CellDetails, UnchangedCells, UnchangedColumn
from hushwood.reports.charts.frame import (
    AFTER,
    AFTER_SOFT,
    BAD,
    CARE,
    INK,
    MUTED,
    ROW,
    SHARE_AXIS,
    Chart,
    coloured_if,
    drawn_height,
    layer,
    layered,
    named_rows,
    number_field,
    tooltips,
    word_field,
)
from hushwood.reports.release.headlines import attack_row
from hushwood.reports.release.judgement import details_of
from hushwood.reports.wording import Tone, count, share_or_dash

_HEIGHT = 180
_ROW, _DOWN = 50, 10
Pair = tuple[AttackAnswer, AttackAnswer]  # as it is shown, and as it is judged
_COLOURS: dict[Tone, str] = {"good": AFTER_SOFT, "plain": AFTER_SOFT, "care": CARE, "bad": BAD}
# What these look for is found by guessing hardly ever, so that their rates need an axis of their own.
_FINDS_PEOPLE = frozenset({"row", "parts"})
_SHARED = {
    "y": {
        "field": "place",
        "type": "ordinal",
        "axis": None,
        "scale": {"paddingInner": 0.1, "paddingOuter": 0.1},
    },
    "tooltip": tooltips(
        ("label", "attack"),
        ("shown", "success"),
        ("interval", "interval"),
        ("guessed", "guessing"),
        ("others", "never in the table"),
        ("before", "untouched"),
        ("noise", "pure noise"),
        ("badge", "in short"),
    ),
}


def risk_charts(evaluation: Evaluation) -> list[Chart]:
    """The charts for which the evaluation has numbers."""
    uncertain = [answer for answer in evaluation.answered("risk") if answer.measure.unit == "bits"]
    charts = []
    for answer in uncertain:
        histogram, limit = answer.details.get("histogram"), answer.details.get("threshold_bits")
        charts += [_by_record(answer.measure.title, histogram, limit)] if histogram else []
    for answer in uncertain:
        sizes = answer.details.get("by_size")
        charts += [_by_knowledge(answer.measure.title, sizes)] if sizes else []
    cells: CellDetails | None = details_of(evaluation, UnchangedCells)
    return [*charts, _unchanged(cells["columns"])] if cells and cells["columns"] else charts


def _by_record(title: str, histogram: BitsHistogram, limit: float | None) -> Chart:
    """Records by how many bits an intruder lacks about them, those below the threshold marked."""
    edges = histogram["edges"]
    thinnest = 1e-3 * max(1.0, edges[-1])
    rows: list[dict[str, Any]] = [
        {
            "low": low,
            "high": max(high, low + thinnest),
            "records": drawn_height(number),
            "shown": count(number),
            "values": f"{low:.2f} – {high:.2f} bits",
            "exposed": limit is not None and high <= limit,
        }
        for low, high, number in zip(edges, edges[1:], histogram["counts"], strict=False)
    ]
    encoding = {
        "x": number_field("low", title="bits", scale={"zero": False, "nice": False}, axis={"tickCount": 5}),
        "x2": {"field": "high"},
        "y": number_field("records", title="records", axis={"tickCount": 4}),
        "y2": {"datum": 0},
        "color": coloured_if("datum.exposed", CARE, AFTER_SOFT),
        "tooltip": tooltips(("values", "uncertainty"), ("shown", "records")),
    }
    below = "" if limit is None else f" Bars below {limit:.2f} bits are marked."
    return Chart(
        f"{title}, record by record",
        f"Records by how uncertain an intruder is about them; those on the left stand out most.{below}",
        layered([layer("bar", encoding, binSpacing=1)], rows, _HEIGHT),
        ("Bits", "Records"),
        [(row["values"], row["shown"]) for row in rows],
    )


def _by_knowledge(title: str, sizes: Sequence[KnownBits]) -> Chart:
    """Mean bits by the number of attributes that an intruder knows, with their spread where it is known."""
    rows: list[dict[str, Any]] = [
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
    most = max(size["known"] for size in sizes)
    shared = {
        "x": number_field(
            "known",
            title="attributes that the intruder knows",
            scale={"domain": [0, max(most, 1)], "nice": False},
            axis={"tickMinStep": 1, "tickCount": min(most, 8), "format": "d"},
        ),
        "tooltip": tooltips(
            ("known", "known attributes"), ("shown", "bits"), ("below", "records below the threshold")
        ),
    }
    spread = {"y": number_field("low"), "y2": {"field": "high"}}
    line = {"y": number_field("bits", title="bits", scale={"zero": True}, axis={"tickCount": 4})}
    layers = [
        layer("rule", spread, color=AFTER_SOFT, strokeWidth=5, opacity=0.5),
        layer("line", line, color=AFTER, strokeWidth=2),
        layer("point", {"y": number_field("bits")}, color=AFTER, filled=True, size=45, opacity=1),
    ]
    return Chart(
        f"{title}, by what is known",
        "Average bits that an intruder lacks who knows this many randomly chosen attributes; thick bars are one "
        "standard deviation up and down. Higher is better.",
        layered(layers, rows, _HEIGHT, shared),
        ("Known attributes", "Bits", "Records below the threshold"),
        [(f"{row['known']}", row["shown"], row["below"]) for row in rows],
    )


def _unchanged(columns: Sequence[UnchangedColumn]) -> Chart:
    """Share of unchanged cells per column, and what a random shuffle would leave."""
    rows: list[dict[str, Any]] = [
        {
            "column": column["column"],
            "share": column["share"] or 0.0,
            "by_chance": column["by_chance"],
            "shown": percent(column["share"]),
            "chance_shown": percent(column["by_chance"]),
        }
        for column in columns
    ]
    scale = {"domain": [0, 1]}
    shared = {
        "y": named_rows("column", labelLimit=130),
        "tooltip": tooltips(("column", "column"), ("shown", "unchanged"), ("chance_shown", "by chance")),
    }
    share = number_field("share", scale=scale, axis=SHARE_AXIS, title="unchanged cells")
    chance = {"x": number_field("by_chance", scale=scale)}
    layers = [
        layer("bar", {"x": share}, color=AFTER_SOFT, cornerRadiusEnd=2, height=14),
        layer("tick", chance, color=INK, thickness=2.5, height=22, opacity=1),
    ]
    return Chart(
        "Unchanged cells by column",
        "The bar is this release; the upright mark is what shuffling the whole column would leave unchanged by chance.",
        layered(layers, rows, ROW * max(len(rows), 1), shared),
        ("Column", "Unchanged", "By chance"),
        [(row["column"], row["shown"], row["chance_shown"]) for row in rows],
    )


def attack_charts(
    answers: Sequence[AttackAnswer], judged: Sequence[AttackAnswer] | None = None
) -> list[Chart]:
    """Attacks that look for one record among all, and those that guess something about a person: an axis for each."""
    pairs = list(zip(answers, judged or answers, strict=True))
    finding = [pair for pair in pairs if pair[0].attack.goal in _FINDS_PEOPLE]
    guessing = [pair for pair in pairs if pair[0].attack.goal not in _FINDS_PEOPLE]
    charts = []
    if finding:
        charts.append(
            _chart("How often a person's record was found", finding, _top(finding), untouched=False)
        )
    if guessing:
        charts.append(_chart("How often a guess about a person was right", guessing, 1.0, untouched=True))
    return charts


def _top(pairs: Sequence[Pair]) -> float:
    """Where the axis of small rates ends: a little beyond all that is drawn."""
    rows = [_row(*pair) for pair in pairs]
    drawn = [float(row[key] or 0.0) for row in rows for key in ("high", "naive", "control")]
    return min(1.0, 1.1 * max(*drawn, 0.005))


def _chart(title: str, pairs: Sequence[Pair], top: float, *, untouched: bool) -> Chart:
    """One bar per attack and scenario; the untouched table is drawn only where the axis goes that far."""
    rows = [{"place": place} | _row(*pair) for place, pair in enumerate(pairs)]
    scale = {"domain": [0, top], "nice": False}
    axis = SHARE_AXIS | ({} if top > 0.2 else {"format": ".1%"})
    success = number_field("success", scale=scale, axis=axis, title="successful attempts")
    colour = word_field("colour", scale=None, legend=None)
    below: dict[str, Any] = {"yOffset": _DOWN}
    ends: dict[str, Any] = {"color": INK, "thickness": 1.5, "height": 8, **below}

    def at(field: str) -> dict[str, Any]:
        return number_field(field, scale=scale)

    layers = [
        layer("bar", {"x": success, "color": colour}, height=14, cornerRadiusEnd=2, **below),
        layer("rule", {"x": at("low"), "x2": {"field": "high"}}, color=INK, strokeWidth=1.5, **below),
        layer("tick", {"x": at("low")}, **ends),
        layer("tick", {"x": at("high")}, **ends),
        layer("tick", {"x": at("naive")}, color=INK, thickness=3, height=24, **below),
        *([_points("untouched", "diamond", at("untouched"))] if untouched else []),
        _points("control", "circle", at("control")),
        layer(
            "text",
            {"x": {"datum": 0, "scale": scale}, "text": word_field("label")},
            align="left",
            baseline="middle",
            dy=-11,
            color=INK,
            fontSize=12.5,
        ),
    ]
    beyond = "" if untouched else " The untouched table lies beyond the axis; its numbers are in the table."
    return Chart(
        title,
        "The shorter the bar, the better. An attack whose interval touches the thick upright mark is no better than "
        f"guessing.{beyond}",
        layered(layers, rows, _ROW * len(rows), _SHARED),
        ("Attack", "Success", "Interval", "Guessing", "Never in the table", "Untouched"),
        [(r["label"], r["shown"], r["interval"], r["guessed"], r["others"], r["before"]) for r in rows],
    )


def _points(field: str, shape: str, channel: dict[str, Any]) -> dict[str, Any]:
    look = {
        "shape": shape,
        "size": 70,
        "stroke": MUTED,
        "strokeWidth": 2,
        "fill": "var(--card)",
        "opacity": 1,
    }
    return layer("point", {"x": channel}, f"isValid(datum.{field})", yOffset=_DOWN, **look)


def _row(answer: AttackAnswer, judged: AttackAnswer) -> dict[str, Any]:
    words, success = attack_row(answer, judged), answer.shown_success
    low, high = answer.interval or (success, success)
    return {
        "label": words.label,
        "success": success,
        "low": low,
        "high": high,
        "naive": answer.naive,
        "control": answer.control,
        "untouched": answer.untouched,
        "shown": words.success,
        "interval": words.interval,
        "guessed": words.naive,
        "others": words.control,
        "before": words.untouched,
        "noise": words.noise,
        "badge": words.badge,
        "colour": _COLOURS[words.tone],
    }
