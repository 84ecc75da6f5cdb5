"""Every example runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


def run(example: Path, *arguments: str) -> str:
    # Bars and other characters must come out whatever the terminal's encoding is.
    done = subprocess.run(
        [sys.executable, "-W", "error", str(example), *arguments],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_examples() -> None:
    assert EXAMPLES


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_it_runs_and_says_something(example: Path, tmp_path: Path) -> None:
    chart = tmp_path / "chart.png"
    draws = "--chart" in example.read_text("utf-8")
    said = run(example, *(["--chart", str(chart)] if draws else []))
    assert len(said.splitlines()) > 5
    if draws:
        assert chart.read_bytes().startswith(b"\x89PNG")
