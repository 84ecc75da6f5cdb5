"""Verdicts on hand-made evaluations."""

from __future__ import annotations

import json
from dataclasses import replace
from math import ceil
from statistics import NormalDist
from typing import Any

import pytest

from hushwood.attacks.judging.running import MADE_UP
from hushwood.errors import InputError
from hushwood.policies.advice import GROUPED, NO_ADVICE, Advice, Change, MadeHow
from hushwood.policies.policy import limit_from_text, policy_named
from hushwood.policies.verdict import (
    FEW_PEOPLE,
    NO_CONTROL,
    NO_EVIDENCE,
    NOT_TRIED,
    Check,
    Estimate,
    Verdict,
    broken_limits,
    verdict_from_json,
    verdict_on,
)
from hushwood.releasing.options import PerturbOptions
from hushwood.reports.release.clearance import clearance
from hushwood.tables.pairs.common_coding import STILL_RELEASED
from support.sample_entries import attack_entry, risk_entry, unanswered
from support.sample_verdicts import mixed_verdict
from support.verdicts import excess_entry, judged, nobody_entry, policy_of

MADE = MadeHow(PerturbOptions(k=10, redraw=0), 10_000, "quick")
LIMIT = {"attribute_inference__excess": 0.05}


def only_check(evaluation: Any, **how: Any) -> Check:
    (check,) = verdict_on(evaluation, policy_of(**(how or LIMIT)), MADE).checks
    return check


@pytest.mark.parametrize(
    ("value", "low", "high", "status", "whole"),
    [
        (0.01, -0.02, 0.05, "pass", "cleared"),
        (0.01, -0.02, 0.0501, "not proven", "not proven"),
        (0.05, 0.0, 0.1, "not proven", "not proven"),
        (0.0501, 0.0, 0.1, "fail", "not cleared"),
        (-0.01, -0.03, 0.01, "pass", "cleared"),
    ],
)
def test_the_upper_end_is_compared(value: float, low: float, high: float, status: str, whole: str) -> None:
    found = verdict_on(
        judged(excess_entry("attribute_inference", value, low, high)), policy_of(**LIMIT), MADE
    )
    (check,) = found.checks
    assert (check.status, found.status, found.cleared) == (status, whole, whole == "cleared")
    assert check.estimate == Estimate(value, low, high, 400, "everything")
    assert (check.advice == NO_ADVICE) == (status == "pass")


def test_how_many_attempts_would_decide() -> None:
    """The width of 0.06 must shrink to the room of 0.04: 2.25 times as many attempts."""
    check = only_check(judged(excess_entry("attribute_inference", 0.01, -0.05, 0.07)))
    assert check.needed == ceil(400 * (0.06 / 0.04) ** 2) == 900
    assert only_check(judged(excess_entry("attribute_inference", 0.06, 0.0, 0.1))).needed is None
    assert only_check(judged(excess_entry("attribute_inference", 0.05, 0.0, 0.1))).needed is None


def test_the_worst_scenario_counts() -> None:
    entries = [
        excess_entry("attribute_inference", 0.01, -0.04, 0.2, scenario="wide"),
        excess_entry("attribute_inference", 0.06, 0.02, 0.1, scenario="certain"),
        excess_entry("attribute_inference", 0.0, -0.01, 0.01, scenario="harmless"),
    ]
    for order in (entries, entries[::-1]):
        check = only_check(judged(*order))
        assert check.status == "fail"
        assert check.estimate is not None
        assert check.estimate.scenario == "certain"
    check = only_check(judged(entries[0], entries[2]))
    assert (check.status, check.estimate and check.estimate.scenario) == ("not proven", "wide")


def test_membership_is_judged_by_its_advantage() -> None:
    evaluation = judged(excess_entry("membership", 0.04, 0.01, 0.07, success=0.9))
    check = only_check(evaluation, membership__advantage=0.1)
    assert (check.status, check.name) == ("pass", "membership.advantage")
    assert check.estimate is not None
    assert check.estimate.high == 0.07


