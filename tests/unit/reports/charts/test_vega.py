from __future__ import annotations

from pathlib import Path

import pytest

from hushwood.reports.charts import vega


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(vega, "_KEPT", tmp_path / "kept")
    vega.vega_script.cache_clear()
    return tmp_path / "kept"


def test_the_script_can_stand_inside_a_page(folder: Path) -> None:
    script = vega.vega_script()

    assert "</script" not in script
    assert "window.vegaEmbed" in script


def test_the_script_is_bundled_once(folder: Path) -> None:
    first = vega.vega_script()
    (kept,) = folder.iterdir()
    assert kept.read_text(encoding="utf-8") == first
    kept.write_text("kept", encoding="utf-8")
    vega.vega_script.cache_clear()
    assert vega.vega_script() == "kept"
    vega.vega_script.cache_clear()


def test_a_folder_that_cannot_be_written_is_no_fault(folder: Path) -> None:
    folder.write_text("a file in the way", encoding="utf-8")
    assert "vegaEmbed" in vega.vega_script()
    vega.vega_script.cache_clear()
