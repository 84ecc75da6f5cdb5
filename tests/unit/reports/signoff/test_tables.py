"""The tables of a sign-off, from evaluations small enough to read."""

from __future__ import annotations

from dataclasses import replace

from hushwood.attacks.registry import ATTACKS
from hushwood.evaluation.evaluation import Evaluation, LeftOut
from hushwood.policies.verdict import verdict_on
from hushwood.reports.signoff.signoff import SignOff, signoff_page
from hushwood.reports.signoff.tables import column_groups, criteria, known_limits, risk_rows, threats
from support.sample_entries import attack_entry, document_of, evaluation_of, plan_step, risk_entry, unanswered
from support.sample_verdicts import excess, mixed_evaluation, mixed_verdict, policy

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