FURTHER = {
    "at_1_percent": [0.04, 0.02, 0.07],
    "worst_off_advantage": [0.3, 0.1, 0.5],
    "worst_off_at_10_percent": [0.9, 0.8, 0.95],
}


@pytest.mark.parametrize(
    ("asked", "limit", "status", "reason"),
    [
        ("list_membership__advantage", 0.1, "not proven", ""),
        ("list_membership__at_1_percent", 0.03, "fail", ""),
        ("list_membership__at_1_percent", 0.08, "pass", ""),
        ("list_membership__worst_off_advantage", 0.2, "not proven", FEW_PEOPLE),
        ("list_membership__worst_off_at_10_percent", 0.36, "fail", ""),
        ("list_membership__worst_off_at_1_percent", 0.06, "not proven", NO_CONTROL),
    ],
)
def test_every_quantity_of_a_list_is_a_check(asked: str, limit: float, status: str, reason: str) -> None:
    entry = excess_entry("list_membership", 0.08, 0.02, 0.13)
    entry["excess"]["further"] = FURTHER
    (check,) = verdict_on(judged(entry), policy_of(**{asked: limit})).checks
    assert (check.status, check.reason) == (status, reason)


def test_success_and_measures_can_be_limited() -> None:
    """A success of 0.02 has the interval 0.013 to 0.031; a measure's number is exact."""
    evaluation = judged(attack_entry(), risk_entry("sers", 7.25))
    assert only_check(evaluation, linkage=0.031).status == "pass"
    assert only_check(evaluation, linkage=0.03).status == "not proven"
    assert only_check(evaluation, linkage=0.01).status == "fail"
    assert only_check(evaluation, sers=7.25).status == "pass"
    assert only_check(evaluation, sers=7.24).status == "fail"
    assert only_check(evaluation, sers=7.25).estimate == Estimate(7.25, 7.25, 7.25)


def test_made_up_records_cannot_be_linked() -> None:
    check = only_check(judged(nobody_entry("linkage")), linkage__excess=0.05)
    assert (check.status, check.reason, check.estimate) == ("pass", MADE_UP, None)


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ([], NOT_TRIED),
        ([attack_entry("attribute_inference")], NO_CONTROL),
        (
            [unanswered("attribute_inference", side=None, reason="No attribute is known.")],
            "No attribute is known.",
        ),
    ],
)
def test_what_was_not_found_out_is_not_proven(entries: list[dict[str, Any]], reason: str) -> None:
    check = only_check(judged(*entries))
    assert (check.status, check.reason, check.estimate) == ("not proven", reason, None)
    assert [change.option for change in check.advice.changes] == ["--evidence full"]


def test_without_evidence_nothing_is_proven() -> None:
    made = replace(MADE, evidence="none")
    found = verdict_on(None, policy_named("public"), made)
    assert found.status == "not proven"
    assert {(check.status, check.reason) for check in found.checks} == {("not proven", NO_EVIDENCE)}
    assert found.changes == (Change("evidence", "quick", "--evidence quick"),)


def test_a_reason_in_one_scenario_does_not_hide_another() -> None:
    evaluation = judged(
        unanswered("attribute_inference", side=None, reason="No."),
        excess_entry("attribute_inference", 0.2, 0.1, 0.3),
    )
    assert only_check(evaluation).status == "fail"


def test_what_is_shown_to_work_fails_however_small() -> None:
    def status(value: float, low: float, high: float) -> str:
        evaluation = judged(excess_entry("attribute_inference", value, low, high))
        return only_check(evaluation, above=0.0, **LIMIT).status

    assert status(0.02, 0.001, 0.04) == "fail"
    assert status(0.02, 0.0, 0.04) == "pass"
    assert status(0.02, -0.02, 0.06) == "not proven"


