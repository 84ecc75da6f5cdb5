"""The printed summaries: the verdict first, then numbers that say which way is good."""

from __future__ import annotations

import pytest

from hushwood.evaluation.evaluation import Evaluation
from hushwood.policies.advice import MadeHow
from hushwood.policies.policy import policy_named
from hushwood.policies.verdict import verdict_on
from hushwood.releasing.options import PerturbOptions
from hushwood.reports.release.terminal import NO_POLICY, audit_lines, summary_lines, verdict_lines
from hushwood.reports.wording import WIDEST
from hushwood.tables.pairs.common_coding import STILL_RELEASED
from support.sample_entries import (
    attack_entry,
    document_of,
    evaluation_of,
    measure_entry,
    risk_entry,
    unanswered,
)
from support.sample_release import credit_evaluation
from support.sample_verdicts import mixed_verdict, policy

SPACE = "\N{NO-BREAK SPACE}"


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return credit_evaluation()


def part(lines: list[str], title: str) -> list[str]:
    """The lines below a title."""
    after = lines[lines.index(title) + 1 :]
    return after[: after.index("")] if "" in after else after


def test_a_release_starts_with_the_verdict(evaluation: Evaluation) -> None:
    lines = summary_lines(evaluation, verdict_on(evaluation, policy_named("public")))
    titles = [line for line, before in zip(lines[1:], lines, strict=False) if not before]

    assert lines[0].startswith("NOT CLEARED FOR THE PUBLIC. Policy: Open to everyone (public).")
    assert titles[:4] == [
        "What to change",
        "What changed most",
        "What an intruder learns",
        "What miners keep",
    ]
    assert "HOLD IT BACK: Column 'branch' is copied unchanged" in " ".join(lines)
    assert not any("WARNING" in line for line in lines)
    assert "WARNING: copied without any change: branch." in summary_lines(evaluation)
    assert "Largest shift of a mean: " in " ".join(part(lines, "What changed most"))
    assert "Largest shift of a distribution: " in " ".join(part(lines, "What changed most"))
    first = " ".join(part(lines, "What miners keep")[0].split())
    assert first == "Rules found again 0 % clear loss"
    assert lines[-1] == "All 1,000 records still follow the same rules in all 3 trees."
    assert len(lines) <= 57  # twelve limits, most of them on two lines


def test_without_a_verdict_it_says_that_no_policy_was_applied(evaluation: Evaluation) -> None:
    assert summary_lines(evaluation)[0] == NO_POLICY
    assert audit_lines(evaluation)[0] == NO_POLICY


def test_the_verdict_alone_has_a_line_for_every_check() -> None:
    lines = verdict_lines(mixed_verdict("linkage<=0.08"))

    assert lines[0] == (
        "NOT CLEARED FOR THE PUBLIC. Policy: For a test (public). 1 of 4 limits is met, 1 is broken, 2 are"
    )
    checks = [" ".join(line.split()) for line in lines if line.strip()[:1] in {"✓", "✗", "?"}]
    assert checks == [
        "✓ pass Nearest-record linkage +0.7 points, up to +2.1 points at most 8 points (5 points",
        "✗ fail Attribute inference +8.1 points, up to +11 points at most 5 points, and none",
        "? not proven Membership +6 points, up to +14.3 points at most 10 points",
        "? not proven Cells unchanged – at most 50 %",
    ]
    assert "  Not proven: It was not tried." in lines


def test_without_evidence_nothing_is_proven() -> None:
    lines = verdict_lines(verdict_on(None, policy(), MadeHow(PerturbOptions(), 1000, "none")))

    assert lines[0].startswith("NOT PROVEN FOR THE PUBLIC.")
    assert "  Not proven: No evidence was collected." in lines
    assert part(lines, "What to change")[0] == "  Use --evidence quick"


def test_no_line_is_wider_than_a_terminal(evaluation: Evaluation) -> None:
    verdicts = (None, verdict_on(evaluation, policy_named("wp29")), mixed_verdict("linkage<=0.08"))
    for lines in (f(evaluation, v) for f in (summary_lines, audit_lines) for v in verdicts):
        assert max(map(len, lines)) <= WIDEST
        assert all(line == line.rstrip() for line in lines)


def test_an_audit_tells_every_number_and_its_comparisons(evaluation: Evaluation) -> None:
    lines = audit_lines(evaluation)
    rows = [*part(lines, "What miners keep")[1:], *part(lines, "What an intruder learns")[1:]]

    assert len(rows) == len([m for m in evaluation.measures if m.reason is None])
    assert part(lines, "What miners keep")[0].split() == ["release", "better", "untouched", "noise"]
    text = " ".join(" ".join(lines).split())
    for attack in evaluation.attacks:
        assert (attack.reason or attack.attack.title) in text


def test_rows_of_an_audit() -> None:
    evaluation = evaluation_of(
        measure_entry("rule_types", 0.5),
        risk_entry("k_anonymity", 7.0, untouched=1.0, noise=None),
        attack_entry(),
    )

    lines = audit_lines(evaluation)

    assert (
        part(lines, "What miners keep")[1]
        == f"  Rules found again  50{SPACE}%     higher  100{SPACE}%      0{SPACE}%"
    )
    assert part(lines, "What an intruder learns")[1] == "  Smallest group (k)  7        higher  1          –"
    (row,) = part(lines, "Attacks: the excess where it is known, or the success; lower is better")[1:]
    cells = [cell.strip() for cell in row.split("  ") if cell]
    assert cells == [
        "Nearest-record linkage: everything",
        f"2{SPACE}%",
        f"1.3 – 3.1{SPACE}%",
        f"2{SPACE}%, 0.1{SPACE}%",
        "clear risk",
    ]


def test_what_was_not_found_out_is_said_once_per_reason() -> None:
    document = document_of(
        unanswered("sers"), unanswered("unchanged_cells"), unanswered("linkage", None, "Nobody.")
    )
    document["audit"] |= {
        "left_out": [{"column": "town", "reason": "The release does not have it."}],
        "notes": ["Rows are not paired."],
        "control": "the 90 people of the hold-out",
        "records": 400,
    }

    lines = audit_lines(Evaluation.from_json(document))

    assert part(lines, "Not answered") == [
        "  Nearest-record linkage: Nobody.",
        "  Uncertainty by similarity (SERS), Cells unchanged: No pairs.",
    ]
    assert part(lines, "Not compared") == ["  town: The release does not have it."]
    assert part(lines, "Notes") == [
        "  Rows are not paired.",
        "  Judged by a sample of 400 of the 1,000 records.",
        "  Control: the 90 people of the hold-out.",
    ]


def test_an_identifier_that_is_still_there_is_a_warning() -> None:
    document = document_of()
    document["audit"]["left_out"] = [{"column": "ssn", "reason": STILL_RELEASED}]

    lines = audit_lines(Evaluation.from_json(document))
    assert "WARNING: column ssn names people and is still in the release." in lines
