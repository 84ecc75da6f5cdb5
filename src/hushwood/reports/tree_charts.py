"""The charts of a published tree: how large its groups are, and how well it predicts.

What a chart is, is in `charts`; the same numbers in words are in `tree_findings` and `tree_tables`. The two
specifications are written out: loading Altair for them would take a fifth of the time of a whole publication.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hushwood.reports.charts import AFTER_SOFT, BEFORE, INK, ROW, Chart
from hushwood.reports.spec_parts import layered, number_field, word_field
from hushwood.reports.tree_findings import score_text
from hushwood.reports.wording import count, things

_HEIGHT = 190
# A column of the chart of groups starts here; the axis is logarithmic and has no zero.
_FLOOR = 1
# A few groups are not drawn wider than if they were so many.
_ROOM = 10
_WHO = (
    ("published", "as published", AFTER_SOFT),
    ("unlimited", "without K and L", BEFORE),
    ("naive", "naive guess", BEFORE),
)
_LEFT_OUT = " The {} largest are left out."


def group_chart(document: Mapping[str, Any]) -> Chart:
    """The size of every group, smallest first, with a line at the K that was asked for."""
    asked, groups = document["options"]["k"], document["groups"]
    rows = [
        {"left": i + 0.05, "right": i + 0.95, "floor": _FLOOR, "records": g["records"], "group": str(i + 1)}
        for i, g in enumerate(groups)
    ]
    most = max(10, asked, *(g["records"] for g in groups))
    scale = {"type": "log", "domain": [_FLOOR, 1.5 * most], "nice": False}
    across = {"domain": [0, max(len(rows), _ROOM)], "nice": False}
    axis = {"values": _ticks(most), "grid": True, "format": ",d"}
    bars = {
        "mark": {"type": "bar", "color": AFTER_SOFT},
        "encoding": {
            "x": number_field("left", scale=across, axis=None),
            "x2": {"field": "right"},
            "y": number_field("records", scale=scale, axis=axis, title="records (logarithmic)"),
            "y2": {"field": "floor"},
            "tooltip": [word_field("group", title="group"), word_field("records", title="records")],
        },
    }
    rule = {
        "transform": [{"aggregate": [{"op": "count", "as": "groups"}]}],
        "mark": {"type": "rule", "color": INK, "strokeWidth": 2, "strokeDash": [6, 4]},
        "encoding": {"y": {"datum": asked, "scale": scale}},
    }
    left_out = document.get("groups_left_out", 0)
    return Chart(
        "Size of every group, smallest first",
        f"The higher, the better hidden; none may end below the dashed line, the K of {asked:,} that was asked for. "
        f"{things(len(groups), 'group is', 'groups are')} shown."
        f"{_LEFT_OUT.format(count(left_out)) if left_out else ''}",
        layered([bars, rule], rows, _HEIGHT),
        ("Group", "Records"),
        [(r["group"], count(r["records"])) for r in rows],
    )


def prediction_chart(document: Mapping[str, Any]) -> Chart | None:
    """How well unseen records are predicted: by the published tree, by one without promises, by a naive guess."""
    found = document["accuracy"]
    if not found["unseen"]:
        return None
    share = found["measure"] == "accuracy"
    rows = [_score(found, *who) for who in _WHO]
    scale = {"domain": [min(0.0, *(row["value"] for row in rows)), 1.12], "nice": False}
    axis = {"format": ".0%" if share else ".2f", "values": [0, 0.25, 0.5, 0.75, 1], "grid": True}
    title = "records predicted rightly" if share else "R² (1 is perfect)"
    shared = {
        "y": word_field("who", sort=None, title=None, axis={"labelLimit": 130}),
        "tooltip": [word_field("who", title="who"), word_field("shown", title="score")],
    }
    bars = {
        "mark": {"type": "bar", "cornerRadiusEnd": 2, "height": 16},
        "encoding": shared
        | {
            "x": number_field("value", scale=scale, axis=axis, title=title),
            "color": word_field("colour", scale=None),
        },
    }
    # A score below zero is written to the right of zero, where it stands clear of its bar.
    texts = {
        "mark": {"type": "text", "align": "left", "dx": 5, "color": INK},
        "encoding": shared | {"x": number_field("end"), "text": word_field("shown")},
    }
    return Chart(
        "How well unseen records are predicted",
        f"The longer, the better; {things(found['unseen_records'], 'record')}, each predicted by trees that were grown "
        "in the same way as those published, but without it. What the first bar is short of the second is the price "
        "of K and L.",
        layered([bars, texts], rows, ROW * (len(rows) + 1)),
        ("Who predicts", "Score"),
        [(row["who"], row["shown"]) for row in rows],
    )


def _score(found: Mapping[str, Any], key: str, who: str, colour: str) -> dict[str, Any]:
    value = found["unseen"][key]
    shown = score_text(value, found["measure"])
    return {"who": who, "value": value, "end": max(value, 0.0), "shown": shown, "colour": colour}


def _ticks(most: int) -> list[int]:
    """Round numbers up to the largest group: 1, 2, 5, 10 and so on, or only the powers of ten where there are many."""
    tens = [10**power for power in range(len(str(most)) + 1)]
    steps = (1, 2, 5) if most < 200 else (1,)
    return [step * ten for ten in tens for step in steps]
