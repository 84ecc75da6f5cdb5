from __future__ import annotations

from pathlib import Path

import pytest
from frontier.__main__ import chosen_units, main, publish
from frontier.running import Unit

from support.frontier_document import small_document


def test_what_cannot_run_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("HUSHWOOD_DATA", raising=False)
    monkeypatch.delenv("HUSHWOOD_ARFPY", raising=False)
    units = chosen_units(["wine", "adult"], ["noise", "arfpy"], 2)
    assert units == [Unit("wine", 0, "noise"), Unit("wine", 1, "noise")]
    said = capsys.readouterr().out.splitlines()
    assert said == [
        "arfpy is skipped: HUSHWOOD_ARFPY does not name an interpreter that has it.",
        "adult is skipped: HUSHWOOD_DATA does not name a folder that holds it.",
    ]


def test_results_are_written_and_the_page_again_from_them(tmp_path: Path) -> None:
    publish(small_document().runs, tmp_path)
    page = tmp_path / "frontier.md"
    written = page.read_text("utf-8")
    page.unlink()
    assert main(["--page-only", "--docs", str(tmp_path)]) == 0
    assert page.read_text("utf-8") == written
    drawn = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert drawn == ["frontier-iris.svg", "frontier-wbc.svg", "frontier-wine.svg", "frontier.svg"]
