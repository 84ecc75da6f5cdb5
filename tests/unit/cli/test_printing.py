"""Whatever a table holds, a command prints nothing that the terminal would obey."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import polars as pl
import pytest

from hushwood.cli.printing import as_typed, shown_progress
from hushwood.stages import COMPILING, compiled_for_now, compiling
from support.command_line import Command

NASTY = "\x1b]0;owned\x07\u202e[bold red]\x9b31m\u200b"
OURS = re.compile(r"\x1b\[[0-9;]*m")


def table(path: Path) -> None:
    rows = range(40)
    pl.DataFrame(
        {
            f"{NASTY} age": [20 + row * 7 % 40 for row in rows],
            "town": [f"{NASTY} town" if row % 3 else "Oslo" for row in rows],
            f"{NASTY} nothing": [NASTY] * 40,
            "ill": [f"{NASTY} yes" if 20 + row * 7 % 40 > 35 else "no" for row in rows],
        }
    ).write_parquet(path)


def printed_safely(text: str) -> bool:
    """Whether no character of a text, but for our own colours and line ends, commands or hides."""
    rest = OURS.sub("", text).replace("\n", "")
    return not re.search("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", rest)


@pytest.mark.parametrize(
    "words",
    [
        ["inspect", "in.parquet"],
        ["release", "in.parquet", "--class", "ill", "-o", "out"],
        ["release", "in.parquet", "--class", "ill", "--dry-run", "--evidence", "none"],
        ["release", "in.parquet", "--class", f"{NASTY} ill", "-o", "out"],
        ["inspect", "in.parquet", "--class", NASTY],
        ["publish-tree", "in.parquet", "--class", "ill", "-k", "2", "--dry-run"],
    ],
    ids=["inspect", "release", "dry run", "unknown class", "unknown column", "tree"],
)
def test_nothing_printed_commands_the_terminal(hushwood: Command, words: list[str]) -> None:
    table(Path("in.parquet"))
    done = hushwood(*words)
    assert printed_safely(done.out)
    assert printed_safely(done.err)
    assert "[bold red]" in done.out + done.err or words[1:3] == ["in.parquet", "--class"]


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["release", "a b.csv", "--seed", "ff" * 32], "hushwood release 'a b.csv' --seed '…'"),
        (["release", f"--seed={'ff' * 32}"], "hushwood release '--seed=…'"),
        (["demo", "--seed"], "hushwood demo --seed"),
    ],
)
def test_a_command_line_is_shown_without_its_secret(
    monkeypatch: pytest.MonkeyPatch, words: list[str], shown: str
) -> None:
    monkeypatch.setattr("sys.argv", ["hushwood", *words])
    assert as_typed() == shown


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
