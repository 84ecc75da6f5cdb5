from __future__ import annotations

from hushwood.reports.charts.altair_charts import altair_chart
from hushwood.reports.charts.drawn_trees import tree_chart
from support.small_trees import income_forest


def test_every_node_is_drawn_and_leaves_say_their_rules() -> None:
    forest = income_forest()
    chart = tree_chart(forest.trees[0], forest, "A tree")
    rows = chart.spec["datasets"]["rows"]
    assert sum(row["leaf"] for row in rows) == len(chart.rows) == len(forest.trees[0].leaves)
    assert [row["child"] for row in rows].count(False) == 1  # the root
    assert all(bool(row["rule"]) == row["leaf"] for row in rows)
    altair_chart([chart])  # raises if it is no Vega-Lite


def test_lines_start_at_the_parent() -> None:
    forest = income_forest()
    rows = tree_chart(forest.trees[0], forest, "A tree").spec["datasets"]["rows"]
    root, child = rows[0], rows[1]
    assert (child["from_x"], child["from_y"]) == (root["end"], root["y"])
    assert root["from_x"] is None
