"""Audits that could give false comfort."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.releasing.recipes import RECIPES
from hushwood.tables.formats.files import write_frame
from hushwood.techniques.registry import TECHNIQUES
from support.first_manifests import as_version_1
from support.foreign_releases import people, with_noise
from support.held_back import accepted, make_held_back
from support.release_parts import files_in

ROLES: Any = {"name": "identifier"}


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A release whose records stand for people."""
    people().write_csv(tmp_path / "people.csv")
    hw.release(
        tmp_path / "people.csv", target="ill", roles=ROLES, redraw=0, output=tmp_path / "out", evidence="none"
    )
    return tmp_path


def test_a_folder_brings_its_class_and_schema(made: Path) -> None:
    found = hw.audit(made / "people.csv", made / "out", only=["reidentification_entropy"])

    assert found["reidentification_entropy"].details["likelihood"] == "laws"
    assert found.document["release"]["certificate"]["claimed"]


def test_a_folder_brings_its_class_although_a_role_is_given(made: Path) -> None:
    roles: Any = {"age": "quasi-identifier"}
    found = hw.audit(made / "people.csv", made / "out", roles=roles, only=["reidentification_entropy"])

    assert found["reidentification_entropy"].details["likelihood"] == "laws"
    said = {column["name"]: column["role"] for column in found.document["schema"]}
    assert (said["age"], said["ill"], said["name"]) == ("quasi-identifier", "class", "identifier")
    with pytest.raises(InputError, match="no column 'agee'"):
        hw.audit(made / "people.csv", made / "out", roles={"agee": "quasi-identifier"})
    shutil.rmtree(made / "out" / "private")
    without = hw.audit(made / "people.csv", made / "out", roles=roles, only=["rule_types"])
    assert "class" not in {column["role"] for column in without.document["schema"]}
    with pytest.raises(InputError, match="nothing says how to read the original; name the class with target"):
        hw.audit(made / "people.csv", made / "out")


@pytest.mark.parametrize("technique", RECIPES)
def test_folders_of_every_recipe_can_be_judged(technique: str, tmp_path: Path) -> None:
    people().with_columns(sex=pl.col("ill").reverse()).write_csv(tmp_path / "people.csv")
    suppress = ("age > 60",) if technique == "suppress" else ()
    coarsen = ("age: 10",) if technique == "coarsen" else ()
    options: Any = {"technique": technique, "suppress": suppress, "coarsen": coarsen, "min_leaf": 20}
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
    if found.document["pairing"] == "none":
        orders = {TECHNIQUES[part.upper()]().row_order for part in RECIPES[technique].techniques}
        assert technique == "segment-shuffle" or orders == {"none"}
        assert "stands for one person" in str(found["unchanged_cells"].answer.reason)
    else:
        assert 0 <= found["unchanged_cells"].value <= 1
    assert "What was done" in found.to_html()


def test_a_release_of_another_table_is_refused_unless_the_class_is_named(made: Path) -> None:
    """As the command refuses it."""
    other = made / "other.csv"
    other.write_text((made / "people.csv").read_text().replace("yes", "no", 1))

    with pytest.raises(InputError, match=r"out was not made from .*other\.csv; give that table"):
        hw.audit(other, made / "out", only=["unchanged_cells"])
    with pytest.raises(InputError, match="was not made from"):
        hw.audit(str(other), str(files_in(made / "out")), only=["unchanged_cells"])
    found = hw.audit(other, made / "out", target="ill", roles=ROLES, only=["unchanged_cells"])
    assert "made from another version of this table" in found.to_json()


def test_a_release_that_was_held_back_is_judged_as_one_that_is_shared(tmp_path: Path) -> None:
    out = make_held_back(tmp_path)

    def judged(path: Path) -> dict[str, Any]:
        return hw.audit(tmp_path / "people.csv", path, only=["unchanged_cells", "correlations"]).document

    before = judged(out)
    assert before["pairing"] == "none"
    assert judged(out / "not-cleared")["measures"] == before["measures"]
    accepted(out)
    assert judged(out) == before


def test_a_replaced_table_is_not_judged_by_the_release(made: Path) -> None:
    people().drop("name").write_csv(files_in(made / "out") / "released.csv")

    found = hw.audit(made / "people.csv", made / "out", only=["reidentification_entropy"])

    assert found.document["release"]["certificate"] is None
    assert "checksum differs" in found.document["release"]["warnings"][-1]
    assert found["reidentification_entropy"].value < 0.1


