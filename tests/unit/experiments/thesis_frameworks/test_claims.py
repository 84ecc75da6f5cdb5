"""The thesis' sentences judged by runs: when they hold, and that every printed one has a judge."""

from __future__ import annotations

import pytest

from framework_samples import outcomes
from hushwood.experiments.reproducing.printed_numbers import printed
from hushwood.experiments.thesis_frameworks.claims import Limits, findings, measured_runs
from hushwood.experiments.thesis_frameworks.frameworks_adult import LIMITS as OF_ADULT
from hushwood.experiments.thesis_frameworks.frameworks_wbc import LIMITS as OF_WBC
from hushwood.experiments.thesis_frameworks.numbers import Runs
from hushwood.experiments.thesis_frameworks.ways import FRAMEWORK, RANDOM

RUNS = Runs.of(outcomes())
FOUND = findings(RUNS, Limits({FRAMEWORK: 5.0, RANDOM: 0.01}, 1.0), {})


def test_rules() -> None:
    assert FOUND["framework: the original tree is as right as before"].holds
    types = [run["types"] for run in RUNS.of_way(FRAMEWORK)]
    assert FOUND["framework: no Type D"].holds is all(shares["D"] == 0 for shares in types)
    assert FOUND["random-framework: only Type C or D"].holds is all(
        run["types"]["A"] + run["types"]["B"] == 0 for run in RUNS.of_way(RANDOM)
    )


def test_nothing_is_said_of_ways_that_were_not_run() -> None:
    without = {name: told for name, told in outcomes().items() if not name.startswith("random")}
    found = findings(Runs.of(without), Limits({RANDOM: 1.0}, 1.0), {})
    assert not [key for key in found if "random" in key]
    assert "framework: no Type D" in found


@pytest.mark.parametrize(("name", "limits"), [("frameworks-adult", OF_ADULT), ("frameworks-wbc", OF_WBC)])
def test_every_printed_sentence_has_a_judge(name: str, limits: Limits) -> None:
    claims = measured_runs(name, limits, _with_gadp()).claims
    missing = [claim.key for claim in printed(name).claims if claim.key not in claims and not claim.cannot]
    assert not missing


@pytest.mark.parametrize(("name", "runs"), [("frameworks-adult", 1), ("frameworks-wbc", 2)])
def test_printed_runs_that_are_met_again_are_counted(name: str, runs: int) -> None:
    numbers = measured_runs(name, Limits({}, 1.0), outcomes()).numbers
    assert sum("numbers right on training and test records of printed run" in key for key in numbers) == 2
    own = [key for key in numbers if "of their own records, as printed" in key]
    assert len(own) == runs, "both runs on Adult have the same number"


def _with_gadp() -> dict[str, dict[str, object]]:
    """The sample's outcomes with five runs of every way, GADP's borrowed: only the keys matter."""
    told = {name: dict(outcome) for name, outcome in outcomes().items()}
    for name, outcome in told.items():
        if not name.startswith("original"):
            outcome["runs"] = (outcome["runs"] * 5)[:5]
    borrowed = told["random-extended-framework, runs 1 to 1"]
    return told | {"gadp": borrowed | {"way": "gadp"}}
