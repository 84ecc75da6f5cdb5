"""Risks smoothed along a dial, the distance to clearing, and paired differences, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hushwood.tuning.ranking import UNKNOWN, difference, falling, standings
from hushwood.tuning.scores import Risk
from support.tuned_scores import candidate, made_score


def test_the_isotonic_fit_pools_what_rises() -> None:
    assert falling([0.4, 0.1, 0.3, 0.0], [1, 1, 1, 1]) == pytest.approx([0.4, 0.2, 0.2, 0.0])
    assert falling([0.1, 0.3], [3, 1]) == pytest.approx([0.15, 0.15])
    assert falling([0.3, 0.2, 0.1], [1, 1, 1]) == pytest.approx([0.3, 0.2, 0.1])


def test_a_lucky_run_of_a_weak_setting_is_not_believed() -> None:
    """By itself k=10 would clear; the stronger settings say that it was luck."""
    risks = {10: 0.05, 20: 0.20, 50: 0.11}
    scored = [(candidate("k", k), made_score(f"k {k}", risk, 0.0)) for k, risk in risks.items()]
    found = {one.candidate.value: one for one in standings(scored)}
    assert found[10.0].risk == pytest.approx(1.25)  # the mean with k=20, as a share of the limit of 0.1
    assert all(one.distance > 0 for one in found.values())


def test_dials_are_smoothed_apart() -> None:
    scored = [(candidate("a", 1), made_score("a 1", 0.02)), (candidate("b", 2), made_score("b 2", 0.08))]
    assert [one.risk for one in standings(scored)] == pytest.approx([0.2, 0.8])


def test_who_is_nearer_to_clearing_comes_first_then_who_is_more_useful() -> None:
    scored = [
        (candidate("far", 1), made_score("far 1", 0.30, utility=0.99)),
        (candidate("plain", 1), made_score("plain 1", 0.01, utility=0.4)),
        (candidate("useful", 1), made_score("useful 1", 0.08, utility=0.8)),
        (candidate("wide", 1), made_score("wide 1", 0.08, 0.05, utility=0.9)),
    ]
    assert [one.candidate.family for one in standings(scored)] == ["useful", "plain", "wide", "far"]


def test_the_upper_end_decides_and_intervals_that_will_be_narrower_count_as_such() -> None:
    scored = [(candidate(), made_score("dial 0", 0.08, 0.04))]
    assert standings(scored)[0].distance == pytest.approx(0.2)  # 0.12 where 0.1 is allowed
    assert standings(scored, narrower=0.5)[0].distance == 0.0


def test_a_policy_may_ask_that_nothing_is_shown() -> None:
    score = made_score("dial 0", 0.04, 0.01)
    asked = replace(score, risks=(replace(score.risks[0], not_shown_above=0.0),))
    assert standings([(candidate(), score)])[0].distance == 0.0
    assert standings([(candidate(), asked)])[0].distance == pytest.approx(0.3)  # the lower end is 0.03


def test_a_check_without_evidence_is_far_and_one_that_cannot_be_made_passes() -> None:
    unknown = replace(made_score("dial 0"), risks=(Risk("membership.advantage", 0.1, "not proven"),))
    made_up = replace(made_score("dial 0"), risks=(Risk("linkage.excess", 0.1, "pass", reason="made up"),))
    assert standings([(candidate(), unknown)])[0].distance == UNKNOWN
    assert standings([(candidate(), made_up)])[0].distance == 0.0


def test_differences_on_the_same_splits_are_paired() -> None:
    one, other = made_score("a", utility=(0.6, 0.5, 0.9)), made_score("b", utility=(0.5, 0.3, 0.6))
    gap, half = difference(one, other)
    assert gap == pytest.approx(0.2)
    assert half == pytest.approx(4.302653 * 0.1 / 3**0.5, rel=1e-5)  # Student's t with two degrees of freedom


def test_one_split_gives_no_interval() -> None:
    gap, half = difference(made_score("a", utility=(0.6,)), made_score("b", utility=(0.5,)))
    assert gap == pytest.approx(0.1)
    assert half is None
