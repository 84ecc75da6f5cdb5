"""The ready-made charts: valid, coloured by the page, with the numbers they draw as a table."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from hushwood.reports.charts.frame import Chart
from hushwood_papers.reproducing.charts import Bar, Pair, Point, dots, grouped_bars, heat_map, lines, strip
from support.sample_reproduction import TABLES, TECHNIQUES, bar_chart, sample_charts

EDGES = [
    lines("nothing to draw", "s", [Point("a", 1, 0), Point("a", 2, 0)], "x", "y", logarithmic=True),
    lines("one point", "s", [Point("a", 1, 5)], "x", "y", logarithmic=True),
    dots("one dot", "s", [Pair("a", (), 1.0, 1.0, 1.0)], "x"),
    strip("one run", "s", [1.0], {}, "x"),
    strip("equal runs", "s", [3.0, 3.0], {"printed": 3.0}, "x"),
]


def rows_of(chart: Chart) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = chart.spec["datasets"]["rows"]
    return found


@pytest.mark.parametrize("chart", [*sample_charts(), *EDGES], ids=lambda chart: chart.title)
def test_vega_draws_every_chart_in_the_colours_of_the_page(chart: Chart) -> None:
    import altair as alt
    import vl_convert

    for spec in filter(None, (chart.spec, chart.second)):
        text = json.dumps(spec, allow_nan=False)
        assert "http" not in text
        assert "#" not in text
        assert "var(--" in text
        alt.Chart.from_dict(dict(spec) | {"width": 300})  # raises if it is no Vega-Lite
        assert "NaN" not in vl_convert.vegalite_to_svg(dict(spec) | {"width": 300})


@pytest.mark.parametrize("chart", sample_charts(), ids=lambda chart: chart.title)
def test_every_chart_has_its_numbers_as_a_table_and_can_be_kept_as_json(chart: Chart) -> None:
    assert chart.rows
    assert all(len(row) == len(chart.head) for row in chart.rows)
    assert all(isinstance(cell, str) and cell for row in chart.rows for cell in row)
    json.dumps(asdict(chart), allow_nan=False)


def test_bars_stand_side_by_side_with_their_intervals() -> None:
    chart = bar_chart()
    first = rows_of(chart)[0]

    assert [(row["group"], row["series"]) for row in rows_of(chart)] == [
        (table, technique) for table in TABLES for technique in TECHNIQUES
    ]
    assert (first["value"], first["low"], first["high"]) == (50, 48, 54)
    assert first["shown"] == "50 % (48 % to 54 %)"
    assert chart.rows[0] == ("Alpha", "First Way", "50 %", "48 %", "54 %")
    assert "The thin line reaches from the lowest to the highest run." in chart.says
    assert "xOffset" in chart.spec["layer"][0]["encoding"]


def test_bars_lie_down_where_their_names_need_the_room() -> None:
    long = grouped_bars("t", "s", [Bar("a name of more than forty letters, to be sure", "a", 1.0)], "y")
    many = grouped_bars("t", "s", [Bar(f"g{i}", f"s{j}", 1.0) for i in range(8) for j in range(8)], "y")

    assert "yOffset" in long.spec["layer"][0]["encoding"]
    assert rows_of(long)[0]["group"].count("\n") == 3
    assert long.rows[0][0] == "a name of more than forty letters, to be sure"
    assert "yOffset" in many.spec["layer"][0]["encoding"]
    assert many.spec["height"] >= 8 * 8 * 10


def test_without_intervals_none_are_told() -> None:
    chart = grouped_bars("t", "says.", [Bar("g", "a", 1.0)], "value")

    assert chart.head == ("Group", "Series", "value")
    assert chart.rows == [("g", "a", "1")]
    assert chart.says == "says."
    assert "low" not in rows_of(chart)[0]


def test_what_is_printed_has_a_colour_of_its_own_and_the_others_keep_theirs() -> None:
    def colours(*series: str) -> dict[str, str]:
        chart = grouped_bars("t", "s", [Bar("g", name, 1.0) for name in series], "y")
        scale = chart.spec["layer"][0]["encoding"]["color"]["scale"]
        return dict(zip(scale["domain"], scale["range"], strict=True))

    both, alone = colours("printed", "ours"), colours("ours")
    assert both["printed"] == "var(--before)"
    assert both["ours"] == alone["ours"] != both["printed"]
    assert colours("original", "a", "b") == {"original": "var(--before)"} | colours("a", "b")
    assert len(set(colours(*"abcdefg").values())) == 7
    assert len(colours(*"abcdefghijklmnop")) == 16


def test_lines_are_told_apart_by_shape_and_dash_too() -> None:
    chart = lines("t", "s", [Point(name, x, x) for name in "abc" for x in (1.0, 2.0)], "x", "y")
    strokes, marks = chart.spec["layer"][1]["encoding"], chart.spec["layer"][2]["encoding"]

    assert len({json.dumps(dash) for dash in strokes["strokeDash"]["scale"]["range"]}) == 3
    assert len(set(marks["shape"]["scale"]["range"])) == 3
    assert chart.rows[0] == ("a", "1", "1")


def test_runs_that_are_all_the_same_are_no_interval() -> None:
    chart = grouped_bars("t", "says.", [Bar("g", "a", 1.0, 1.0, 1.0)], "value")

    assert chart.says == "says."
    assert chart.rows == [("g", "a", "1")]


def test_places_that_are_whole_numbers_are_written_so() -> None:
    def format_of(*places: float) -> object:
        chart = lines("t", "s", [Point("a", x, 1.0) for x in places], "x", "y")
        return chart.spec["layer"][1]["encoding"]["x"]["axis"].get("format")

    assert format_of(2, 4, 5) == ",d"
    assert format_of(0.5, 1.0) is None


def test_a_logarithmic_axis_leaves_out_what_has_no_logarithm_but_tells_it() -> None:
    points = [
        Point("a", 1, 0.0),
        Point("a", 2, 30.0),
        Point("a", 3, 4000.0, 0.0, 5000.0),
        Point("a", 4, 200.0),
    ]
    chart = lines("t", "s", points, "x", "records", logarithmic=True)

    assert [row["x"] for row in rows_of(chart)] == [2, 4]
    assert [row[1] for row in chart.rows] == ["1", "2", "3", "4"]
    value = chart.spec["layer"][1]["encoding"]["y"]
    assert value["scale"] == {"type": "log", "domain": [10.0, 1000.0]}
    assert value["title"] == "records (logarithmic)"


def test_printed_diamonds_stand_beside_our_dot() -> None:
    pairs = [Pair("a", (84.0, 83.5), 84.25, 82.0, 86.0), Pair("b", (), 1.0, 1.0, 1.0)]
    chart = dots("t", "s", pairs, "right (%)")

    assert [(row["label"], row["kind"], row["value"]) for row in rows_of(chart)] == [
        ("a", "printed", 84.0),
        ("a", "printed", 83.5),
        ("a", "ours", 84.25),
        ("b", "ours", 1.0),
    ]
    assert chart.rows == [("a", "84, 83.5", "84.25", "82", "86"), ("b", "–", "1", "1", "1")]


def test_long_names_of_dots_are_broken_and_short_ones_stay_next_to_their_dot() -> None:
    chart = dots("t", "s", [Pair("x " * 40, (), 1, 1, 1), Pair("short", (), 1, 1, 1)], "x")

    long, short = (row["name"].split("\n") for row in rows_of(chart))
    assert len(long) == len(short) == 2
    assert short == [" ", "short"]


def test_every_run_is_in_a_bar_and_printed_values_are_named() -> None:
    values = [float(i % 10) for i in range(100)]
    chart = strip("t", "s", values, {"first": 2.0, "second": 20.0}, "share")

    assert sum(row["runs"] for row in rows_of(chart)) == 100
    assert rows_of(chart)[0]["from"] == 0.0
    low, high = chart.spec["layer"][0]["encoding"]["x"]["scale"]["domain"]
    assert low < 0.0
    assert high > 20.0
    assert {"first 2", "second 20"} <= {
        layer["encoding"].get("text", {}).get("value") for layer in chart.spec["layer"]
    }
    assert chart.rows[-2:] == [("first: 2", "–"), ("second: 20", "–")]


def test_no_upright_line_crosses_the_name_of_another() -> None:
    chart = strip("t", "s", [0.0, 100.0], {"a": 70.0, "b": 90.0, "c": 10.0, "d": 30.0}, "x")
    named = {
        layer["encoding"]["text"]["value"][0]: (layer["encoding"]["y"]["value"], layer["mark"]["align"])
        for layer in chart.spec["layer"]
        if layer["mark"]["type"] == "text"
    }

    assert named["c"][0] < named["d"][0]
    assert named["b"][0] < named["a"][0]
    assert [named[name][1] for name in "abcd"] == ["right", "right", "left", "left"]


def test_names_of_near_marks_go_the_same_way() -> None:
    chart = strip("t", "s", [0.0, 100.0], {"a": 49.0, "b": 55.0}, "x")
    texts = [layer for layer in chart.spec["layer"] if layer["mark"]["type"] == "text"]

    assert [layer["encoding"]["text"]["value"] for layer in texts] == ["b 55", "a 49"]
    assert {layer["mark"]["align"] for layer in texts} == {"right"}


def test_two_matrices_keep_their_captions() -> None:
    matrix = [[1.0, -0.5], [-0.5, 1.0]]
    chart = heat_map("t", "s", ("a", "b"), matrix, [[1.0, 0.25], [0.25, 1.0]], ("printed", "ours"))

    assert chart.captions == ("printed", "ours")
    assert chart.head == ("Pair", "Kind", "Printed", "Ours", "Apart")
    assert chart.rows == [("a and b", "Pearson's r", "-0.50", "0.25", "0.75")]
