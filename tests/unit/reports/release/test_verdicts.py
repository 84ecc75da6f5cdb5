"""The sentence that comes first: the certificate or, without one, the attacks."""

from __future__ import annotations

from typing import Any

from hushwood.evaluation.evaluation import Evaluation
from hushwood.reports.release.verdicts import attack_sentence, certificate_verdict, made_here
from support.sample_entries import attack_entry, evaluation_of, measure_entry, plan_step, unanswered
from support.sample_verdicts import excess


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


def test_an_excess_counts_more_than_the_verdict() -> None:
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
