"""What a receiver of the shared files wins back, and which folders are refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.jobs.judging_requests import ReconstructRequest
from hushwood.jobs.reconstruct import reconstruct
from hushwood.jobs.release import release
from hushwood.jobs.requests import ReleaseRequest
from hushwood.releasing.options import PerturbOptions
from hushwood.tables.reading import read
from support.people_files import SEED, write_people
from support.release_parts import files_in


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table, releases of it, and of each what a receiver gets: one folder under another name."""
    folder = tmp_path_factory.mktemp("won-back")
    table = write_people(folder, count=600)
    for technique, settings in (
        ("framework", {}),
        ("pram", {"pram": {"probability": 0.3}}),
        ("sadp", {"sadp": {"noise": 0.3}}),
    ):
        options = PerturbOptions(technique=technique, settings=settings, threads=1)
        request = ReleaseRequest(
            options, folder / technique, links="none", evidence="none", seed=SEED, reuse_key=True
        )
        release(read(table, target="ill"), request)
        shutil.copytree(files_in(folder / technique), folder / f"received-{technique}")
    return folder


def test_the_shared_files_are_enough(place: Path) -> None:
    found = reconstruct(place / "received-pram", place / "people.csv")
    group = found["group"]
    assert group.techniques == ("PRAM",)
    assert group.recovered is not None
    again = group.recovered[:3] @ np.array([[0.7, 0.15, 0.15], [0.15, 0.7, 0.15], [0.15, 0.15, 0.7]])
    np.testing.assert_allclose(again, group.released[:3], atol=1e-9)
    assert found["age"].exact
    assert found.tree is not None  # the manifest names the class
    assert found.notes == ()


def test_rules_are_grown_again_unless_the_private_part_is_used(place: Path) -> None:
    miner = reconstruct(place / "framework", place / "people.csv")
    owner = reconstruct(place / "framework", place / "people.csv", ReconstructRequest(private=True))
    for found in (miner, owner):
        assert found["age"].recovered is not None
        assert found["ill"].exact
    assert "private part" in owner.notes[0]
    assert owner["score"].limits is not None
    assert owner["score"].limits[[0, -1]].tolist() == pytest.approx([-0.05, 99.95])  # the exact range
    received = reconstruct(place / "received-framework")
    np.testing.assert_array_equal(received["age"].recovered, miner["age"].recovered)


def test_python_users_call_the_same(place: Path) -> None:
    found = hw.reconstruct(place / "sadp", place / "people.csv", strategy="global", intervals=10)
    assert found.tree is not None
    assert "global" in found.tree.way
    assert json.loads(json.dumps(found.to_json()))["format"] == "hushwood-reconstruction"
    with pytest.raises(InputError, match="option"):
        hw.reconstruct(place / "sadp", interval=10)


def test_a_changed_table_and_an_unknown_class_are_noted(place: Path, tmp_path: Path) -> None:
    shutil.copytree(place / "received-sadp", tmp_path / "old")
    manifest = json.loads((tmp_path / "old" / "manifest.json").read_text("utf-8"))
    del manifest["class"]
    (tmp_path / "old" / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    with (tmp_path / "old" / "released.csv").open("a", encoding="utf-8") as file:
        file.write("40,50.0,x,no\n")
    found = reconstruct(tmp_path / "old")
    assert found.tree is None
    assert "NOT the file" in found.notes[0]
    assert "--class" in found.notes[1]
    assert reconstruct(tmp_path / "old", reading={"target": "ill"}).tree is not None


def test_refusals(place: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no release"):
        reconstruct(tmp_path)
    with pytest.raises(InputError, match="private part"):
        reconstruct(place / "received-pram", request=ReconstructRequest(private=True))
    (tmp_path / "other.csv").write_text("age,ill\n3,no\n4,yes\n", "utf-8")
    with pytest.raises(InputError, match="score"):
        reconstruct(place / "received-pram", tmp_path / "other.csv")
    hw.publish_tree(place / "people.csv", target="ill", output=tmp_path / "tree")
    with pytest.raises(InputError, match="verify-tree"):
        reconstruct(tmp_path / "tree")
    with pytest.raises(InputError, match="em"):
        ReconstructRequest(method="guess")
