"""Table 8.1 from outcomes that were made up."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood_papers.disclosure.disclosure_wbc import EXPERIMENT, tasks
from hushwood_papers.disclosure.table_8_1 import drawn, key, measured
from hushwood_papers.protocol import Size


def outcomes(class_bits: float, record_bits: float) -> dict[str, dict[str, Any]]:
    original = {
        "record": [9.0] + [0.0] * 9,
        "class": [0.9] + [0.0] * 9,
        "pairs": 36,
        "pairs_that_tell_the_class": 36,
        "fives": 126,
        "fives_that_tell_the_record": 63,
        "leaf": {"records": 40, "of its class": 39},
    }
    column = {"record": [9.0] + [record_bits] * 9, "class": [0.9] + [class_bits] * 9}
    return {"original": original, "perturbed, runs 1 to 2": {"runs": [{"perturbed tree": column}] * 2}}


def test_numbers_by_key() -> None:
    found = measured(outcomes(0.2, 8.0))
    assert found.numbers[key("original", 0, "record")] == [9.0]
    assert found.numbers[key("perturbed tree", 9, "record")] == [8.0, 8.0]
    assert found.numbers["original table: % of fives that tell the record"] == [50.0]
    assert key("bell curve", 9, "record") not in found.numbers


def test_findings_go_both_ways() -> None:
    held = {name: one.holds for name, one in measured(outcomes(0.2, 8.0)).claims.items()}
    assert held == {
        "two attributes tell the class": True,
        "five attributes tell the record": False,
        "never the record": True,
        "never the class": True,
        "the entropy stays high": True,
        "the class entropy is low from three on": True,
    }
    other = {name for name, one in measured(outcomes(0.8, 0.0)).claims.items() if not one.holds}
    assert {"never the record", "the entropy stays high", "the class entropy is low from three on"} < other
    class_ = measured(outcomes(0.0, 8.0)).claims["never the class"]
    assert not class_.holds
    assert "39 of 40 records have its class" in class_.numbers
    five = measured(outcomes(0.2, 8.0)).claims["five attributes tell the record"].numbers
    assert "the table's order of attributes" in five
    assert five.endswith("63 of all 126 sets of five attributes do")


def test_without_perturbed_runs_there_is_the_original_alone() -> None:
    found = measured({"original": outcomes(0, 0)["original"]})
    assert set(found.claims) == {"two attributes tell the class", "five attributes tell the record"}


def test_printed_lines_stand_beside_ours() -> None:
    charts = drawn(measured(outcomes(0.2, 8.0)), {key("original", 1, "record"): [5.17]})
    assert ("original, printed", "1", "5.17") in [tuple(row[:3]) for row in charts[0].rows]


def test_blocks_cover_all_runs_once() -> None:
    blocks = [task.settings for task in tasks(Size(repeats=25)) if task.settings]
    runs = [run for block in blocks for run in range(block["first"], block["last"] + 1)]
    assert runs == list(range(1, 26))
    assert len(tasks(EXPERIMENT.small)) == 2
    assert sum(task.cost for task in tasks(EXPERIMENT.full)) == pytest.approx(51)
