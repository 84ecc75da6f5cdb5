"""Every example runs, prints what the gallery shows, and is the program that it shows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from website.gallery import EXAMPLES, code_of, differences, outputs, printed

ROOT = Path(__file__).parents[2]
# Within the tests evidence is cut short; an example that shows evidence runs in a process of its own.
ALONE = {"first_release"}
PAGE = (ROOT / "docs" / "gallery.md").read_text("utf-8")


def test_every_example_is_in_the_gallery() -> None:
    assert sorted(path.stem for path in (ROOT / "examples").glob("*.py")) == sorted(EXAMPLES)
    assert len(outputs(PAGE)) == len(EXAMPLES) == 6


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_prints_what_the_page_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    path = ROOT / "examples" / f"{name}.py"
    assert code_of(path.read_text("utf-8")) in PAGE
    shown = outputs(PAGE)[EXAMPLES.index(name)]
    assert list(differences(shown, _alone(path) if name in ALONE else printed(path))) == []


def _alone(path: Path) -> str:
    done = subprocess.run([sys.executable, path], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
