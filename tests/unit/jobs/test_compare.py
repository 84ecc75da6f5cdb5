"""Comparing release folders: what is read from them, and which are refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from hushwood.errors import InputError
from hushwood.jobs.compare import ASSUMED, compare
from hushwood.jobs.release import release
from hushwood.jobs.requests import ReleaseRequest
from hushwood.releasing.options import PerturbOptions
from hushwood.tables.reading import read
from support.people_files import write_people
from support.tuned_scores import two_checks


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two releases of one table and one of a longer table."""
    folder = tmp_path_factory.mktemp("compared")
    for name, count, technique in (
        ("one", 120, "copula-synthesis"),
        ("two", 120, "framework"),
        ("longer", 140, "framework"),
    ):
        table = write_people(folder, f"people-{count}.csv", count)
        options = PerturbOptions(technique=technique, threads=1)
        release(read(table, target="ill"), ReleaseRequest(options, folder / name, policy=two_checks()))
    return folder


def test_releases_are_put_side_by_side(place: Path) -> None:
    found = compare([place / "one", place / "two"])
    one, two = found.releases
    assert (one.technique, two.technique) == ("copula-synthesis", "framework")
    assert two.settings["noise"] == pytest.approx(1 / 3)
    linkage, inference = found.checks
    assert linkage.name == "linkage.excess"
    assert linkage.numbers[0] is None  # nobody can be linked to records that are made up
    assert linkage.best == ""
    assert None not in inference.numbers
    assert {row.name for row in found.measures} >= {"prediction_accuracy", "count_queries"}
    written = json.loads((place / "two" / "private" / "verdict.json").read_text("utf-8"))
    assert inference.numbers[1] is not None
    assert inference.numbers[1].value == written["checks"][1]["estimate"]
    assert found.notes == (ASSUMED,)


def test_with_the_original_nothing_is_assumed(place: Path) -> None:
    assert compare([place / "one", place / "two"], place / "people-120.csv").notes == ()
    with pytest.raises(InputError, match="was not made from"):
        compare([place / "one", place / "two"], place / "people-140.csv")


def test_different_tables_are_refused(place: Path) -> None:
    with pytest.raises(InputError, match=r"different tables \(120 and 140 records\)"):
        compare([place / "one", place / "longer"])


def test_folders_without_what_is_compared_are_refused(place: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not the folder of a release"):
        compare([place / "one", tmp_path])
    shutil.copytree(place / "two", tmp_path / "two")
    (tmp_path / "two" / "private" / "verdict.json").write_text("[]", "utf-8")
    with pytest.raises(InputError, match=r"verdict\.json is damaged"):
        compare([place / "one", tmp_path / "two"])
    (tmp_path / "two" / "private" / "verdict.json").unlink()
    with pytest.raises(InputError, match="make the release with evidence"):
        compare([place / "one", tmp_path / "two"])


def test_one_release_cannot_be_compared(place: Path) -> None:
    with pytest.raises(InputError, match="from 2 to 26"):
        compare([place / "one"])
