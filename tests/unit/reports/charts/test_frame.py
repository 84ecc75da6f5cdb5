"""Charts as specifications: valid, coloured by the page, with the same numbers as their tables."""

from __future__ import annotations

import json

import pytest

from hushwood.evaluation.evaluation import Evaluation
from hushwood.measures.risk.changed_classes import ChangedClasses
from hushwood.reports.charts.columns import class_chart, distribution_chart, segment_chart, small_chart
from hushwood.reports.charts.frame import Chart
from hushwood.reports.charts.risk import attack_charts, risk_charts
from hushwood.reports.release.judgement import details_of
from support.sample_release import credit_evaluation


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return credit_evaluation(300)


def all_charts(evaluation: Evaluation) -> list[Chart]:
    release = evaluation.release
    assert release.segments is not None
    return [
        segment_chart(release.segments),
        class_chart(details_of(evaluation, ChangedClasses)),
        *attack_charts(evaluation.tried),
        *(distribution_chart(d) for d in release.distributions),
        *(small_chart(d, "It moved") for d in release.distributions),
        *risk_charts(evaluation),
    ]


def test_specifications_are_plain_and_name_no_address(evaluation: Evaluation) -> None:
    for chart in all_charts(evaluation):
        text = json.dumps(chart.spec, allow_nan=False)
        assert "http" not in text
        assert chart.spec["width"] == "container"


def test_colours_come_from_the_page(evaluation: Evaluation) -> None:
    for chart in all_charts(evaluation):
        text = json.dumps(chart.spec)
        assert "var(--" in text
        assert "#" not in text


def test_tables_are_as_wide_as_their_heads(evaluation: Evaluation) -> None:
    for chart in all_charts(evaluation):
        assert chart.rows
        assert all(len(row) == len(chart.head) for row in chart.rows)


def test_vega_compiles_every_chart(evaluation: Evaluation) -> None:
    import altair as alt
    import vl_convert

    for chart in all_charts(evaluation):
        alt.Chart.from_dict(dict(chart.spec) | {"width": 300})  # raises if it is no Vega-Lite
        drawn = vl_convert.vegalite_to_svg(dict(chart.spec) | {"width": 300})
        assert "NaN" not in drawn