def test_what_is_shown_to_work_in_one_scenario_fails() -> None:
    """The other scenario has the higher upper end, and passes."""
    evaluation = judged(
        excess_entry("attribute_inference", 0.01, -0.03, 0.045, scenario="wide"),
        excess_entry("attribute_inference", 0.02, 0.005, 0.035, scenario="shown"),
    )
    check = only_check(evaluation, above=0.0, **LIMIT)
    assert check.status == "fail"
    assert check.estimate is not None
    assert check.estimate.scenario == "shown"


def test_the_opinion_asks_for_three() -> None:
    entries = [
        excess_entry(name, 0.0, -0.01, 0.01)
        for name in ("singling_out", "linkability", "attribute_inference")
    ]
    entries.append(risk_entry("extremes", 0.0))
    assert verdict_on(judged(*entries), policy_named("wp29")).cleared
    entries[1] = excess_entry("linkability", 0.01, 0.002, 0.02)
    assert verdict_on(judged(*entries), policy_named("wp29")).status == "not cleared"


@pytest.mark.parametrize("confidence", [0.8, 0.99])
def test_another_confidence(confidence: float) -> None:
    evaluation = judged(excess_entry("attribute_inference", 0.02, 0.0, 0.045))
    check = only_check(evaluation, confidence=confidence, **LIMIT)
    times = NormalDist().inv_cdf((1 + confidence) / 2) / 1.959964
    assert check.estimate is not None
    assert check.estimate.high == pytest.approx(0.02 + 0.025 * times, abs=1e-6)
    assert check.estimate.low == pytest.approx(0.02 - 0.02 * times, abs=1e-6)
    assert check.status == ("pass" if confidence == 0.8 else "not proven")


def test_columns_that_no_attack_is_about_hold_it_back() -> None:
    column = {"name": "note", "kind": "categorical", "role": "ignored", "storage": "String", "missing": 0}
    evaluation = judged(
        excess_entry("attribute_inference", 0.0, -0.01, 0.01),
        columns=[column, column | {"name": "age", "role": "attribute"}],
        left_out=[
            {"column": "passport", "reason": STILL_RELEASED},
            {"column": "gone", "reason": "It is missing."},
        ],
    )
    found = verdict_on(evaluation, policy_of(**LIMIT), MADE)
    assert [check.status for check in found.checks] == ["pass"]
    assert found.status == "not cleared"
    first, second = found.blocking
    assert first == "Column 'passport' identifies people and is still in the release; drop it."
    assert second.startswith("Column 'note' is copied unchanged, and no attack was tried on it")
    assert verdict_on(None, policy_of(**LIMIT)).blocking == ()


def asked_for(status: Any, *changes: Change) -> Check:
    (requirement,) = policy_of(**LIMIT).requirements
    return Check(requirement, status, advice=Advice(changes))


def test_changes_are_merged() -> None:
    more, most = Change("k", 50, "--k 50"), Change("k", 200, "--k 200")
    full, other = Change("evidence", "full", "--evidence full"), Change("technique", "x", "--technique x")

    def changes(*checks: Check) -> tuple[Change, ...]:
        return Verdict(policy_of(**LIMIT), checks).changes

    assert changes(asked_for("pass"), asked_for("not proven", full), asked_for("fail", more)) == (more, full)
    assert changes(asked_for("fail", more), asked_for("fail", most)) == (most,)
    assert changes(asked_for("fail", most), asked_for("not proven", more)) == (most,)
    assert changes(asked_for("not proven", full), asked_for("fail", most), asked_for("fail", other)) == (
        other,
        full,
    )
    assert changes(asked_for("pass")) == ()


def test_what_outsiders_may_see_has_two_digits_and_no_scenario() -> None:
    evaluation = judged(excess_entry("attribute_inference", 0.012345, -0.02, 0.045678))
    found = verdict_on(evaluation, policy_of(**LIMIT), MADE)
    assert found.publishable() == {
        "policy": "hand-made",
        "status": "cleared",
        "checks": [
            {
                "check": "attribute_inference.excess",
                "at_most": 0.05,
                "source": "a test",
                "status": "pass",
                "upper_end": 0.046,
            }
        ],
    }


