"""Good news or bad, by thirds of the way between the untouched table and pure noise."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from hushwood.evaluation.answers import Verdict
from hushwood.measures.protocol import Side
from hushwood.reports.release.judgement import badge, place_of, tone_of_attack, tone_of_measure
from support.sample_entries import attacked, measured, risk


@pytest.mark.parametrize(
    ("value", "tone"),
    [(1.2, "good"), (0.67, "good"), (0.5, "care"), (0.34, "care"), (0.3, "bad"), (-1, "bad")],
)
def test_for_miners_the_untouched_table_is_the_good_end(value: float, tone: str) -> None:
    assert tone_of_measure(measured(value=value)) == tone
    assert tone_of_measure(measured("new", 1 - value, better="lower", untouched=0.0, noise=1.0)) == tone


def test_for_people_pure_noise_is_the_good_end() -> None:
    assert [tone_of_measure(risk("class_entropy", bits)) for bits in (9.0, 5.0, 1.0)] == [
        "good",
        "care",
        "bad",
    ]


@pytest.mark.parametrize("ends", [{"noise": None}, {"untouched": None}, {"noise": 1.0}, {"noise": 2.0}])
def test_without_two_ends_in_the_right_order_nothing_is_marked(ends: dict[str, Any]) -> None:
    answer = measured(**ends)

    assert (tone_of_measure(answer), place_of(answer)) == ("plain", None)


def test_withheld_numbers_and_sizes_of_groups_are_not_marked() -> None:
    assert tone_of_measure(measured(value=None)) == "plain"
    assert tone_of_measure(risk("k_anonymity", 3.0)) == "plain"
    assert tone_of_measure(risk("changed_classes", 0.1)) == "plain"


def test_rules_are_marked_by_the_verdict_on_the_trees() -> None:
    verdicts = ("Exactly Same", "Very Similar", "Similar", "unclassified", "Dissimilar")
    tones = [tone_of_measure(measured("rule_types", 0.0, details={"verdict": v})) for v in verdicts]

    assert tones == ["good", "good", "care", "care", "bad"]
    assert tone_of_measure(measured("rule_types", 0.5)) == "care"


def test_a_place_on_the_line_stays_between_its_ends() -> None:
    assert [place_of(measured(value=v)) for v in (-0.5, 0.25, 3.0)] == [0.0, 0.25, 1.0]
    assert place_of(risk("class_entropy", 2.5)) == 0.25


def test_every_verdict_has_a_tone() -> None:
    tones = [tone_of_attack(attacked(verdict=verdict)) for verdict in Verdict]

    assert tones == ["good", "good", "care", "bad"]


def test_marks_are_words() -> None:
    for side in get_args(Side):
        words = [badge(side, "good"), badge(side, "care"), badge(side, "bad")]
        assert all(words)
        assert len(set(words)) == 3
        assert badge(side, "plain") == ""
