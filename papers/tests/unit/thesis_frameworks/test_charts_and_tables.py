"""Charts and the docs' table of thesis 7.3: what is drawn, a line per technique, ranges only with several runs."""

from __future__ import annotations

import pytest

from hushwood_papers.protocol import Measured
from hushwood_papers.thesis_frameworks.charts_and_tables import HEADINGS, framework_charts, framework_markdown
from hushwood_papers.thesis_frameworks.claims import Limits, measured_runs
from hushwood_papers.thesis_frameworks.numbers_by_key import columns_of, right_key, type_key
from hushwood_papers.thesis_frameworks.releases import FRAMEWORK
from support.framework_samples import WAYS, outcomes

PRINTED = {right_key(FRAMEWORK, 2): [87.0, 88.0], type_key(FRAMEWORK, "A"): [95.5]}


@pytest.fixture(scope="module")
def measured() -> Measured:
    return measured_runs("frameworks-wbc", Limits({}, 1.0), outcomes())


def test_charts_bring_what_there_is(measured: Measured) -> None:
    charts = framework_charts(measured, PRINTED)
    titles = [chart.title for chart in charts]
    assert titles[0].startswith("Records under rules of Type A")
    assert "Right on the test records" in titles
    assert not [title for title in titles if title.startswith("Correlations after")], (
        "no matrix is printed here"
    )
    assert all(chart.rows and chart.spec["datasets"]["rows"] for chart in charts)
    assert len(columns_of(measured.numbers)) == 4


def test_every_way_has_a_line(measured: Measured) -> None:
    lines = framework_markdown(measured, PRINTED).splitlines()
    assert [line.split(" | ")[0] for line in lines[2:]] == [f"| {way}" for way in WAYS]
    assert {line.count("|") for line in lines} == {len(HEADINGS) + 1}


def test_cells_hold_both_sides(measured: Measured) -> None:
    original, framework = (
        line.strip("| ").split(" | ") for line in framework_markdown(measured, PRINTED).splitlines()[2:4]
    )
    assert original[1:3] == ["0.000", "–"]
    assert original[9] == "100.0 %"
    assert framework[6] == "87.5 % (87.0 to 88.0)"
    assert framework[10] == "95.5 %"
    assert " to " in framework[1]
