"""Attacks as bars with intervals and marks."""

from __future__ import annotations

import json
from typing import Any

from hushwood.reports.charts.attacks import attack_chart
from hushwood.reports.charts.frame import Chart
from support.sample_entries import attacked


def data_of(chart: Chart) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = chart.spec["datasets"][chart.spec["data"]["name"]]
    return rows


def test_one_bar_per_attempt_with_all_marks() -> None:
    chart = attack_chart([attacked(control=0.015), attacked("membership", 0.5)])
    first, second = data_of(chart)

    assert (first["success"], first["low"], first["high"]) == (0.02, 0.013, 0.031)
    assert (first["naive"], first["control"], first["untouched"]) == (0.001, 0.015, 1.0)
    assert [row["place"] for row in (first, second)] == [0, 1]
    assert first["label"] == "Nearest-record linkage: everything"
    assert chart.rows[1][:2] == ("Membership: everything", "50\N{NO-BREAK SPACE}%")


def test_a_withheld_success_is_drawn_where_guessing_is() -> None:
    chart = attack_chart([attacked(success=None, interval=None, control=None)])
    (row,) = data_of(chart)

    assert (row["success"], row["low"], row["high"]) == (0.001, 0.001, 0.001)
    assert chart.rows[0][1:] == (
        "fewer than 5 attempts",
        "–",
        "0.1\N{NO-BREAK SPACE}%",
        "–",
        "100\N{NO-BREAK SPACE}%",
    )


def test_the_verdict_colours_the_bar() -> None:
    verdicts = ("no better than guessing", "better than guessing", "much better than guessing")
    colours = [row["colour"] for row in data_of(attack_chart([attacked(verdict=v) for v in verdicts]))]

    assert colours == ["var(--after-soft)", "var(--care)", "var(--bad)"]


def test_vega_compiles_it() -> None:
    import vl_convert

    spec = dict(attack_chart([attacked(control=0.015), attacked(success=None, interval=None)]).spec)

    assert "NaN" not in vl_convert.vegalite_to_svg(spec | {"width": 300})
    assert "http" not in json.dumps(spec)