def test_all_of_it_as_plain_data() -> None:
    policy = policy_of(above=0.0, **LIMIT).with_limits(["attribute_inference<=0.015"])
    found = verdict_on(judged(excess_entry("attribute_inference", 0.02, 0.0, 0.04)), policy, MADE).to_json()
    assert (found["policy"], found["status"], found["confidence"]) == ("hand-made", "not cleared", 0.95)
    (check,) = found["checks"]
    assert check["interval"] == [0.0, 0.04]
    assert (check["at_most"], check["overrides"], check["not_shown_above"]) == (0.015, 0.05, 0.0)
    assert (check["status"], check["scenario"]) == ("fail", "everything")
    change = check["change"]
    assert [one["setting"] for one in change] == ["k", "blur", "evidence"]
    assert f"{change[0]['option']} {change[1]['option']}" in check["advice"]


EVALUATION = judged(
    risk_entry("sers", 7.25),
    unanswered("k_anonymity", reason="No quasi-identifiers are declared."),
    attack_entry(success=0.02),
    attack_entry(success=0.0712, interval=[0.05, 0.09]),
    excess_entry("attribute_inference", 0.03, 0.01, 0.06),
)


def broken(*limits: str) -> list[str]:
    return broken_limits(EVALUATION, [limit_from_text(text) for text in limits])


def test_the_upper_end_of_the_worst_scenario_breaks_a_limit() -> None:
    assert broken("linkage>0.08") == [
        "linkage is 0.09, the upper end of its interval, which the limit linkage>0.08 does not allow."
    ]
    assert broken("linkage>0.09") == []
    assert broken("linkage>=0.09") != []
    (said,) = broken("attribute_inference.excess>0.05")
    assert said.startswith("attribute_inference.excess is 0.06, the upper end of its interval, which")
    assert broken("attribute_inference.excess>0.06") == []


def test_the_lower_end_breaks_a_limit_from_below() -> None:
    assert broken("linkage<0.013") == []
    assert broken("linkage<=0.013") == [
        "linkage is 0.013, the lower end, which the limit linkage<=0.013 does not allow."
    ]


def test_a_measure_has_no_interval() -> None:
    assert broken("sers<7.25", "sers>7.25") == []
    assert broken("sers<=7.25") == ["sers is 7.25, which the limit sers<=7.25 does not allow."]


def test_limits_that_cannot_be_checked_are_broken() -> None:
    no_answer, not_asked, no_control = broken("k_anonymity<5", "eduds<0.5", "linkage.excess>0.05")
    assert no_answer == "k_anonymity<5 could not be checked: No quasi-identifiers are declared."
    assert not_asked == f"eduds<0.5 could not be checked: {NOT_TRIED}"
    assert no_control == f"linkage.excess>0.05 could not be checked: {NO_CONTROL}"


def test_it_says_the_same_in_words() -> None:
    for verdict in (mixed_verdict(), mixed_verdict("linkage<=0.001"), verdict_on(None, policy_named("wp29"))):
        plain = json.loads(json.dumps(verdict.to_json()))
        again = verdict_from_json(plain)
        assert again.to_json() == verdict.to_json()
        assert clearance(again).rows == clearance(verdict).rows
        assert (again.status, again.changes) == (verdict.status, verdict.changes)


def test_a_damaged_verdict_is_refused() -> None:
    good = mixed_verdict().to_json()
    for bad in ({}, {**good, "checks": None}, {**good, "checks": [{}]}, {**good, "confidence": "high"}):
        with pytest.raises(InputError, match="damaged"):
            verdict_from_json(bad)


def test_what_settles_a_reason_comes_back_and_older_files_lack_it() -> None:
    verdict = replace(mixed_verdict(), blocking=("Rare levels.",), settling=(GROUPED,))
    plain = json.loads(json.dumps(verdict.to_json()))
    assert verdict_from_json(plain).changes == verdict.changes
    assert verdict.changes.keywords["rare"] == "group"
    del plain["settling"]
    assert "rare" not in verdict_from_json(plain).changes.keywords
