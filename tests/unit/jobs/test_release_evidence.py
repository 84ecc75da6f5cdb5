"""The evidence that comes with a release: measured by its own laws, with a control of its own when it is full."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from foreign_releases import people
from hushwood.attacks.registry import ATTACKS
from hushwood.evaluation.levels import QUICK
from hushwood.measures.registry import MEASURES

ROLES: Any = {"name": "identifier", "age": "quasi-identifier"}


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("full")
    people().write_csv(folder / "people.csv")
    return hw.release(
        folder / "people.csv",
        target="ill",
        roles=ROLES,
        output=folder / "out",
        seed="7" * 64,
        evidence="full",
    )


def test_full_evidence_asks_everything(full: Any) -> None:
    document = full.evaluation

    assert [m["name"] for m in document["measures"]] == list(MEASURES)
    assert {a["name"] for a in document["attacks"]} == set(ATTACKS)
    assert document["audit"]["evidence"] == "full"


def test_full_evidence_has_a_control_and_says_so(full: Any) -> None:
    attacks = {a["name"]: a for a in full.evaluation["attacks"]}

    assert "throw-away release of 320 of the records" in full.evaluation["audit"]["control"]
    assert attacks["attribute_inference"]["control"] is not None
    assert "success" in attacks["membership"]
    assert attacks["linkage"]["control"] is None


def test_the_throw_away_release_leaves_nothing_behind(full: Any) -> None:
    names = {path.name for path in full.folder.rglob("*") if path.is_file()}

    assert names == {
        *("released.csv", "manifest.json", "dictionary.md", "report.html"),
        *("key", "forest.json", "plan.json", "schema.toml", "evaluation.json", "record_risk.csv"),
    }


def test_entropies_use_the_noise_laws(full: Any) -> None:
    entropy = next(m for m in full.evaluation["measures"] if m["name"] == "reidentification_entropy")

    assert entropy["details"]["likelihood"] == "laws"


def test_every_record_has_a_line_of_its_own(full: Any) -> None:
    risk = pl.read_csv(full.folder / "private" / "record_risk.csv")

    assert risk["row"].to_list() == list(range(1, 401))
    assert {"reidentification_bits", "sers_bits", "partner_rank", "group_size"} <= set(risk.columns)
    assert risk["reidentification_bits"].max() <= np.log2(400) + 1e-6
    assert (full.folder / "private" / "record_risk.csv").stat().st_mode & 0o077 == 0


def test_quick_evidence_is_a_part_of_it(tmp_path: Path) -> None:
    done = hw.release(people(), target="ill", roles=ROLES, output=tmp_path / "out", evidence="quick")

    assert done.evaluation is not None
    assert tuple(m["name"] for m in done.evaluation["measures"]) == QUICK.measures
    assert done.evaluation["audit"]["control"] is None


def test_a_table_too_small_for_a_control_is_judged_without(tmp_path: Path) -> None:
    done = hw.release(people(30), target="ill", roles=ROLES, evidence="full", min_leaf=5)

    assert done.evaluation is not None
    assert done.evaluation["audit"]["control"] is None


def test_an_audit_of_the_folder_finds_the_same(full: Any) -> None:
    found = hw.audit(
        people(), full.folder, target="ill", roles=ROLES, only=["sers", "reidentification_entropy"]
    )
    again = hw.verify(full.folder)

    before = {m["name"]: m.get("value") for m in full.evaluation["measures"]}
    assert found["sers"].value == pytest.approx(before["sers"])
    assert again.holds
