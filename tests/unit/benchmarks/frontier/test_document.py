from __future__ import annotations

import json
from pathlib import Path

import pytest
from frontier.document import document_of, read_document, write_document
from frontier.running import Run

from support.frontier_document import small_document


def test_a_document_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_document(small_document(), tmp_path / "frontier.json")
    assert read_document(tmp_path / "frontier.json") == small_document()
    found = json.loads((tmp_path / "frontier.json").read_text("utf-8"))
    assert found["format"] == "hushwood-frontier"
    assert found["tables"] == {"development": ["wbc", "wine"], "apart": ["iris"]}


def test_runs_are_put_in_order_and_the_others_have_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HUSHWOOD_ARFPY", raising=False)
    runs = [
        Run("wine", 1, "noise"),
        Run("wine", 0, "framework"),
        Run("wine", 0, "noise"),
        Run("adult", 0, "noise"),
    ]
    document = document_of(runs)
    assert [(run.table, run.seed, run.contender) for run in document.runs] == [
        ("adult", 0, "noise"),
        ("wine", 0, "noise"),
        ("wine", 0, "framework"),
        ("wine", 1, "noise"),
    ]
    assert document.seeds == 2
    assert document.skipped["untouched"] == "it was not asked for"
    assert document.skipped["arfpy"].startswith("HUSHWOOD_ARFPY")
    assert "hushwood" in document.versions
