"""The charts of a published tree: how large its groups are, how well it predicts; and any tree as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hushwood.errors import visible
from hushwood.evaluation.publication import Publication
from hushwood.reports.charts.frame import (
    AFTER,
    AFTER_SOFT,
    BEFORE,
    INK,
    MUTED,
    ROW,
    Chart,
    layer,
    layered,
    named_rows,
    number_field,
    tooltips,
    word_field,
)
from hushwood.reports.tree.findings import score_text
from hushwood.reports.wording import count, things
from hushwood.trees.drawing.drawing import DrawnPlace, TreeLayout, drawn_nodes, lay_out, leaf_counts
from hushwood.trees.forest import Forest, Tree, describe, label_of, rules_of

_HEIGHT = 190
# A column of the chart of groups starts here; the axis is logarithmic and has no zero.
_FLOOR = 1
# Few groups are not drawn wider than if they were this many.
_FEWEST_PLACES = 10
_BOX = 13  # half the height of a test
_LABEL: Mapping[str, Any] = {"align": "left", "baseline": "middle", "dx": 7, "fontSize": 12, "limit": 0}
_BRANCH: Mapping[str, Any] = {**_LABEL, "dx": 4, "dy": -8, "fontSize": 11}


def group_chart(publication: Publication) -> Chart:
    """The size of every group, smallest first, with a line at the K that was asked for."""
    asked, groups = publication.options.k, publication.groups
    rows: list[dict[str, Any]] = [
        {"left": i + 0.05, "right": i + 0.95, "floor": _FLOOR, "records": g.records, "group": str(i + 1)}
        for i, g in enumerate(groups)
    ]
    most = max(10, asked, *(g.records for g in groups))
    scale = {"type": "log", "domain": [_FLOOR, 1.5 * most], "nice": False}
    across = {"domain": [0, max(len(rows), _FEWEST_PLACES)], "nice": False}
    axis = {"values": _ticks(most), "grid": True, "format": ",d"}
    bars = {
        "x": number_field("left", scale=across, axis=None),
        "x2": {"field": "right"},
        "y": number_field("records", scale=scale, axis=axis, title="records (logarithmic)"),
        "y2": {"field": "floor"},
        "tooltip": tooltips(("group", "group"), ("records", "records")),
    }
    line = layer("rule", {"y": {"datum": asked, "scale": scale}}, color=INK, strokeWidth=2, strokeDash=[6, 4])
    once = {"transform": [{"aggregate": [{"op": "count", "as": "groups"}]}]}
    more = publication.groups_left_out
    return Chart(
        "Size of every group, smallest first",
        f"The higher, the better hidden; none may end below the dashed line, the K of {asked:,} that was asked for. "
        f"{things(len(groups), 'group is', 'groups are')} shown."
        f"{f' The {count(more)} largest are not.' if more else ''}",
        layered([layer("bar", bars, color=AFTER_SOFT), once | line], rows, _HEIGHT),
        ("Group", "Records"),
        [(r["group"], count(r["records"])) for r in rows],
    )


def prediction_chart(publication: Publication) -> Chart | None:
    """How well unseen records are predicted: by the published tree, by one without promises, by a naive guess."""
    found = publication.accuracy
    if found.unseen is None:
        return None
    share = found.measure == "accuracy"
    scores = (
        ("as published", found.unseen.published, AFTER_SOFT),
        ("without K and L", found.unseen.unlimited, BEFORE),
        ("naive guess", found.unseen.naive, BEFORE),
    )
    rows: list[dict[str, Any]] = [
        {
            "who": who,
            "value": value,
            "end": max(value, 0.0),
            "shown": score_text(value, found.measure),
            "colour": colour,
        }
        for who, value, colour in scores
    ]
    scale = {"domain": [min(0.0, *(row["value"] for row in rows)), 1.12], "nice": False}
    axis = {"format": ".0%" if share else ".2f", "values": [0, 0.25, 0.5, 0.75, 1], "grid": True}
    title = "correct predictions" if share else "R² (1 is perfect)"
    bars = {
        "x": number_field("value", scale=scale, axis=axis, title=title),
        "color": word_field("colour", scale=None),
    }
    # A score below zero is written to the right of zero, where it stands clear of its bar.
    texts = {"x": number_field("end"), "text": word_field("shown")}
    layers = [
        layer("bar", bars, cornerRadiusEnd=2, height=16),
        layer("text", texts, align="left", dx=5, color=INK),
    ]
    shared = {
        "y": named_rows("who", labelLimit=130),
        "tooltip": tooltips(("who", "who"), ("shown", "score")),
    }
    return Chart(
        "How well unseen records are predicted",
        f"The longer, the better; {things(found.unseen_records, 'record')}, each predicted by trees that were grown in "
        "the same way as those published, but without it. The difference between the first two bars is the price of "
        "K and L.",
        layered(layers, rows, ROW * (len(rows) + 1), shared),
        ("Who predicts", "Score"),
        [(row["who"], row["shown"]) for row in rows],
    )


def _ticks(most: int) -> list[int]:
    """Round numbers up to the largest group: 1, 2, 5, 10 and so on, or only the powers of ten where there are many."""
    tens = [10**power for power in range(len(str(most)) + 1)]
    steps = (1, 2, 5) if most < 200 else (1,)
    return [step * ten for ten in tens for step in steps]


def tree_chart(tree: Tree, forest: Forest, title: str) -> Chart:
    """The tree with its root on the left."""
    layout = lay_out(drawn_nodes(tree, forest))
    rules = dict(zip(tree.leaves.tolist(), map(describe, rules_of(tree, forest)), strict=True))
    rows = [_row(place, layout, tree, forest, rules) for place in layout.places]
    spec = layered(_layers(layout), rows, round(layout.height)) | {"width": round(layout.width)}
    leaves = [(row["label"], row["counts"], row["rule"]) for row in rows if row["leaf"]]
    return Chart(
        title, "Rest the mouse on a leaf to read its rule.", spec, ("Leaf", "Records", "Rule"), leaves
    )


def _layers(layout: TreeLayout) -> list[dict[str, Any]]:
    """Lines from a test to its turn, up or down, and on to the child; then leaves, names and branches."""
    across: dict[str, Any] = {"axis": None, "scale": {"domain": [0, layout.width], "nice": False}}
    down: dict[str, Any] = {
        "axis": None,
        "scale": {"domain": [0, layout.height], "reverse": True, "nice": False},
    }
    x, y = number_field("x", **across), number_field("y", **down)
    turn = number_field("turn", **across)
    line = {"color": MUTED, "strokeWidth": 1}
    out = {
        "x": number_field("from_x", **across),
        "x2": {"field": "turn"},
        "y": number_field("from_y", **down),
    }
    box = {"x": x, "x2": {"field": "end"}, "y": number_field("top", **down), "y2": {"field": "bottom"}}
    hover = {"tooltip": tooltips(("label", "class"), ("counts", "records"), ("rule", "rule"))}
    return [
        layer("rule", out, "datum.child", **line),
        layer("rule", {"x": turn, "y": y, "y2": {"field": "from_y"}}, "datum.child", **line),
        layer("rule", {"x": turn, "x2": {"field": "x"}, "y": y}, "datum.child", **line),
        layer(
            "text", {"x": turn, "y": y, "text": word_field("branch")}, "datum.child", color=MUTED, **_BRANCH
        ),
        layer("rect", box, "!datum.leaf", color=INK, opacity=0.08, cornerRadius=5),
        layer("point", {"x": x, "y": y, **hover}, "datum.leaf", filled=True, size=50, color=AFTER, opacity=1),
        layer("text", {"x": x, "y": y, "text": word_field("label")}, color=INK, fontWeight="bold", **_LABEL),
    ]


def _row(
    place: DrawnPlace, layout: TreeLayout, tree: Tree, forest: Forest, rules: Mapping[int, str]
) -> dict[str, Any]:
    what = place.what
    parent = None if what.parent is None else layout.places[what.parent]
    label = label_of(tree, what.node, forest) if what.leaf else what.text
    return {
        "x": place.x,
        "y": place.y,
        "end": place.x + place.width,
        "top": place.y - _BOX,
        "bottom": place.y + _BOX,
        "turn": place.turn,
        "from_x": None if parent is None else parent.x + parent.width,
        "from_y": None if parent is None else parent.y,
        "child": parent is not None,
        "leaf": what.leaf,
        "label": visible(label),
        "branch": visible(what.branch),
        "counts": leaf_counts(tree, what.node, forest) if what.leaf else "",
        "rule": visible(rules.get(what.node, "")),
    }
