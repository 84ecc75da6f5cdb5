"""Charts of the experiments of thesis 7.3: those for which there are numbers."""

from __future__ import annotations

from framework_samples import outcomes
from hushwood.experiments.thesis_frameworks.charts import framework_charts
from hushwood.experiments.thesis_frameworks.claims import Limits, measured_runs
from hushwood.experiments.thesis_frameworks.keys import right_key, type_key
from hushwood.experiments.thesis_frameworks.matrices import columns_of
from hushwood.experiments.thesis_frameworks.ways import FRAMEWORK

MEASURED = measured_runs("frameworks-wbc", Limits({}, 1.0), outcomes())
PRINTED = {right_key(FRAMEWORK, 2): [87.0, 88.0], type_key(FRAMEWORK, "A"): [95.5]}


def test_charts_bring_what_there_is() -> None:
    charts = framework_charts(MEASURED, PRINTED)
    titles = [chart.title for chart in charts]
    assert titles[0].startswith("Records under rules of Type A")
    assert "Right on the test records" in titles
    assert not [title for title in titles if title.startswith("Correlations after")], (
        "no matrix is printed here"
    )
    assert all(chart.rows and chart.spec["datasets"]["rows"] for chart in charts)
    assert len(columns_of(MEASURED.numbers)) == 4
