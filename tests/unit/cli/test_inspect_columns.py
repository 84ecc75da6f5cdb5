from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import Command
from support.people_files import as_text, people


def test_columns_are_shown(hushwood: Command, people_csv: Path) -> None:
    done = hushwood("inspect", people_csv, "--class", "ill")
    assert done.code == 0
    lines = {
        line.split()[1]: " ".join(line.split())
        for line in done.out.partition("Why")[0].splitlines()
        if line.startswith("│")
    }
    assert done.out.startswith("120 records")
    assert lines["age"] == "│ age │ numeric │ ordinary │ 18 to 80 (whole numbers) │ 0 │"
    assert "(1 decimal)" in lines["score"]
    assert lines["ill"] == "│ ill │ categorical │ class │ 2: no, yes │ 0 │"


def test_dates_empty_and_carried_columns(hushwood: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    rows = [(f"2020-01-{1 + i % 28:02d}", f"2020-01-01T10:{i % 60:02d}:00", "", f"p{i}") for i in range(40)]
    Path("odd.csv").write_text(as_text(rows, ("day", "moment", "void", "name")), "utf-8")
    done = hushwood("inspect", "odd.csv", "--identifier", "name")
    text = " ".join(done.out.replace("│", " ").split())
    assert "2020-01-01 to 2020-01-28 (days)" in text
    assert "(seconds)" in text
    assert "void categorical ordinary none known 40" in text
    assert "! Column 'void' is empty; nothing can be learnt from it." in done.out


def test_brackets_in_names_are_only_brackets(hushwood: Command) -> None:
    Path("names.csv").write_text(as_text(people(), ("[/red]", "[bold]x", "g", "ill")), "utf-8")
    done = hushwood("inspect", "names.csv")
    assert done.code == 0
    assert "[/red]" in done.out
    assert "[bold]x" in done.out


def test_the_weight_is_shown_and_saved(hushwood: Command, people_csv: Path) -> None:
    done = hushwood("inspect", people_csv, "--weight", "score", "--save", "schema.toml")
    line = next(line for line in done.out.splitlines() if line.startswith("│ score"))
    assert line.split()[5] == "weight"
    assert "weight = true" in Path("schema.toml").read_text("utf-8")
    again = hushwood("inspect", people_csv, "--schema", "schema.toml", "--confidential", "score")
    assert "│ weight, confidential │" in again.out
