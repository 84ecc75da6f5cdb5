"""One scale for all badges: by thirds of the way between two ends, by the excess, or by the verdict."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from hushwood.evaluation.answers import AttackVerdict
from hushwood.evaluation.evaluation import Evaluation
from hushwood.measures.protocol import Side
from hushwood.reports.release.judgement import (
    TONES,
    Grade,
    attack_sentence,
    badge,
    certificate_verdict,
    grade_of_attack,
    grade_of_measure,
    made_here,
    place_of,
)
from support.sample_entries import (
    attack_entry,
    attacked,
    evaluation_of,
    measure_entry,
    measured,
    plan_step,
    risk,
    unanswered,
)
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
    assert [grade_of_attack(attacked(verdict=verdict)) for verdict in AttackVerdict] == [
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
    for verdict in AttackVerdict:
        assert grade_of_attack(attacked(verdict=verdict, excess=excess(value, low, high))) == grade


def test_every_grade_is_a_word_of_its_own_and_has_a_tone() -> None:
    for side in get_args(Side):
        words = [badge(side, grade) for grade in get_args(Grade)]
        assert len(set(words)) == len(get_args(Grade))
        assert badge(side, "") == ""
    assert set(TONES) == set(get_args(Grade))


def certified(**changes: Any) -> Evaluation:
    """As much of an evaluation as the verdict reads."""
    certificate = {"claimed": True, "records": 1000, "kept": 1000, "per_tree": [1000] * 3}
    return evaluation_of(certificate=certificate | changes, plan=[plan_step("age")])


def test_one_tree_is_not_called_all_trees() -> None:
    found = certificate_verdict(certified(per_tree=[1000]))

    assert found.headline == "All 1,000 records still follow the same rules in the tree."
    assert found.tone == "good"


def test_one_segment_is_no_good_news() -> None:
    """Every record follows the rules where there are none."""
    segments: dict[str, Any] = {"count": 1, "alone": 0, "below_small": 0, "small": 5, "median": 1000.0}
    segments |= {"smallest": 1000, "largest": 1000, "sizes": []}
    certificate = {"claimed": True, "records": 1000, "kept": 1000, "per_tree": [1000]}
    found = certificate_verdict(
        evaluation_of(certificate=certificate, plan=[plan_step("age")], segments=segments)
    )

    assert found.tone == "care"
    assert found.headline.startswith("No rule was found")
    assert "still follow" not in found.headline


def test_the_certificate_is_told_apart_from_rules_that_are_found_again() -> None:
    found = certificate_verdict(
        evaluation_of(
            measure_entry("rule_types", 0.04),
            certificate={"claimed": True, "records": 1000, "kept": 1000, "per_tree": [1000]},
            plan=[plan_step("age")],
        )
    )

    assert found.headline == "All 1,000 records still follow the same rules in the tree."
    assert found.check.startswith("That is the certificate")
    assert "looks for rules finds the same rule for 4" in found.check


def test_a_release_that_claims_nothing_says_so() -> None:
    found = certificate_verdict(certified(claimed=False, kept=812))

    assert found.headline.startswith("812 of 1,000 records (81.2")
    assert found.headline.endswith("No promise was made.")
    assert found.tone == "plain"


def test_a_broken_promise_is_called_broken() -> None:
    found = certificate_verdict(certified(kept=999))

    assert found.headline.startswith("The promise is broken")
    assert found.tone == "care"


def test_without_trees_nothing_is_promised() -> None:
    for evaluation in (certified(per_tree=[], claimed=False), evaluation_of(plan=[plan_step("age")])):
        found = certificate_verdict(evaluation)

        assert "made without a forest" in found.headline
        assert (found.tone, found.check) == ("plain", "")


def test_a_foreign_release_claims_no_certificate() -> None:
    found = certificate_verdict(evaluation_of(attack_entry(verdict="no better than guessing")))

    assert found.headline.startswith(
        "A release that was not made here. The attack that was tried does not learn more"
    )
    assert (found.tone, "no certificate" in found.check) == ("good", True)
    assert not made_here(evaluation_of())


def test_a_release_of_ours_without_its_private_part_is_not_called_foreign() -> None:
    found = certificate_verdict(evaluation_of(about={"technique": "rt"}))

    assert found.headline == "A release judged without its private part. No attack was tried."
    assert found.tone == "plain"


def test_attacks_are_counted_by_their_verdicts() -> None:
    fails, works, wins = (
        attack_entry(verdict=f"{words} guessing")
        for words in ("no better than", "better than", "much better than")
    )

    assert attack_sentence(evaluation_of()) == ""
    assert attack_sentence(evaluation_of(unanswered("linkage", None))) == ""
    assert attack_sentence(evaluation_of(works)) == (
        "The attack that was tried learns more about people of the table than guessing."
    )
    assert attack_sentence(evaluation_of(fails, fails)).startswith(
        "None of the 2 attacks that were tried learns more"
    )
    assert attack_sentence(evaluation_of(fails, works)).endswith(
        "1 of the 2 attacks that were tried learns more about people of the table than guessing."
    )
    assert attack_sentence(evaluation_of(works, wins, wins)).endswith(
        "learn more about people of the table than guessing, and 2 much more."
    )
    assert attack_sentence(evaluation_of(fails, wins)).endswith(
        "learns much more about people of the table than guessing."
    )
    assert certificate_verdict(evaluation_of(works, wins)).tone == "bad"


def test_an_excess_counts_more_than_the_verdict_verdicts() -> None:
    works = "better than guessing"
    nothing, small, undecided = (
        attack_entry(verdict=works, excess=excess(value, low, high))
        for value, low, high in ((0.0, -0.02, 0.02), (0.02, 0.01, 0.03), (0.05, -0.1, 0.2))
    )

    assert attack_sentence(evaluation_of(nothing)).startswith("The attack that was tried does not learn more")
    assert attack_sentence(evaluation_of(small)).startswith("The attack that was tried learns more")
    assert attack_sentence(evaluation_of(undecided)).endswith(" For it this cannot be ruled out.")
    assert attack_sentence(evaluation_of(nothing, undecided)).endswith(
        "For 1 of them this cannot be ruled out."
    )
