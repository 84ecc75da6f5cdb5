"""Counts among five runs: likely and unlikely ones, from rates that our runs tell."""

from __future__ import annotations

from typing import Any

from scipy.stats import binom

from hushwood.experiments.protocol import Finding
from hushwood.experiments.thesis_frameworks.few_runs import counts_among_five
from hushwood.experiments.thesis_frameworks.numbers import Runs

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
    assert rare.numbers.startswith("5 of 100 runs are so")
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
    assert told.startswith("2 of 3 runs are so"), "two of 1,000 records are not below it"


def test_most_is_more_than_half() -> None:
    key = "extended-framework (gadp): most trees have Type C alone"
    alone = run() | {"types": {"A": 0, "B": 0, "C": 100, "D": 0}}
    assert not found("extended-framework (gadp)", alone, run())[key].holds
    assert found("extended-framework (gadp)", alone, alone, run())[key].holds


def test_ways_that_were_not_run_have_no_finding() -> None:
    assert all(key.startswith("gadp") for key in found("gadp", run()))
