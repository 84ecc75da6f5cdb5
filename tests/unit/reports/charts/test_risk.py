"""Entropies as charts: exposed records marked, doubt by what is known, the numbers as a table."""

from __future__ import annotations

from typing import Any

from hushwood.reports.charts.frame import Chart
from hushwood.reports.charts.risk import risk_charts
from support.sample_entries import evaluation_of, risk_entry


def charts_of(name: str, **details: Any) -> list[Chart]:
    return risk_charts(evaluation_of(risk_entry(name, details=details)))


def data_of(chart: Chart) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = chart.spec["datasets"][chart.spec["data"]["name"]]
    return rows


def test_records_below_the_threshold_are_marked_in_the_histogram() -> None:
    histogram = {"edges": [0.0, 2.0, 4.0, 6.0], "counts": [3, 10, 0]}
    (chart,) = charts_of("reidentification_entropy", histogram=histogram, threshold_bits=4.0)

    assert [row["exposed"] for row in data_of(chart)] == [True, True, False]
    assert chart.rows == [("0.00 – 2.00 bits", "3"), ("2.00 – 4.00 bits", "10"), ("4.00 – 6.00 bits", "none")]
    assert chart.says.endswith("Bars below 4.00 bits are marked.")


def test_equal_records_still_have_a_bar_that_can_be_seen() -> None:
    (chart,) = charts_of("sers", histogram={"edges": [9.5, 9.5], "counts": [7]})
    (row,) = data_of(chart)

    assert row["high"] > row["low"]
    assert (row["exposed"], "marked" in chart.says) == (False, False)


def test_doubt_by_the_number_of_known_attributes() -> None:
    sizes = [
        {"known": 0, "mean_bits": 9.0, "deviation": 0.0, "below_threshold": 0.0},
        {"known": 1, "mean_bits": 0.5, "deviation": 1.0, "below_threshold": 0.25},
    ]
    (chart,) = charts_of("reidentification_entropy", by_size=sizes)

    assert [(row["low"], row["high"]) for row in data_of(chart)] == [(9.0, 9.0), (0.0, 1.5)]
    assert chart.rows == [("0", "9.00", "0\N{NO-BREAK SPACE}%"), ("1", "0.50", "25\N{NO-BREAK SPACE}%")]


def test_published_means_have_no_spread() -> None:
    (chart,) = charts_of("class_entropy", by_size=[{"known": 0, "mean_bits": 0.9}])
    (row,) = data_of(chart)

    assert (row["low"], row["high"]) == (0.9, 0.9)
    assert chart.rows == [("0", "0.90", "–")]


def test_unchanged_cells_have_their_chart_here() -> None:
    cell = {"column": "age", "share": 0.25, "by_chance": 0.1}
    (chart,) = charts_of("unchanged_cells", columns=[cell])

    assert chart.title == "Unchanged cells by column"
    assert charts_of("unchanged_cells", columns=[]) == []
    assert risk_charts(evaluation_of()) == []