@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize("technique", ["segment-shuffle", "cart-synthesis"])
def test_a_replaced_table_is_not_paired_at_random(tmp_path: Path, technique: str, private: bool) -> None:
    """The original itself in place of records in random order, or of made-up ones: their manifest would hide that."""
    table, out = tmp_path / "people.csv", tmp_path / "out"
    people().write_csv(table)
    hw.release(table, target="ill", roles=ROLES, technique=technique, redraw=0, output=out, evidence="none")
    people().drop("name").write_csv(files_in(out) / "released.csv")
    if not private:
        shutil.rmtree(out / "private")

    found = hw.audit(table, out, target="ill", roles=ROLES, only=["unchanged_cells", "linkage"])

    assert found.document["pairing"] == "rows"
    assert found["unchanged_cells"].value == 1
    assert found["linkage"].value > 0.9


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_release_in_random_order_is_paired_by_its_map_or_not_at_all(tmp_path: Path, suffix: str) -> None:
    table, out = tmp_path / f"people{suffix}", tmp_path / "out"
    write_frame(people(), table)
    done = hw.release(table, target="ill", roles=ROLES, redraw=0, output=out, evidence="none")
    assert done.row_order is not None
    assert done.row_order.tolist() == np.load(out / "private" / "row_order.npy").tolist()
    only: Any = {"only": ["unchanged_cells"], "target": "ill", "roles": ROLES}

    paired = hw.audit(table, out, **only)
    assert paired.document["pairing"] == "rows"
    back = np.argsort(done.row_order)
    same = (people()["age"] == done.frame["age"][back]).mean()
    ages = {column["column"]: column for column in paired["unchanged_cells"].details["columns"]}["age"]
    assert ages["share"] == pytest.approx(same, abs=1e-3)

    shutil.rmtree(out / "private")
    alone = hw.audit(table, out, **only)
    assert alone.document["pairing"] == "none"
    with pytest.raises(InputError, match="could not be computed"):
        alone["unchanged_cells"].value  # noqa: B018


def test_a_release_in_memory_knows_its_rows(tmp_path: Path) -> None:
    table = hw.read_table(people(), target="ill", roles=ROLES)
    done = hw.release(table, redraw=0, evidence="none", seed="7" * 64)
    hw.release(table, redraw=0, evidence="none", seed="7" * 64, output=tmp_path / "out")

    found, of_folder = (
        hw.audit(table, what, only=["unchanged_cells", "linkage"]) for what in (done, tmp_path / "out")
    )

    assert found.document["pairing"] == "rows"
    assert found["unchanged_cells"].value == of_folder["unchanged_cells"].value
    assert found["linkage"].value < 0.1
    assert hw.audit(table, done.frame, only=["unchanged_cells"]).document["pairing"] == "none"
    assert hw.audit(table, done, only=["unchanged_cells"], match="none").document["pairing"] == "none"
    assert "row_order=" not in repr(done)


def test_a_shuffled_release_matched_by_rows_is_put_back_in_order(tmp_path: Path) -> None:
    people().write_csv(tmp_path / "people.csv")
    hw.release(
        tmp_path / "people.csv",
        target="ill",
        keep={"name": "invented"},
        output=tmp_path / "out",
        evidence="none",
        redraw=0,
        shuffle_rows=True,
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


def test_the_share_of_records_below_some_bits_is_a_reason_to_fail(made: Path) -> None:
    """T and v of thesis 8.1: the release is secure if at most a share v of the records is below H_t bits."""
    name = "reidentification_entropy"
    bits = hw.audit(made / "people.csv", made / "out", only=[name]).records["reidentification_bits"]
    middle = float(np.median(bits)) + 0.01
    share = float((bits < middle).mean())
    limits = [f"{name}.below({middle})>{share - 0.001}", f"{name}.below({middle})>{share + 0.001}"]
    found = hw.audit(made / "people.csv", made / "out", only=["unchanged_cells"], fail_if=limits)
    (sentence,) = found.failed
    assert sentence.startswith(f"{name}.below({middle:g}) is {share:.4g}, which the limit")
    assert {entry["bits"] for entry in found[name].details["below"]} >= {middle}
    asked = {name: {"threshold_bits": middle}}
    own = hw.audit(
        made / "people.csv",
        made / "out",
        only=[name],
        settings=asked,
        fail_if=[f"{name}.below>{share - 0.001}"],
    )
    assert len(own.failed) == 1
    judged = hw.audit(
        made / "people.csv", made / "out", only=[name], limits=[f"{name}.below({middle})<={share - 0.001}"]
    )
    assert judged.verdict is not None
    (check,) = (c for c in judged.verdict.checks if c.requirement.quantity.name == name)
    assert (check.status, check.estimate and check.estimate.value) == ("fail", share)
    assert f"below {middle:g} bits" in judged.to_html()
