from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import Command
from support.people_files import as_text

ROWS = [(f"{10115 + i % 3}", str(i % 2), f"p{i}@x.org", ("low", "medium", "high")[i % 3]) for i in range(60)]


@pytest.mark.parametrize("width", ["80", "120"])
def test_every_column_has_a_reason_and_a_line(
    hushwood: Command, monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    Path("t.csv").write_text(as_text(ROWS, ("zip", "smoker", "mail", "mood")), "utf-8")
    done = hushwood("inspect", "t.csv", "--class", "smoker")
    block = done.out.partition("Why, and which line of a schema changes it")[2]
    lines = [" ".join(line.split()) for line in block.splitlines() if line.startswith("│")]
    assert "│ zip │ codes: five digits each, named 'zip' │ kind = \"numeric\" │" in lines
    assert '│ smoker │ the class │ role = "ordinary" │' in lines
    assert '│ mail │ texts; looks like e-mail addresses │ role = "identifier" │' in lines
    assert "│ mood │ ordered: a scale, low < medium < high │ ordered = false │" in lines
    assert max(map(len, done.out.splitlines())) <= int(width)
