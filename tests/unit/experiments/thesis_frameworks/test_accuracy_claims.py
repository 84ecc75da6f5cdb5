"""Sentences about accuracies, on runs that were made up: ranks, margins, and too few runs to tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from hushwood.experiments.protocol import Finding
from hushwood.experiments.thesis_frameworks.accuracy_claims import about_accuracies
from hushwood.experiments.thesis_frameworks.keys import count_key
from hushwood.experiments.thesis_frameworks.numbers import Runs
from hushwood.experiments.thesis_frameworks.ways import EXTENDED, FRAMEWORK, ORIGINAL, RANDOM, Way

SLIGHTLY = "extended-framework (gadp) is right slightly less often than framework"
LESS = "random-framework is right less often than framework"


def found(
    rights: Mapping[Way, Sequence[int]], theirs: Mapping[str, Sequence[float]] = {}
) -> dict[str, Finding]:
    """Runs on 1,000 training and 1,000 test records, right on as many of every table."""
    by_way = {str(way): [{"right": [right] * 3} for right in of_way] for way, of_way in rights.items()}
    runs = Runs(("x",), (1000, 1000), (1.0,), by_way)
    return dict(about_accuracies(runs, {FRAMEWORK: 1.0}, 0.5, theirs))


def test_less_right_is_a_matter_of_ranks() -> None:
    clear = found({FRAMEWORK: [850, 851, 852, 853], RANDOM: [845, 846, 847, 848]})[LESS]
    assert clear.holds
    assert "p = 0.014" in clear.numbers, "1 of 70 ways to mix four and four"
    mixed = found({FRAMEWORK: [850, 851, 852, 900], RANDOM: [845, 853, 854, 855]})[LESS]
    assert not mixed.holds, "the mean is higher, the ranks are not"


def test_equal_runs_are_not_less_right() -> None:
    same = found({FRAMEWORK: [850] * 4, RANDOM: [850] * 4})[LESS]
    assert not same.holds
    assert "p = 1)" in same.numbers


def test_too_few_runs_say_nothing() -> None:
    assert LESS not in found({FRAMEWORK: [850, 851, 852, 853, 854], RANDOM: [500]})


def test_slightly_is_less_than_three_points() -> None:
    framework = [850, 851, 852, 853]
    assert found({FRAMEWORK: framework, EXTENDED: [830, 831, 832, 833]})[SLIGHTLY].holds
    assert not found({FRAMEWORK: framework, EXTENDED: [800, 801, 802, 803]})[SLIGHTLY].holds
    assert not found({FRAMEWORK: framework, EXTENDED: [860, 861, 862, 863]})[SLIGHTLY].holds


@pytest.mark.parametrize(("right", "holds"), [(749, True), (751, False)])
def test_very_poor_is_ten_points_below_the_original_tree_in_every_run(right: int, holds: bool) -> None:
    claims = found({ORIGINAL: [850], RANDOM: [700, right]})
    assert claims["random-framework: very poor on its own records"].holds is holds
    assert claims["random-framework: very poor on all records"].holds is holds


def test_below_the_original_tree_is_a_matter_of_signs() -> None:
    key = "random-framework is right less often than original and framework"
    five = {ORIGINAL: [900], FRAMEWORK: [850, 851, 852, 853, 854]}
    held = found({**five, RANDOM: [800, 801, 802, 803, 804]})[key]
    assert held.holds
    assert "by original on the training records (p = 0.031)" in held.numbers
    assert not found({**five, RANDOM: [800, 801, 802, 803, 901]})[key].holds
    assert key not in found({**five, RANDOM: [800, 801, 802, 803]})


def test_a_limit_on_own_records_holds_in_every_run_or_does_not() -> None:
    key = "framework: near the original tree on its own records"
    assert found({ORIGINAL: [900], FRAMEWORK: [895, 904]})[key].holds
    refuted = found({ORIGINAL: [900], FRAMEWORK: [895, 911]})[key]
    assert not refuted.holds
    assert "below 1 in 1 of 2 runs" in refuted.numbers


@pytest.mark.parametrize(("printed", "holds"), [(855, True), (856, False)])
def test_the_print_is_met_within_half_a_point_on_every_table(printed: int, holds: bool) -> None:
    theirs = {count_key(FRAMEWORK, place): [850.0, 850.0] for place in (0, 1)}
    claims = found({FRAMEWORK: [848, 852]}, {**theirs, count_key(FRAMEWORK, 2): [850.0, printed]})
    assert claims["framework: accuracies as printed"].holds is holds
