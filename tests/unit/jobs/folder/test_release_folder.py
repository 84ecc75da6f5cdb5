"""Releases found again on disk, and their laws worked out anew."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.jobs.folder.release_folder import (
    ReleaseFolder,
    is_source,
    perturbed_again,
    read_as_released,
    release_folder,
)
from hushwood.releasing.perturb import Perturbed
from hushwood.tables.reading import read
from support.foreign_releases import people
from support.held_back import make_held_back
from support.release_parts import files_in

SEED = "3" * 64


def made(folder: Path, **options: Any) -> Path:
    people().write_csv(folder / "people.csv")
    hw.release(
        folder / "people.csv",
        target="ill",
        keep={"name": "invented"},
        output=folder / "out",
        seed=SEED,
        evidence="none",
        **options,
    )
    return folder / "out"


def again_from(folder: ReleaseFolder, around: Path) -> Perturbed | None:
    reading = read_as_released(folder, around / "people.csv")
    return perturbed_again(folder, reading, reading.table, threads=1)


def test_laws_of_trees_grown_on_a_secret_sample_need_the_key(tmp_path: Path) -> None:
    """Noise is learnt on the forest's sample; without the key nobody knows which records those are."""
    folder = release_folder(made(tmp_path, technique="framework", forest_rows=100))
    assert folder is not None
    again = again_from(folder, tmp_path)
    assert again is not None
    assert (again.learnt.rows, again.learnt.of) == (100, people().height)
    laws = json.loads((tmp_path / "out/private/plan.json").read_text())["laws"]
    assert [json.loads(json.dumps(step.perturber.law().described())) for step in again.steps] == laws
    (tmp_path / "out/private/key").unlink()
    folder = release_folder(tmp_path / "out")
    assert folder is not None
    assert again_from(folder, tmp_path) is None


@pytest.mark.parametrize("technique", ["forest-framework", "framework", "random-framework"])
def test_the_laws_are_those_of_the_release(tmp_path: Path, technique: str) -> None:
    folder = release_folder(made(tmp_path, technique=technique))
    assert folder is not None

    again = again_from(folder, tmp_path)

    assert again is not None
    laws = json.loads((tmp_path / "out/private/plan.json").read_text())["laws"]
    assert [json.loads(json.dumps(step.perturber.law().described())) for step in again.steps] == laws
    public = {"technique": folder.manifest["technique"], **folder.manifest["parameters"]}
    assert again.method == {name: public[name] for name in again.method}
    # Only the noise of a share of the range has such a share.
    assert again.method.get("noise") == (None if technique == "random-framework" else 1 / 3)


@pytest.mark.parametrize("correlated", ["gadp", "shuffle"])
def test_settings_and_ways_of_drawing_are_found_again(tmp_path: Path, correlated: str) -> None:
    options = {"technique": "extended-framework", "correlated": correlated}
    settings = {correlated: {"given": ("ill",)}}
    folder = release_folder(made(tmp_path, **options, settings=settings))
    assert folder is not None

    again = again_from(folder, tmp_path)

    assert again is not None
    laws = json.loads((tmp_path / "out/private/plan.json").read_text())["laws"]
    assert [json.loads(json.dumps(step.perturber.law().described())) for step in again.steps] == laws
    assert again.method["settings"] == {correlated: {"given": ("ill",)}}


def test_a_release_from_before_the_blur_is_read_without_one(tmp_path: Path) -> None:
    folder = release_folder(made(tmp_path, technique="extended-framework"))
    assert folder is not None
    again = again_from(folder, tmp_path)
    assert again is not None
    assert again.method["blur"] == 5
    plan = tmp_path / "out/private/plan.json"
    older = json.loads(plan.read_text())
    del older["options"]["blur"]
    plan.write_text(json.dumps(older))
    older_folder = release_folder(tmp_path / "out")
    assert older_folder is not None
    again = again_from(older_folder, tmp_path)
    assert again is not None
    assert again.options.blur == again.method["blur"] == 0


