"""Entropies as charts: exposed records marked, doubt by what is known, the numbers as a table."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hushwood.reports.charts.frame import Chart
from hushwood.reports.charts.risk import attack_charts, risk_charts
from support.sample_entries import attacked, evaluation_of, risk_entry


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


def test_one_bar_per_attempt_with_all_marks() -> None:
    chart, other = attack_charts(
        [attacked(control=0.015), attacked("membership", 0.5), attacked("linkability")]
    )
    first, second = data_of(chart)

    assert (first["success"], first["low"], first["high"]) == (0.02, 0.013, 0.031)
    assert (first["naive"], first["control"], first["untouched"]) == (0.001, 0.015, 1.0)
    assert [row["place"] for row in (first, second)] == [0, 1]
    assert first["label"] == "Nearest-record linkage: everything"
    assert other.rows[0][:2] == ("Membership: everything", "50\N{NO-BREAK SPACE}%")


def test_attacks_that_look_for_a_record_have_an_axis_of_their_own() -> None:
    finding, guessing = attack_charts([attacked(control=0.04), attacked("attribute_inference", 0.9)])

    ends = [chart.spec["layer"][0]["encoding"]["x"]["scale"]["domain"][1] for chart in (finding, guessing)]
    assert ends == [pytest.approx(1.1 * 0.04), 1.0]
    fields = [[one["encoding"]["x"].get("field") for one in c.spec["layer"]] for c in (finding, guessing)]
    assert ["untouched" in found for found in fields] == [False, True]
    assert attack_charts([]) == []
    assert len(attack_charts([attacked("membership")])) == 1


def test_an_axis_of_small_rates_is_never_empty() -> None:
    (chart,) = attack_charts([attacked(success=0.0, naive=0.0, interval=[0.0, 0.0])])

    assert chart.spec["layer"][0]["encoding"]["x"]["scale"]["domain"][1] > 0.005


def test_a_withheld_success_is_drawn_where_guessing_is() -> None:
    (chart,) = attack_charts([attacked(success=None, interval=None, control=None)])
    (row,) = data_of(chart)

    assert (row["success"], row["low"], row["high"]) == (0.001, 0.001, 0.001)
    assert chart.rows[0][1:] == (
        "fewer than 5 attempts",
        "–",
        "0.1\N{NO-BREAK SPACE}%",
        "–",
        "100\N{NO-BREAK SPACE}%",
    )


def test_the_grade_of_the_full_answer_colours_the_bar() -> None:
    verdicts = ("no better than guessing", "better than guessing", "much better than guessing")
    answers = [attacked(verdict=v) for v in verdicts]
    (chart,) = attack_charts(answers)
    (other,) = attack_charts(answers, answers[::-1])

    colours = ["var(--after-soft)", "var(--care)", "var(--bad)"]
    assert [row["colour"] for row in data_of(chart)] == colours
    assert [row["colour"] for row in data_of(other)] == colours[::-1]


def test_vega_compiles_it() -> None:
    import vl_convert

    (chart,) = attack_charts([attacked(control=0.015), attacked(success=None, interval=None)])
    spec = dict(chart.spec)

    assert "NaN" not in vl_convert.vegalite_to_svg(spec | {"width": 300})
    assert "http" not in json.dumps(spec)
