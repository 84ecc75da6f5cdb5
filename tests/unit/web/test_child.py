"""Documents for the server, made in this process instead of another one."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from hushwood.web import child
from support.people_files import write_people


def asked(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> dict[str, Any]:
    monkeypatch.setattr(sys, "argv", ["child", *words])
    child.main()
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def test_a_table_and_a_demo(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = write_people(tmp_path, count=40)
    described = asked(capsys, monkeypatch, "table", str(path), "", '{"missing": "x"}')["found"]
    group = next(column for column in described["columns"] if column["name"] == "group")
    assert (described["records"], group["examples"]) == (40, ["y", "z"])

    for which, target in (("credit-risk", "Credit Risk"), ("customer-status", "Status")):
        made = tmp_path / f"{which}.csv"
        assert asked(capsys, monkeypatch, "demo", which, str(made))["found"] == {"class": target}
        assert len(made.read_text().splitlines()) == 2001


def test_what_is_wrong_is_a_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for words in (("table", str(tmp_path / "x.csv")), ("release", str(tmp_path)), ("compare", str(tmp_path))):
        assert asked(capsys, monkeypatch, *words)["refused"].endswith(".")


def test_hostile_memory(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> dict[str, Any]:
        raise MemoryError

    monkeypatch.setitem(child.WHAT, "choices", full)
    assert "memory" in asked(capsys, monkeypatch, "choices")["refused"]
