"""Charts as specifications: valid, coloured by the page, with the same numbers as their tables."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hushwood.reports import charts
from hushwood.reports.distribution_charts import distribution_chart
from hushwood.reports.risk_charts import risk_charts
from hushwood.reports.wording import measure
from sample_release import credit_document


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return credit_document(300)


def all_charts(document: dict[str, Any]) -> list[charts.Chart]:
    cells, classes = measure(document, "unchanged_cells"), measure(document, "changed_classes")
    assert cells is not None
    assert classes is not None
    return [
        charts.segment_chart(document["release"]["segments"]),
        charts.unchanged_chart(cells),
        charts.class_chart(classes),
        *(distribution_chart(d) for d in document["release"]["distributions"]),
        *risk_charts(document),
    ]


def test_specifications_are_plain_and_name_no_address(document: dict[str, Any]) -> None:
    for chart in all_charts(document):
        text = json.dumps(chart.spec, allow_nan=False)
        assert "http" not in text
        assert chart.spec["width"] == "container"


def test_colours_come_from_the_page(document: dict[str, Any]) -> None:
    for chart in all_charts(document):
        text = json.dumps(chart.spec)
        assert "var(--" in text
        assert "#" not in text


def test_tables_are_as_wide_as_their_heads(document: dict[str, Any]) -> None:
    for chart in all_charts(document):
        assert chart.rows
        assert all(len(row) == len(chart.head) for row in chart.rows)


def test_vega_compiles_every_chart(document: dict[str, Any]) -> None:
    import altair as alt
    import vl_convert

    for chart in all_charts(document):
        alt.Chart.from_dict(dict(chart.spec) | {"width": 300})  # raises if it is no Vega-Lite
        drawn = vl_convert.vegalite_to_svg(dict(chart.spec) | {"width": 300})
        assert "NaN" not in drawn
