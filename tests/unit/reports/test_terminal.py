"""The printed summary: the verdict first, then numbers that say which way is good."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.reports.terminal import summary_lines
from sample_release import credit_document


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return credit_document()


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
