"""Releases found again on disk, and their laws worked out anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hushwood as hw
from foreign_releases import people
from hushwood.errors import InputError
from hushwood.jobs.release_folder import is_source, made_again, read_as_released, release_folder
from hushwood.tables.reading import read

SEED = "3" * 64


def made(folder: Path, **options: Any) -> Path:
    people().write_csv(folder / "people.csv")
    hw.release(
        folder / "people.csv", target="ill", output=folder / "out", seed=SEED, evidence="none", **options
    )
    return folder / "out"


@pytest.mark.parametrize("technique", ["forest-framework", "framework", "random-framework"])
def test_the_laws_are_those_of_the_release(tmp_path: Path, technique: str) -> None:
    folder = release_folder(made(tmp_path, technique=technique))
    assert folder is not None

    again = made_again(folder, read_as_released(folder, tmp_path / "people.csv"), threads=1)

    assert again is not None
    laws = json.loads((tmp_path / "out/private/plan.json").read_text())["laws"]
    assert [json.loads(json.dumps(step.perturber.law().described())) for step in again.steps] == laws
    # Only the noise of a share of the range has such a share.
    assert again.method.get("noise") == (None if technique == "random-framework" else 1 / 3)


@pytest.mark.parametrize("correlated", ["gadp", "shuffle"])
def test_settings_and_ways_of_drawing_are_found_again(tmp_path: Path, correlated: str) -> None:
    options = {"technique": "extended-framework", "correlated": correlated}
    settings = {correlated: {"given": ("ill",)}}
    folder = release_folder(made(tmp_path, **options, settings=settings))
    assert folder is not None

    again = made_again(folder, read_as_released(folder, tmp_path / "people.csv"), threads=1)

    assert again is not None
    laws = json.loads((tmp_path / "out/private/plan.json").read_text())["laws"]
    assert [json.loads(json.dumps(step.perturber.law().described())) for step in again.steps] == laws
    assert again.method["settings"] == {correlated: {"given": ["ill"]}}


def test_laws_are_not_read_where_cells_were_left_out(tmp_path: Path) -> None:
    folder = release_folder(made(tmp_path, suppress=("age > 50",)))
    assert folder is not None

    again = made_again(folder, read_as_released(folder, tmp_path / "people.csv"), threads=1)

    assert again is not None
    assert not again.laws_hold


def test_a_shuffled_release_has_its_order(tmp_path: Path) -> None:
    folder = release_folder(made(tmp_path, shuffle_rows=True))

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
    shared = release_folder(tmp_path / "out" / "share")
    assert shared is not None
    assert is_source(shared, tmp_path / "people.csv")


def test_other_folders_and_files_are_no_releases(tmp_path: Path) -> None:
    assert release_folder(tmp_path) is None
    assert release_folder(tmp_path / "nothing") is None
    (tmp_path / "manifest.json").write_text("[1]")
    with pytest.raises(InputError, match="damaged"):
        release_folder(tmp_path)
