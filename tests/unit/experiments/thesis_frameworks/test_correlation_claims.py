"""Sentences about correlations, on runs that were made up: what is left of them, and how far means moved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from framework_samples import outcomes
from hushwood.experiments.protocol import Finding
from hushwood.experiments.thesis_frameworks.correlation_claims import about_correlations
from hushwood.experiments.thesis_frameworks.numbers import Runs
from hushwood.experiments.thesis_frameworks.ways import EXTENDED, FRAMEWORK

BEFORE = [0.6, 0.3, -0.3]


def run(correlations: Sequence[float], shift: float = 2.0) -> dict[str, Any]:
    return {"correlations": list(correlations), "shift": shift, "change": 0.1}


def found(*of_way: dict[str, Any], records: int = 600) -> dict[str, Finding]:
    by_way = {"original": [run(BEFORE)], "random-framework": of_way}
    runs = Runs(("x", "y", "z"), (records, 100), (1.0,) * 3, by_way)
    return {key.removeprefix("random-framework: "): told for key, told in about_correlations(runs)}


def test_what_is_left_tells_whether_all_is_lost() -> None:
    """The largest of three correlations that are none is below 2.39 / sqrt(600) = 0.0975 in 95 of 100 runs."""
    lost = found(run([0.09, -0.02, 0.01]))["correlations are completely lost"]
    assert lost.holds
    assert "below 0.097" in lost.numbers
    left = found(run([0.2, 0.0, 0.0]))
    assert not left["correlations are completely lost"].holds, "a third of the largest is left"
    assert left["correlations are not kept"].holds
    assert not found(run([0.02, 0.0, 0.0]), records=40_000)["correlations are completely lost"].holds


def test_one_run_of_twenty_may_be_above_by_chance() -> None:
    key = "correlations are completely lost"
    assert found(*[run([0.0, 0.0, 0.0])] * 19, run([0.12, 0.0, 0.0]))[key].holds
    assert not found(*[run([0.0, 0.0, 0.0])] * 18, *[run([0.12, 0.0, 0.0])] * 2)[key].holds


def test_small_changes_keep_the_matrix() -> None:
    kept = found(run([0.36, 0.18, -0.18]))["correlations are not kept"]
    assert not kept.holds
    assert "0.40 to 0.40 times" in kept.numbers
    assert found(run([0.24, 0.12, -0.12]))["correlations are not kept"].holds
    assert found(run([-0.6, -0.3, 0.3]))["correlations are not kept"].holds, "as strong, and others"


def test_means_count_only_where_they_are_named() -> None:
    still = found(run([0.0, 0.0, 0.0], shift=0.1))
    assert still["correlations are not kept"].holds
    assert not still["means and correlations are not kept"].holds
    assert found(run([0.0, 0.0, 0.0], shift=0.6))["means and correlations are not kept"].holds


def test_kept_better_in_every_run() -> None:
    runs = Runs.of(outcomes())
    kept = dict(about_correlations(runs))[
        "extended-framework (gadp): correlations kept better than by framework"
    ]
    assert kept.holds is (
        max(one["change"] for one in runs.of_way(EXTENDED))
        < min(one["change"] for one in runs.of_way(FRAMEWORK))
    )
