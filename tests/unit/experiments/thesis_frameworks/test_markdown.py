"""The table for the docs: a line for every way, ranges only where there are several runs."""

from __future__ import annotations

from framework_samples import WAYS, outcomes
from hushwood.experiments.thesis_frameworks.claims import Limits, measured_runs
from hushwood.experiments.thesis_frameworks.keys import right_key, type_key
from hushwood.experiments.thesis_frameworks.markdown import HEADINGS, framework_markdown
from hushwood.experiments.thesis_frameworks.ways import FRAMEWORK

MEASURED = measured_runs("frameworks-wbc", Limits({}, 1.0), outcomes())
PRINTED = {right_key(FRAMEWORK, 2): [87.0, 88.0], type_key(FRAMEWORK, "A"): [95.5]}


def test_every_way_has_a_line() -> None:
    lines = framework_markdown(MEASURED, PRINTED).splitlines()
    assert [line.split(" | ")[0] for line in lines[2:]] == [f"| {way}" for way in WAYS]
    assert {line.count("|") for line in lines} == {len(HEADINGS) + 1}


def test_cells_hold_both_sides() -> None:
    original, framework = (
        line.strip("| ").split(" | ") for line in framework_markdown(MEASURED, PRINTED).splitlines()[2:4]
    )
    assert original[1:3] == ["0.000", "–"]
    assert original[9] == "100.0 %"
    assert framework[6] == "87.5 % (87.0 to 88.0)"
    assert framework[10] == "95.5 %"
    assert " to " in framework[1]
