"""The sign-off: complete, plain, escaped, and with lines to fill in by hand."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from hushwood.evaluation.evaluation import Evaluation
from hushwood.policies.policy import policy_named
from hushwood.policies.verdict import verdict_on
from hushwood.reports.signoff.signoff import SignOff, signoff_page
from support.page_reader import read
from support.sample_release import credit_evaluation
from support.sample_verdicts import mixed_evaluation, mixed_verdict

FACTS = SignOff("2026-01-31", "2027-01-31", {"released.csv": "ab" * 32}, "k-1", "hushwood release people.csv")


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return credit_evaluation(300)


def words(page: str) -> str:
    return " ".join(" ".join(read(page).text).split())


def test_it_has_everything_that_is_signed_for(evaluation: Evaluation) -> None:
    policy = policy_named("public")
    page = signoff_page(evaluation, verdict_on(evaluation, policy), FACTS)
    text = words(page)

    assert read(page).open == []
    assert read(page).headings.count(1) == 1
    for said in (
        policy.says,
        policy.source,
        "made on 2026-01-31",
        "To be reviewed by 2027-01-31",
        f"sha256 {'ab' * 32}",
        "k-1",
        "hushwood release people.csv",
        "credit.csv",
        "It is not differential privacy",
        "All 300 records still follow the same rules",
        "Signature",
    ):
        assert said in text
    for attack in evaluation.tried:
        assert attack.scenario is not None
        assert attack.scenario.says in text
    for column in evaluation.columns:
        assert column.name in text


def test_it_loads_nothing_and_runs_nothing(evaluation: Evaluation) -> None:
    page = signoff_page(evaluation, verdict_on(evaluation, policy_named("wp29")), FACTS)

    assert "<script" not in page
    assert "default-src 'none'" in page
    assert all(load.startswith("data:") for load in read(page).loads)


def test_a_purpose_that_is_not_known_is_a_line_to_fill_in() -> None:
    evaluation, verdict = mixed_evaluation(), mixed_verdict()
    open_line, filled = (
        signoff_page(evaluation, verdict, replace(FACTS, purpose=purpose)) for purpose in ("", "A course.")
    )

    assert '<dd class="blank"></dd>' in open_line
    assert 'blank"' not in filled
    assert "Purpose A course." in words(filled)


def test_an_accepted_risk_says_by_whom_and_why() -> None:
    accepted = {"by": "the board", "reason": "The course needs it.", "on": "2026-02-01"}
    page = signoff_page(mixed_evaluation(), mixed_verdict(), replace(FACTS, accepted=accepted))

    assert "was accepted by the board on 2026-02-01: The course needs it." in words(page)
    assert "was accepted" not in words(signoff_page(mixed_evaluation(), mixed_verdict(), FACTS))


def test_names_and_commands_cannot_inject_markup() -> None:
    nasty = '<img src=x onerror="alert(1)">'
    facts = SignOff(
        nasty, nasty, {nasty: nasty}, nasty, nasty, nasty, {"by": nasty, "reason": nasty, "on": nasty}
    )
    page = signoff_page(mixed_evaluation(), mixed_verdict(), facts)

    assert not re.search("<img", page)
    assert read(page).open == []


def test_what_holds_it_back_is_said() -> None:
    verdict = replace(mixed_verdict(), blocking=("Column 'town' is copied.",))

    assert "Hold it back: Column 'town' is copied." in words(signoff_page(mixed_evaluation(), verdict, FACTS))
