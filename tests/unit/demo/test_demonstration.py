from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from hushwood.demo import demonstration
from hushwood.errors import InputError
from support.people_files import contents
from support.release_parts import files_in


@pytest.fixture(autouse=True)
def _few_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demonstration, "RECORDS", 300)


def test_a_table_and_its_release(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "demo"
    path, done = demonstration.demonstration(folder)
    original, released = pl.read_csv(path), pl.read_csv(files_in(folder / "release") / "released.csv")
    assert path == folder / "credit-risk.csv"
    assert original.schema == released.schema
    assert original["Credit Risk"].sort().equals(released["Credit Risk"].sort())
    assert done.certificate["kept"] == done.certificate["records"] == 300
    assert done.manifest["technique"] == "segment-shuffle"
    assert (folder / "release" / "private" / "row_order.npy").is_file()
    again, _ = demonstration.demonstration(folder)
    assert not pl.read_csv(again).equals(original)
    assert {p.name for p in folder.iterdir()} == {"credit-risk.csv", "release"}


def test_a_table_of_somebody_else_stays(tmp_path: Path) -> None:
    (tmp_path / "credit-risk.csv").write_text("mine", "utf-8")
    before = contents(tmp_path)
    with pytest.raises(InputError, match="not from a demonstration"):
        demonstration.demonstration(tmp_path)
    assert contents(tmp_path) == before


def test_a_release_folder_of_somebody_else_stays(tmp_path: Path) -> None:
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "notes").write_text("mine", "utf-8")
    before = contents(tmp_path)
    with pytest.raises(InputError, match="holds no release"):
        demonstration.demonstration(tmp_path)
    assert contents(tmp_path) == before