def test_nobody_was_drawn_for_a_release_from_before(tmp_path: Path) -> None:
    """Its records stand for people, whatever is usual now; one that was drawn says so."""
    made(tmp_path, redraw=0)
    plan = tmp_path / "out/private/plan.json"
    older = json.loads(plan.read_text())
    assert older["options"].pop("redraw") == 0
    plan.write_text(json.dumps(older))
    folder = release_folder(tmp_path / "out")
    assert folder is not None
    assert not folder.drawn
    assert not folder.made_up
    again = again_from(folder, tmp_path)
    assert again is not None
    assert again.options.drawn == again.method["redraw"] == 0
    assert again.paired
    laws = json.loads(plan.read_text())["laws"]
    assert [json.loads(json.dumps(step.perturber.law().described())) for step in again.steps] == laws
    shutil.rmtree(tmp_path / "out")
    drawn = release_folder(made(tmp_path, reuse_key=True))
    assert drawn is not None
    assert (drawn.drawn, drawn.made_up, drawn.order) == (True, True, None)


@pytest.mark.parametrize("said", [3, {"rule": "group"}, {"rule": "group", "below": 5, "columns": {"a": 1}}])
def test_a_plan_with_damaged_rare_levels_is_refused(tmp_path: Path, said: object) -> None:
    made(tmp_path)
    plan = tmp_path / "out/private/plan.json"
    plan.write_text(json.dumps(json.loads(plan.read_text()) | {"rare_levels": said}))
    folder = release_folder(tmp_path / "out")
    assert folder is not None
    with pytest.raises(InputError, match="damaged"):
        _ = folder.plan


def test_laws_are_not_read_where_cells_were_left_out(tmp_path: Path) -> None:
    folder = release_folder(made(tmp_path, suppress=("age > 50",)))
    assert folder is not None

    again = again_from(folder, tmp_path)

    assert again is not None
    assert not again.laws_hold


def test_a_shuffled_release_has_its_order(tmp_path: Path) -> None:
    folder = release_folder(made(tmp_path, redraw=0, shuffle_rows=True))

    assert folder is not None
    assert folder.shuffled
    assert folder.order is not None
    assert np.array_equal(np.sort(folder.order), np.arange(400))


def test_only_the_source_is_the_source(tmp_path: Path) -> None:
    folder = release_folder(made(tmp_path))
    assert folder is not None
    (tmp_path / "other.csv").write_text((tmp_path / "people.csv").read_text() + "\n")

    assert is_source(folder, tmp_path / "people.csv")
    assert is_source(folder, read(tmp_path / "people.csv", target="ill"))
    assert is_source(folder, tmp_path / "other.csv") is False
    shared = release_folder(files_in(tmp_path / "out"))
    assert shared is not None
    assert is_source(shared, tmp_path / "people.csv")


def test_what_was_held_back_is_found_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = make_held_back(tmp_path)
    for path in (out, out / "not-cleared"):
        folder = release_folder(path)
        assert folder is not None
        assert folder.share == out / "not-cleared"
        assert folder.released.is_file()
        assert folder.seal == "whole"
        assert is_source(folder, tmp_path / "people.csv")
    monkeypatch.chdir(out / "not-cleared")
    assert release_folder(Path()) is not None
    (out / "share").mkdir()
    for path in (out, out / "not-cleared", Path()):
        with pytest.raises(InputError, match="has both share and not-cleared"):
            release_folder(path)
    assert release_folder(out / "share") is None


def test_other_folders_and_files_are_no_releases(tmp_path: Path) -> None:
    assert release_folder(tmp_path) is None
    assert release_folder(tmp_path / "nothing") is None
    (tmp_path / "manifest.json").write_text("[1]")
    with pytest.raises(InputError, match="damaged"):
        release_folder(tmp_path)
