"""The printed summaries: the verdict first, then numbers that say which way is good."""

from __future__ import annotations

import pytest

from hushwood.evaluation.evaluation import Evaluation
from hushwood.reports.release.terminal import audit_lines, summary_lines
from hushwood.reports.words.text_tables import WIDEST
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

SPACE = "\N{NO-BREAK SPACE}"


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return credit_evaluation()


def part(lines: list[str], title: str) -> list[str]:
    """The lines below a title."""
    after = lines[lines.index(title) + 1 :]
    return after[: after.index("")] if "" in after else after


def test_a_release_ends_with_verdict_numbers_and_copied_columns(evaluation: Evaluation) -> None:
    lines = summary_lines(evaluation)

    assert lines[0] == "All 1,000 records still follow the same rules in all 3 trees."
    assert [line.split("  ")[1] for line in part(lines, "Who might still stand out")] == [
        "Alone in their segment",
        "In segments of fewer than 5",
        "Kept a rare category",
        "Kept a unique extreme",
        "Classes changed",
    ]
    first = " ".join(part(lines, "What miners keep")[0].split())
    assert first == "Rules found again 0 % partly kept"
    assert lines[-1] == "WARNING: copied without any change: branch."


def test_no_line_is_wider_than_a_terminal(evaluation: Evaluation) -> None:
    for lines in (summary_lines(evaluation), audit_lines(evaluation)):
        assert max(map(len, lines)) <= WIDEST
        assert all(line == line.rstrip() for line in lines)


def test_an_audit_tells_every_number_and_its_comparisons(evaluation: Evaluation) -> None:
    lines = audit_lines(evaluation)
    rows = [*part(lines, "What miners keep")[1:], *part(lines, "What an intruder learns")[1:]]

    assert len(rows) == len([m for m in evaluation.measures if m.reason is None])
    assert part(lines, "What miners keep")[0].split() == ["release", "better", "untouched", "noise"]
    text = " ".join(" ".join(lines).split())
    for attack in evaluation.attacks:
        assert (attack.reason or attack.verdict or "?") in text


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
    (row,) = part(lines, "Attacks: how often they succeeded; lower is better")[1:]
    cells = [cell.strip() for cell in row.split("  ") if cell]
    assert cells == [
        "Nearest-record linkage: everything",
        f"2{SPACE}%",
        f"1.3 – 3.1{SPACE}%",
        f"0.1{SPACE}%",
        "better than guessing",
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
        "  Uncertainty by similarity (SERS), Cells unchanged: No pairs.",
        "  Nearest-record linkage: Nobody.",
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
