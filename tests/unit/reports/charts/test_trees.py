"""The charts of a published tree: valid, coloured by the page, with the same numbers as their tables."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hushwood.evaluation.publication import Publication
from hushwood.reports.charts.altair_charts import altair_chart
from hushwood.reports.charts.frame import Chart
from hushwood.reports.charts.trees import group_chart, prediction_chart, tree_chart
from support.sample_publication import many_groups, one_leaf, regression, two_trees
from support.small_trees import income_forest


def charts_of(document: dict[str, Any]) -> list[Chart]:
    found = prediction_chart(Publication.from_json(document))
    return [group_chart(Publication.from_json(document)), *([found] if found else [])]


@pytest.mark.parametrize("made", [two_trees, regression, one_leaf, many_groups])
def test_vega_draws_every_chart_in_the_colours_of_the_page(made: Any) -> None:
    import altair as alt
    import vl_convert

    for chart in charts_of(made()):
        text = json.dumps(chart.spec, allow_nan=False)
        assert "http" not in text
        assert "#" not in text
        assert "var(--" in text
        assert chart.rows
        assert all(len(row) == len(chart.head) for row in chart.rows)
        alt.Chart.from_dict(dict(chart.spec) | {"width": 300})  # raises if it is no Vega-Lite
        assert "NaN" not in vl_convert.vegalite_to_svg(dict(chart.spec) | {"width": 300})


def test_groups_are_as_tall_as_they_are_large() -> None:
    chart = group_chart(Publication.from_json(two_trees()))

    assert [row["records"] for row in chart.spec["datasets"]["rows"]] == [12, 18, 20, 50]
    assert chart.rows == [("1", "12"), ("2", "18"), ("3", "20"), ("4", "50")]
    assert "the K of 5 that was asked for" in chart.says
    assert '"datum": 5' in json.dumps(chart.spec)


def test_groups_that_are_not_shown_are_counted() -> None:
    assert "The 7 largest are not." in group_chart(Publication.from_json(many_groups())).says
    assert "largest are" not in group_chart(Publication.from_json(two_trees())).says


def test_three_predictions_are_compared() -> None:
    chart = prediction_chart(Publication.from_json(two_trees()))

    assert chart is not None
    assert [row[0] for row in chart.rows] == ["as published", "without K and L", "naive guess"]
    assert [row["value"] for row in chart.spec["datasets"]["rows"]] == [0.8, 0.85, 0.6]


def test_a_score_below_zero_is_written_clear_of_its_bar() -> None:
    chart = prediction_chart(Publication.from_json(regression()))

    assert chart is not None
    assert chart.spec["datasets"]["rows"][2]["value"] == -0.01
    assert chart.spec["datasets"]["rows"][2]["end"] == 0.0


def test_without_unseen_records_there_is_nothing_to_draw() -> None:
    assert prediction_chart(Publication.from_json(one_leaf())) is None


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
