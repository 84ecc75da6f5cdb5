"""The thesis' sentences about rules, judged by runs; and counts among five runs, likely and unlikely ones."""

from __future__ import annotations

from typing import Any

import pytest
from scipy.stats import binom

from hushwood_papers.protocol import Finding
from hushwood_papers.reproducing.printed_numbers import printed
from hushwood_papers.thesis_frameworks.claims import Limits, counts_among_five, findings, measured_runs
from hushwood_papers.thesis_frameworks.frameworks_adult import LIMITS as OF_ADULT
from hushwood_papers.thesis_frameworks.frameworks_wbc import LIMITS as OF_WBC
from hushwood_papers.thesis_frameworks.numbers_by_key import Runs
from hushwood_papers.thesis_frameworks.releases import FRAMEWORK, RANDOM
from support.framework_samples import outcomes


def test_rules() -> None:
    runs = Runs.of(outcomes())
    by_key = findings(runs, Limits({FRAMEWORK: 5.0, RANDOM: 0.01}, 1.0), {})
    assert by_key["framework: the original tree is as right as before"].holds
    types = [run["types"] for run in runs.of_way(FRAMEWORK)]
    assert by_key["framework: no Type D"].holds is all(shares["D"] == 0 for shares in types)
    assert by_key["random-framework: only Type C or D"].holds is all(
        run["types"]["A"] + run["types"]["B"] == 0 for run in runs.of_way(RANDOM)
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


NO_D = "framework: 4 of 5 runs without Type D"


def run(d: float = 0.0, b: float = 0.0, leaves: int = 10, right: int = 900) -> dict[str, Any]:
    types = {"A": 100 - b - d, "B": b, "C": 0.0, "D": d}
    return {"types": types, "types_if_shortened_is_b": types, "leaves": leaves, "right": [right, 0, 0]}


def found(way: str, *of_way: dict[str, Any]) -> dict[str, Finding]:
    by_way = {"original": [run(right=900)], way: of_way}
    return dict(counts_among_five(Runs(("x",), (1000, 100), (1.0,), by_way)))


def test_a_count_is_likely_or_not() -> None:
    assert found("framework", *[run()] * 80, *[run(d=5)] * 20)[NO_D].holds
    rare = found("framework", *[run()] * 5, *[run(d=5)] * 95)[NO_D]
    assert not rare.holds
    assert rare.numbers.startswith("true of 5 of 100 runs;")
    assert not found("framework", *[run()] * 1000)[NO_D].holds, (
        "if all runs are so, four of five are unlikely"
    )


def test_the_chance_is_the_binomial_one_when_runs_are_many() -> None:
    told = found("framework", *[run()] * 3000, *[run(d=5)] * 7000)[NO_D].numbers
    exact = sum(p for p in binom.pmf(range(6), 5, 0.3) if p <= binom.pmf(4, 5, 0.3))
    assert f"is {exact:.2g} (" in told


def test_near_the_original_tree_is_below_a_fifth_of_a_point() -> None:
    key = "framework: 4 of 5 runs within 0.2 points of the original tree on its own records"
    told = found("framework", run(right=901), run(right=899), run(right=902))[key].numbers
    assert told.startswith("true of 2 of 3 runs;"), "two of 1,000 records are not below it"


def test_most_is_more_than_half() -> None:
    key = "extended-framework (gadp): most trees have Type C alone"
    alone = run() | {"types": {"A": 0, "B": 0, "C": 100, "D": 0}}
    assert not found("extended-framework (gadp)", alone, run())[key].holds
    assert found("extended-framework (gadp)", alone, alone, run())[key].holds


def test_ways_that_were_not_run_have_no_finding() -> None:
    assert all(key.startswith("gadp") for key in found("gadp", run()))
