from __future__ import annotations

import json
import sys

import pytest

from hushwood.cli.progress import shown_progress
from hushwood.stages import COMPILING, compiled_for_now, compiling


def test_quiet_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress(True) as stage:
        stage("adding noise", 1, 2)
    assert capsys.readouterr() == ("", "")


def test_plain_lines_name_every_stage_once(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress(False) as stage:
        for done in range(3):
            stage("adding noise", done, 3)
        stage("writing the table", 0, 1)
    assert capsys.readouterr() == ("", "adding noise ...\nwriting the table ...\n")


def test_a_terminal_gets_a_bar(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with shown_progress(False) as stage:
        stage("adding noise", 1, 2)
        stage("checking every record", 0, 1)
    out, err = capsys.readouterr()
    assert out == ""
    assert "checking every record" in err


def test_compiling_is_one_line_among_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress(False) as stage:
        stage("adding noise", 0, 3)
        compiling(0)
        compiling(1)
        compiled_for_now()
        stage("adding noise", 1, 3)
    assert capsys.readouterr() == ("", f"adding noise ...\n{COMPILING} ...\n")


def test_a_terminal_counts_what_is_compiled(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with shown_progress(False):
        compiling(12)
    assert f"{COMPILING}: 12 done" in capsys.readouterr().err


def test_a_program_gets_every_step_as_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HUSHWOOD_PROGRESS", "json")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with shown_progress(False) as stage:
        stage("adding noise", 1, 3)
        stage("adding noise", 2, 3)
    with shown_progress(True) as stage:
        stage("adding noise", 3, 3)
    lines = capsys.readouterr().err.splitlines()
    assert [json.loads(line) for line in lines] == [
        {"stage": "adding noise", "done": done, "total": 3} for done in (1, 2)
    ]
