"""Every example runs, prints what the gallery shows, and is the program that it shows."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from website.gallery import EXAMPLES, code_of, differences, outputs, printed

ROOT = Path(__file__).parents[2]
# Within the tests evidence is cut short, so numbers, verdict and advice are others; all other words must be the same.
SHOWS_EVIDENCE, DECIDED = {"first_release"}, ("'<Release by ", "'What to change: ")
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
    now = printed(path)
    if name in SHOWS_EVIDENCE:
        found = list(differences(shown, now, tolerance=math.inf))
        assert [line for line in found if not line.startswith(DECIDED)] == []
    else:
        assert list(differences(shown, now)) == []
