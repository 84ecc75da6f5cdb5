from __future__ import annotations

from itertools import pairwise
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


def test_a_table_and_its_releases(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "demo"
    path, tries = demonstration.demonstration(folder)
    original, released = pl.read_csv(path), pl.read_csv(files_in(folder / "release") / "released.csv")
    assert path == folder / "credit-risk.csv"
    assert original.schema == released.schema
    assert set(released["Credit Risk"]) == {"No", "Yes"}
    assert tries[0].done.manifest["parameters"]["redraw"] == 1
    last = tries[-1].done
    assert last.certificate["kept"] == last.certificate["records"] == 300
    assert (folder / "release" / "private" / "signoff.html").is_file()
    again, _ = demonstration.demonstration(folder)
    assert not pl.read_csv(again).equals(original)
    assert {p.name for p in folder.iterdir()} == {"credit-risk.csv", "release"}


@pytest.mark.usefixtures("tried_advice")
def test_the_advice_of_every_try_is_followed_in_the_next(tmp_path: Path) -> None:
    _, tries = demonstration.demonstration(tmp_path / "demo")
    assert 1 <= len(tries) <= demonstration.TRIES
    assert tries[0].changes == ()
    assert tries[0].done.manifest["technique"] == "segment-shuffle"
    for before, after in pairwise(tries):
        assert not before.done.cleared
        assert after.changes == before.done.verdict.changes
        for change in before.done.verdict.changes.settings:
            setting = after.done.manifest["parameters"].get(change.setting, after.done.manifest["technique"])
            assert setting == change.value


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
