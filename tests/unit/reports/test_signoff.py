"""The sign-off: complete, plain, escaped, and with lines to fill in by hand."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from hushwood.attacks.registry import ATTACKS
from hushwood.evaluation.evaluation import Evaluation, LeftOut
from hushwood.policies.policy import policy_named
from hushwood.policies.verdict import verdict_on
from hushwood.reports.signoff import (
    SignOff,
    column_groups,
    criteria,
    known_limits,
    risk_rows,
    signoff_page,
    threats,
)
from support.page_reader import read
from support.sample_entries import attack_entry, document_of, evaluation_of, plan_step, risk_entry, unanswered
from support.sample_release import credit_evaluation
from support.sample_verdicts import excess, mixed_evaluation, mixed_verdict, policy

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


SPACE = "\N{NO-BREAK SPACE}"


def test_columns_are_grouped_by_role_and_what_was_done() -> None:
    document = document_of(plan=[plan_step("age", "pay", "ill")])
    column = {"kind": "categorical", "storage": "String", "missing": 0}
    roles = {"name": "identifier", "age": "ordinary", "pay": "ordinary", "ill": "class"}
    document["schema"] = [column | {"name": name, "role": role} for name, role in roles.items()]
    found, letters = column_groups(Evaluation.from_json(document))

    assert [(group.names, group.role) for group in found] == [
        ("name", "identifier"),
        ("age, pay", "ordinary"),
        ("ill", "class"),
    ]
    assert found[1].done == "RPT: Changed age."
    assert letters == {}


def test_a_sentence_about_several_groups_is_said_once() -> None:
    """24 linked columns had the technique's sentence 24 times, and the sign-off five pages."""
    names = [f"item {number}" for number in range(24)]
    long = "Handed out again within its segment of at least 50 records, as trees learnt it."
    steps = [plan_step(name) | {"says": f"Changes together with {name} b. {long}"} for name in names]
    document = document_of(plan=steps)
    column = {"kind": "categorical", "storage": "String", "missing": 0, "role": "ordinary"}
    document["schema"] = [column | {"name": name} for name in names]
    found, letters = column_groups(Evaluation.from_json(document))

    assert letters == {"A": f"RPT: {long}"}
    assert [group.done for group in found[:2]] == [
        "RPT: Changes together with item 0 b. See A.",
        "RPT: Changes together with item 1 b. See A.",
    ]
    page = signoff_page(Evaluation.from_json(document), mixed_verdict(), SignOff("2026-01-01", "2027-01-01"))
    assert page.count(long) == 1


def test_membership_has_no_empty_criterion() -> None:
    rows = criteria(evaluation_of(attack_entry("membership")))
    assert [(row.criterion, row.disclosure) for row in rows][-1] == ("Not in the Opinion", "membership")


def test_every_intruder_comes_once() -> None:
    evaluation = evaluation_of(
        attack_entry("linkage"), attack_entry("linkability"), attack_entry("membership", says="Another one.")
    )

    assert [(t.knows, t.attacks) for t in threats(evaluation)] == [
        ("The intruder knows all.", "Nearest-record linkage, Joining two sources"),
        ("Another one.", "Membership"),
    ]


def test_risks_before_and_after_come_with_their_limits() -> None:
    linkage, inference, _, cells = risk_rows(mixed_evaluation(), mixed_verdict("linkage<=0.08"))

    assert linkage.about == "Nearest-record linkage, average record"
    assert (linkage.initial, linkage.limit) == (
        f"right in 100{SPACE}%",
        "at most 8 points (5 points in the policy)",
    )
    assert linkage.residual == "+0.7 points (−0.6 to +2.1 points)"
    assert (linkage.result, inference.result) == ("✓ pass", "✗ fail")
    assert (cells.initial, cells.residual) == ("not known", "It was not tried.")


def test_a_measures_initial_risk_is_that_of_the_untouched_table() -> None:
    evaluation = evaluation_of(risk_entry("unchanged_cells", 0.25, untouched=1.0))
    row = risk_rows(evaluation, verdict_on(evaluation, policy()))[-1]

    assert (row.initial, row.residual, row.result) == (f"100{SPACE}%", f"25{SPACE}%", "✓ pass")


def test_the_strongest_attack_stands_for_each_criterion() -> None:
    evaluation = evaluation_of(
        attack_entry("linkage", excess=excess(0.01, -0.01, 0.03)),
        attack_entry("linkability", excess=excess(0.1, 0.05, 0.15)),
        attack_entry("singling_out"),
        attack_entry("attribute_inference"),
    )
    found = {row.criterion: row.attack for row in criteria(evaluation)}

    assert [row.disclosure for row in criteria(evaluation)] == [
        "identity",
        "identity",
        "attribute",
        "membership",
    ]
    assert [attack.title if attack else None for attack in found.values()] == [
        "Singling out",
        "Joining two sources",
        "Attribute inference",
        None,
    ]


def test_what_was_not_tested_is_said() -> None:
    tried = [attack_entry(name) for name in ATTACKS if name not in {"linkage", "membership"}]
    document = document_of(unanswered("membership", None), *tried)
    document["audit"]["records"] = 400
    evaluation = Evaluation.from_json(document)
    evaluation = replace(evaluation, audit=replace(evaluation.audit, left_out=(LeftOut("town", "?"),)))
    found = known_limits(evaluation)

    assert found[:4] == [
        "Not tried: Nearest-record linkage, Membership.",
        "Judged by a sample of 400 of 1,000 records.",
        "Not compared: town.",
        "Evidence: full.",
    ]
    assert any("not differential privacy" in said for said in found)
    assert known_limits(evaluation_of(*map(attack_entry, ATTACKS)))[0] == "Evidence: full."
