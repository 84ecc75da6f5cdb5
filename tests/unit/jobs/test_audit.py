"""Audits that could give false comfort."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from first_manifests import as_version_1
from foreign_releases import people, with_noise
from hushwood.frameworks.recipes import RECIPES

ROLES: Any = {"name": "identifier"}


@pytest.fixture
def made(tmp_path: Path) -> Path:
    people().write_csv(tmp_path / "people.csv")
    hw.release(tmp_path / "people.csv", target="ill", roles=ROLES, output=tmp_path / "out", evidence="none")
    return tmp_path


def test_a_folder_brings_its_class_and_schema(made: Path) -> None:
    found = hw.audit(made / "people.csv", made / "out", only=["reidentification_entropy"])

    assert found["reidentification_entropy"].details["likelihood"] == "laws"
    assert found.document["release"]["certificate"]["claimed"]


@pytest.mark.parametrize("technique", RECIPES)
def test_folders_of_every_recipe_can_be_judged(technique: str, tmp_path: Path) -> None:
    people().with_columns(sex=pl.col("ill").reverse()).write_csv(tmp_path / "people.csv")
    suppress = ("age > 60",) if technique == "suppress" else ()
    options: Any = {"technique": technique, "suppress": suppress, "min_leaf": 20}
    hw.release(
        tmp_path / "people.csv",
        target="ill",
        roles=ROLES,
        output=tmp_path / "out",
        evidence="none",
        **options,
    )

    found = hw.audit(tmp_path / "people.csv", tmp_path / "out", only=["unchanged_cells", "correlations"])

    assert found.document["release"]["about"]["technique"] == technique
    assert 0 <= found["unchanged_cells"].value <= 1
    assert "What was done" in found.to_html()


def test_a_replaced_table_is_not_judged_by_the_release(made: Path) -> None:
    people().drop("name").write_csv(made / "out" / "share" / "released.csv")

    found = hw.audit(made / "people.csv", made / "out", only=["reidentification_entropy"])

    assert found.document["release"]["certificate"] is None
    assert "checksum differs" in found.document["release"]["warnings"][-1]
    assert found["reidentification_entropy"].value < 0.1


def test_a_shuffled_release_matched_by_rows_is_put_back_in_order(tmp_path: Path) -> None:
    people().write_csv(tmp_path / "people.csv")
    hw.release(
        tmp_path / "people.csv", target="ill", output=tmp_path / "out", evidence="none", shuffle_rows=True
    )

    by_rows, alone = (
        hw.audit(tmp_path / "people.csv", tmp_path / "out", match=match, only=["unchanged_cells"])
        for match in ("rows", None)
    )

    assert by_rows["unchanged_cells"].value == alone["unchanged_cells"].value


def test_releases_whose_low_order_bits_speak_are_named(tmp_path: Path) -> None:
    chance = np.random.default_rng(1)
    frame = pl.DataFrame({"ratio": chance.normal(size=60), "age": range(60), "ill": ["no", "yes"] * 30})
    frame.write_csv(tmp_path / "people.csv")
    hw.release(tmp_path / "people.csv", target="ill", output=tmp_path / "out", evidence="none")

    def warned() -> bool:
        found = hw.audit(tmp_path / "people.csv", tmp_path / "out", only=["unchanged_cells"])
        return any("low-order bits of ratio;" in warning for warning in found.document["release"]["warnings"])

    assert not warned()
    as_version_1(tmp_path / "out", tmp_path / "people.csv")
    assert warned()


def test_own_people_are_no_control() -> None:
    frame = people()
    own, others = (
        hw.audit(frame, with_noise(frame), target="ill", roles=ROLES, holdout=holdout, only=["membership"])
        for holdout in (frame, people(seed=77))
    )

    assert any("in the original too" in text for text in own.document["release"]["warnings"])
    assert not any("in the original too" in text for text in others.document["release"]["warnings"])


def test_the_private_part_may_be_gone(made: Path) -> None:
    shutil.rmtree(made / "out" / "private")

    found = hw.audit(made / "people.csv", made / "out", target="ill", roles=ROLES, only=["unchanged_cells"])

    assert any("private part" in text for text in found.document["release"]["warnings"])
