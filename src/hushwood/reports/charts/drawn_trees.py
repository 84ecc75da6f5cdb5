"""A tree as a chart: its tests and leaves where the picture in a report has them, with rules where the mouse rests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hushwood.errors import visible
from hushwood.reports.charts.frame import AFTER, INK, MUTED, Chart
from hushwood.reports.charts.spec_parts import layer, layered, number_field, tooltips, word_field
from hushwood.trees.drawing.drawing import Layout, Place, drawn_nodes, lay_out, leaf_counts
from hushwood.trees.forest import Forest, Tree, describe, label_of, rules_of

_BOX = 13  # half the height of a test
_LABEL: Mapping[str, Any] = {"align": "left", "baseline": "middle", "dx": 7, "fontSize": 12, "limit": 0}
_BRANCH: Mapping[str, Any] = {**_LABEL, "dx": 4, "dy": -8, "fontSize": 11}


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


def _layers(layout: Layout) -> list[dict[str, Any]]:
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
    place: Place, layout: Layout, tree: Tree, forest: Forest, rules: Mapping[int, str]
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
