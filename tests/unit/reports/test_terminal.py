"""The printed summary: the verdict first, then numbers that say which way is good."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from hushwood.reports.terminal import summary_lines
from hushwood.reports.wording import verdict
from sample_release import credit_document


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return credit_document()


def certified(document: dict[str, Any], **changes: Any) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    changed["release"]["certificate"] |= changes
    return changed


def test_verdict_first_then_numbers_then_copied_columns(document: dict[str, Any]) -> None:
    lines = summary_lines(document)

    assert lines[0] == "All 1,000 records still follow the same rules in all 3 trees."
    assert [line.split("  ")[1] for line in lines[1:-1]] == [
        "Alone in their segment",
        "In segments of fewer than 5",
        "Kept a rare category",
        "Kept a unique extreme",
        "Cells unchanged",
        "Classes changed",
    ]
    assert lines[-1] == "WARNING: copied without any change: branch."


def test_one_tree_is_not_called_all_trees(document: dict[str, Any]) -> None:
    found = verdict(certified(document, per_tree=[1000]))

    assert found.headline == "All 1,000 records still follow the same rules in the tree."
    assert found.tone == "good"


def test_a_release_that_claims_nothing_says_so(document: dict[str, Any]) -> None:
    found = verdict(certified(document, claimed=False, kept=812))

    assert found.headline.startswith("812 of 1,000 records (81.2")
    assert found.headline.endswith("No promise was made.")
    assert found.tone == "plain"


def test_a_broken_promise_is_called_broken(document: dict[str, Any]) -> None:
    found = verdict(certified(document, kept=999))

    assert found.headline.startswith("The promise is broken")
    assert found.tone == "care"
