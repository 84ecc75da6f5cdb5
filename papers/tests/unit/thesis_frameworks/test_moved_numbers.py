"""Sentences about correlations and accuracies, on made-up runs: what is left, ranks, margins, and too few runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from hushwood_papers.protocol import Finding
from hushwood_papers.thesis_frameworks.moved_numbers import about_accuracies, about_correlations
from hushwood_papers.thesis_frameworks.numbers_by_key import Runs, count_key
from hushwood_papers.thesis_frameworks.releases import EXTENDED, FRAMEWORK, ORIGINAL, RANDOM, Way
from support.framework_samples import outcomes

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


SLIGHTLY = "extended-framework (gadp) is right slightly less often than framework"
LESS = "random-framework is right less often than framework"


def found_of_accuracies(
    rights: Mapping[Way, Sequence[int]], theirs: Mapping[str, Sequence[float]] = {}
) -> dict[str, Finding]:
    """Runs on 1,000 training and 1,000 test records, right on as many of every table."""
    by_way = {str(way): [{"right": [right] * 3} for right in of_way] for way, of_way in rights.items()}
    runs = Runs(("x",), (1000, 1000), (1.0,), by_way)
    return dict(about_accuracies(runs, {FRAMEWORK: 1.0}, 0.5, theirs))


def test_less_right_is_a_matter_of_ranks() -> None:
    clear = found_of_accuracies({FRAMEWORK: [850, 851, 852, 853], RANDOM: [845, 846, 847, 848]})[LESS]
    assert clear.holds
    assert "p = 0.014" in clear.numbers, "1 of 70 ways to mix four and four"
    mixed = found_of_accuracies({FRAMEWORK: [850, 851, 852, 900], RANDOM: [845, 853, 854, 855]})[LESS]
    assert not mixed.holds, "the mean is higher, the ranks are not"


def test_equal_runs_are_not_less_right() -> None:
    same = found_of_accuracies({FRAMEWORK: [850] * 4, RANDOM: [850] * 4})[LESS]
    assert not same.holds
    assert "p = 1)" in same.numbers


def test_too_few_runs_say_nothing() -> None:
    assert LESS not in found_of_accuracies({FRAMEWORK: [850, 851, 852, 853, 854], RANDOM: [500]})


def test_slightly_is_less_than_three_points() -> None:
    framework = [850, 851, 852, 853]
    assert found_of_accuracies({FRAMEWORK: framework, EXTENDED: [830, 831, 832, 833]})[SLIGHTLY].holds
    assert not found_of_accuracies({FRAMEWORK: framework, EXTENDED: [800, 801, 802, 803]})[SLIGHTLY].holds
    assert not found_of_accuracies({FRAMEWORK: framework, EXTENDED: [860, 861, 862, 863]})[SLIGHTLY].holds


@pytest.mark.parametrize(("right", "holds"), [(749, True), (751, False)])
def test_very_poor_is_ten_points_below_the_original_tree_in_every_run(right: int, holds: bool) -> None:
    claims = found_of_accuracies({ORIGINAL: [850], RANDOM: [700, right]})
    assert claims["random-framework: very poor on its own records"].holds is holds
    assert claims["random-framework: very poor on all records"].holds is holds


def test_below_the_original_tree_is_a_matter_of_signs() -> None:
    key = "random-framework is right less often than original and framework"
    five = {ORIGINAL: [900], FRAMEWORK: [850, 851, 852, 853, 854]}
    held = found_of_accuracies({**five, RANDOM: [800, 801, 802, 803, 804]})[key]
    assert held.holds
    assert "by original on the training records (p = 0.031)" in held.numbers
    assert not found_of_accuracies({**five, RANDOM: [800, 801, 802, 803, 901]})[key].holds
    assert key not in found_of_accuracies({**five, RANDOM: [800, 801, 802, 803]})


def test_a_limit_on_own_records_holds_in_every_run_or_does_not() -> None:
    key = "framework: near the original tree on its own records"
    assert found_of_accuracies({ORIGINAL: [900], FRAMEWORK: [895, 904]})[key].holds
    refuted = found_of_accuracies({ORIGINAL: [900], FRAMEWORK: [895, 911]})[key]
    assert not refuted.holds
    assert "below 1 in 1 of 2 runs" in refuted.numbers


@pytest.mark.parametrize(("printed", "holds"), [(855, True), (856, False)])
def test_the_print_is_met_within_half_a_point_on_every_table(printed: int, holds: bool) -> None:
    theirs = {count_key(FRAMEWORK, place): [850.0, 850.0] for place in (0, 1)}
    claims = found_of_accuracies(
        {FRAMEWORK: [848, 852]}, {**theirs, count_key(FRAMEWORK, 2): [850.0, printed]}
    )
    assert claims["framework: accuracies as printed"].holds is holds
