"""A release folder described for people."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.jobs.release_view import release_view
from support.people_files import write_people


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A judged release of a small table."""
    folder = tmp_path_factory.mktemp("release")
    hw.release(write_people(folder), target="ill", policy="internal", seed="5" * 64, output=folder / "out")
    return folder / "out"


def test_a_judged_release_says_everything(folder: Path) -> None:
    verdict = json.loads((folder / "private" / "verdict.json").read_text())
    part = "share" if verdict["status"] == "cleared" else "not-cleared"
    (folder / part / "original.csv").write_text("it was put there later")
    view = release_view(folder)
    (folder / part / "original.csv").unlink()

    assert json.loads(json.dumps(view))["records"] == 120
    assert view["verdict"]["status"] == verdict["status"]
    assert len(view["verdict"]["rows"]) == len(verdict["checks"]) == len(view["names"])
    assert view["part"] == part
    assert view["files"] == sorted(path.name for path in (folder / part).iterdir())
    assert view["tried"] is None
    assert view["intruder"]
    assert view["miners"]
    assert view["use"]["headline"]
    assert all(text.endswith(".") for text in view["notices"])
    age = next(column for column in view["columns"] if column["name"] == "age")
    assert sum(bar["before"] for bar in age["bars"]) == 120 == sum(bar["after"] for bar in age["bars"])


def test_without_its_private_part_a_release_says_less(folder: Path, tmp_path: Path) -> None:
    part = next(path for path in folder.iterdir() if path.name != "private")
    shutil.copytree(part, tmp_path / "out" / part.name)
    view = release_view(tmp_path / "out")

    assert (view["verdict"], view["columns"], view["records"]) == (None, [], 120)


def test_other_folders_and_damaged_ones_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not the folder of a release"):
        release_view(tmp_path)
    shutil.copytree(folder, tmp_path / "out")
    (tmp_path / "out" / "private" / "verdict.json").write_text("{")
    with pytest.raises(InputError, match="damaged"):
        release_view(tmp_path / "out")
