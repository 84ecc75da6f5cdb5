"""The thesis' sentences judged by runs: when they hold, and which numbers are told."""

from __future__ import annotations

import pytest

from framework_samples import outcomes
from hushwood.experiments.reproducing.printed_numbers import printed
from hushwood.experiments.thesis_frameworks.claims import findings, measured_runs
from hushwood.experiments.thesis_frameworks.numbers import Runs
from hushwood.experiments.thesis_frameworks.ways import EXTENDED, FRAMEWORK, RANDOM

RUNS = Runs.of(outcomes())
FOUND = findings(RUNS, {FRAMEWORK: 5.0, RANDOM: 0.01})


def test_a_limit_holds_or_does_not() -> None:
    assert FOUND["framework: near the original tree on its own records"].holds
    refuted = FOUND["random-framework: near the original tree on its own records"]
    assert not refuted.holds
    assert "below 0.01 in 0 of 1 run" in refuted.numbers


def test_rules_and_correlations() -> None:
    assert FOUND["framework: the original tree is as right as before"].holds
    assert FOUND["framework is more often right than random-framework"].holds
    kept = FOUND["extended-framework (gadp): correlations kept better than by framework"]
    assert kept.holds is (
        max(run["change"] for run in RUNS.of_way(EXTENDED))
        < min(run["change"] for run in RUNS.of_way(FRAMEWORK))
    )
    types = [run["types"] for run in RUNS.of_way(FRAMEWORK)]
    assert FOUND["framework: no Type D"].holds is all(shares["D"] == 0 for shares in types)
    assert FOUND["random-framework: only Type C or D"].holds is all(
        run["types"]["A"] + run["types"]["B"] == 0 for run in RUNS.of_way(RANDOM)
    )


def test_nothing_is_said_of_ways_that_were_not_run() -> None:
    without = {name: told for name, told in outcomes().items() if not name.startswith("random")}
    found = findings(Runs.of(without), {RANDOM: 1.0})
    assert not [key for key in found if "random" in key]
    assert "framework: no Type D" in found


@pytest.mark.parametrize("name", ["frameworks-adult", "frameworks-wbc"])
def test_every_printed_sentence_has_a_judge(name: str) -> None:
    from hushwood.experiments.registry import experiment_named

    limits = experiment_named(name).measure.args[1]  # type: ignore[attr-defined]
    claims = measured_runs(name, limits, _with_gadp()).claims
    missing = [claim.key for claim in printed(name).claims if claim.key not in claims]
    assert not missing


def _with_gadp() -> dict[str, dict[str, object]]:
    """The sample's outcomes, GADP's borrowed from another way: only the keys matter."""
    told = {name: dict(outcome) for name, outcome in outcomes().items()}
    borrowed = told["random-extended-framework, runs 1 to 1"]
    return told | {"gadp": borrowed | {"way": "gadp"}}
