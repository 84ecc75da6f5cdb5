"""One scale for all badges: by thirds of the way between two ends, by the excess, or by the verdict."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from hushwood.evaluation.answers import Verdict
from hushwood.measures.protocol import Side
from hushwood.reports.release.judgement import (
    TONES,
    Grade,
    badge,
    grade_of_attack,
    grade_of_measure,
    place_of,
)
from support.sample_entries import attacked, measured, risk
from support.sample_verdicts import excess


@pytest.mark.parametrize(
    ("value", "grade"),
    [
        (1.2, "none"),
        (1.0, "none"),
        (0.67, "small"),
        (0.5, "clear"),
        (0.34, "clear"),
        (0.3, "large"),
        (-1, "large"),
    ],
)
def test_for_miners_the_untouched_table_is_the_good_end(value: float, grade: str) -> None:
    assert grade_of_measure(measured(value=value)) == grade
    assert grade_of_measure(measured("new", 1 - value, better="lower", untouched=0.0, noise=1.0)) == grade


def test_for_people_pure_noise_is_the_good_end() -> None:
    grades = [grade_of_measure(risk("class_entropy", bits)) for bits in (10.0, 9.0, 5.0, 1.0)]

    assert grades == ["none", "small", "clear", "large"]


@pytest.mark.parametrize("ends", [{"noise": None}, {"untouched": None}, {"noise": 1.0}, {"noise": 2.0}])
def test_without_two_ends_in_the_right_order_nothing_is_marked(ends: dict[str, Any]) -> None:
    answer = measured(**ends)

    assert (grade_of_measure(answer), place_of(answer)) == ("", None)


def test_withheld_numbers_and_sizes_of_groups_are_not_marked() -> None:
    assert grade_of_measure(measured(value=None)) == ""
    assert grade_of_measure(risk("k_anonymity", 3.0)) == ""
    assert grade_of_measure(risk("changed_classes", 0.1)) == ""


def test_rules_are_marked_by_the_verdict_on_the_trees() -> None:
    verdicts = ("Exactly Same", "Very Similar", "Similar", "unclassified", "Dissimilar")
    grades = [grade_of_measure(measured("rule_types", 0.0, details={"verdict": v})) for v in verdicts]

    assert grades == ["small", "small", "clear", "clear", "large"]
    assert grade_of_measure(measured("rule_types", 1.0, details={"verdict": "Exactly Same"})) == "none"
    assert grade_of_measure(measured("rule_types", 0.5)) == "clear"


def test_a_place_on_the_line_stays_between_its_ends() -> None:
    assert [place_of(measured(value=v)) for v in (-0.5, 0.25, 3.0)] == [0.0, 0.25, 1.0]
    assert place_of(risk("class_entropy", 2.5)) == 0.25


def test_without_an_excess_the_verdict_counts() -> None:
    assert [grade_of_attack(attacked(verdict=verdict)) for verdict in Verdict] == [
        "none",
        "none",
        "clear",
        "large",
    ]


@pytest.mark.parametrize(
    ("value", "low", "high", "grade"),
    [
        (0.007, -0.006, 0.021, "none"),
        (-0.2, -0.3, -0.1, "none"),
        (0.0, 0.0, 0.05, "none"),
        (0.03, -0.01, 0.07, "open"),
        (0.02, 0.005, 0.035, "small"),
        (0.05, 0.03, 0.07, "clear"),
        (0.2, 0.15, 0.25, "large"),
    ],
)
def test_an_excess_counts_more_than_the_verdict(value: float, low: float, high: float, grade: str) -> None:
    for verdict in Verdict:
        assert grade_of_attack(attacked(verdict=verdict, excess=excess(value, low, high))) == grade


def test_every_grade_is_a_word_of_its_own_and_has_a_tone() -> None:
    for side in get_args(Side):
        words = [badge(side, grade) for grade in get_args(Grade)]
        assert len(set(words)) == len(get_args(Grade))
        assert badge(side, "") == ""
    assert set(TONES) == set(get_args(Grade))
