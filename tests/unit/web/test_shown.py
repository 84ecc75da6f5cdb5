"""What can be chosen for a release."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.policies.policy import built_in_names
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.recipes import RECIPES
from hushwood.tables.reading import read
from hushwood.web.shown import choices, described_table, release_view
from support.people_files import write_people


def test_the_recommended_come_first_and_all_are_explained() -> None:
    found = choices()
    techniques, policies = found["techniques"], found["policies"]

    assert [one["name"] for one in techniques if one["recommended"]] == [PerturbOptions().technique]
    assert techniques[0]["recommended"]
    assert {one["name"] for one in techniques} == {name for name, recipe in RECIPES.items() if recipe.tried}
    assert all(one["says"].endswith(".") and "{" not in one["says"] for one in techniques)
    assert [one["name"] for one in policies] == list(built_in_names())
    assert all(one["limits"] and one["says"] for one in policies)
    assert {one["name"] for one in policies if not one["published"]} >= {"public", "internal"}


def test_every_column_is_described() -> None:
    frame = pl.DataFrame(
        {
            "name": [f"Person {chr(65 + i % 26)}{i} Smith" for i in range(40)],
            "age": [20 + i % 30 for i in range(38)] + [None, None],
            "city": ["Arm", "Mel"] * 20,
            "since": pl.date_range(pl.date(2020, 1, 1), pl.date(2020, 2, 9), eager=True),
            "empty": pl.Series([None] * 40, dtype=pl.String),
        }
    )
    found = described_table(read(frame, target="city"))
    name, age, city, since, empty = found["columns"]

    assert json.loads(json.dumps(found)) == found
    assert found["records"] == 40
    assert name["drop"]
    assert "looks like" in name["warnings"][0]
    assert (age["kind"], age["low"], age["high"], age["missing"]) == ("numeric", "20", "49", 0.05)
    assert sum(bar["count"] for bar in age["shape"]) == 38
    assert (age["why"], since["why"], found["notes"]) == ("whole numbers", "dates", [])
    assert (city["role"], city["drop"], city["different"]) == ("class", False, 2)
    assert city["shape"] == [{"label": "Arm", "count": 20}, {"label": "Mel", "count": 20}]
    assert city["examples"] == ["Arm", "Mel"]
    assert (since["low"], since["high"]) == ("2020-01-01", "2020-02-09")
    assert (empty["missing"], empty["different"], empty["examples"]) == (1.0, 0, [])


def test_dropped_columns_still_show_what_they_hold() -> None:
    frame = pl.DataFrame({"mail": [f"a{i}@example.org" for i in range(30)], "age": list(range(30))})
    mail = described_table(read(frame, roles={"mail": "identifier"}))["columns"][0]

    assert (mail["role"], mail["drop"], mail["shape"]) == ("identifier", False, [])
    assert mail["examples"][0] == "a0@example.org"


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
