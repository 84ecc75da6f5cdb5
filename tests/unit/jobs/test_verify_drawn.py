"""Releases of drawn people, checked by who has their key."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.jobs.folder.release_folder import release_folder
from hushwood.jobs.judging_requests import VerifyRequest
from hushwood.jobs.verify import Verified, in_batches, verify
from support.people_files import SEED
from support.visits import visits

ROWS = 600
IN_BATCHES = VerifyRequest(memory=1, threads=1)
WHERE = pytest.mark.parametrize("request_", [None, IN_BATCHES], ids=["in memory", "in batches"])
DRAWN = "counts of categories in leaves are those that the key draws"


def people(rows: int = ROWS) -> pl.DataFrame:
    """Old people are ill and young ones are not, but of those of 50 some are; so a leaf holds one class alone."""
    chance = np.random.default_rng(4)
    age = chance.integers(20, 80, rows)
    return pl.DataFrame(
        {
            "id": [f"N{number:05}" for number in chance.permutation(rows)],
            "age": age,
            "town": chance.choice(["Bonn", "Trier", "Ulm"], rows).tolist(),
            "ill": np.where(age + chance.integers(0, 2, rows) > 50, "yes", "no").tolist(),
        }
    )


def released(here: Path, frame: pl.DataFrame | None = None, **more: Any) -> Path:
    (people() if frame is None else frame).write_parquet(here / "people.parquet")
    given: dict[str, Any] = {"target": "ill", "k": 100, "teacher": "tree", "seed": SEED, **more}
    if frame is None and "row_key" not in given:
        given["roles"] = {"id": "identifier"}
    done = hw.release(here / "people.parquet", output=here / "out", evidence="none", reuse_key=True, **given)
    assert done.manifest["output"]["records_have_partners"] is False
    return here / "out"


def table_of(out: Path) -> Path:
    return out / "not-cleared" / "released.parquet"


def said(found: Verified, holds: bool | None = False) -> list[str]:
    return [check.sentence for check in found.checks if check.holds is holds]


@WHERE
@pytest.mark.parametrize("engine", ["memory", "streaming"])
@pytest.mark.parametrize("redraw", [0.5, 1.0])
def test_a_release_that_nobody_touched_holds(
    tmp_path: Path, engine: str, redraw: float, request_: VerifyRequest | None
) -> None:
    out = released(tmp_path, engine=engine, redraw=redraw)
    found = verify(out, tmp_path / "people.parquet", request_)
    assert said(found) == []
    folder = release_folder(out)
    assert folder is not None
    assert found.certificate == folder.manifest["certificate"]
    assert in_batches(folder, tmp_path / "people.parquet", 1)
    (draw,) = (sentence for sentence in (*said(found, True), *said(found, None)) if "key draws" in sentence)
    assert (DRAWN in draw) == (request_ is None)


@WHERE
def test_leaves_of_one_class_are_compared_with_their_own(
    tmp_path: Path, request_: VerifyRequest | None
) -> None:
    """The file is in another order than the people: a record is not compared with the leaf of another."""
    for number in range(4):
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        out = released(tmp_path, seed=f"{number + 17:02x}" * 32)
        assert said(verify(out, tmp_path / "people.parquet", request_)) == []


@WHERE
@pytest.mark.parametrize(
    "more", [{"row_key": "id"}, {"rare": "keep"}, {"suppress": ("age > 70 : town",)}], ids=str
)
def test_however_it_was_prepared(
    tmp_path: Path, more: dict[str, Any], request_: VerifyRequest | None
) -> None:
    out = released(tmp_path, **more)
    assert said(verify(out, tmp_path / "people.parquet", request_)) == []


def test_persons_are_drawn_again_as_persons(tmp_path: Path) -> None:
    out = released(tmp_path, visits(300), person="patient")
    found = verify(out, tmp_path / "people.parquet")
    assert said(found) == []
    assert any("with a row for every person" in sentence for sentence in said(found, None))


@pytest.mark.parametrize("column", ["town", "ill"])
def test_a_changed_record_is_found(tmp_path: Path, column: str) -> None:
    """By the checksum, and by who has the key, if someone wrote a new checksum into the manifest."""
    out = released(tmp_path)
    frame = pl.read_parquet(table_of(out))
    other = next(value for value in frame[column].unique().sort() if value != frame[column][0])
    changed = pl.when(pl.int_range(pl.len()) == 0).then(pl.lit(other)).otherwise(pl.col(column))
    frame.with_columns(changed.alias(column)).write_parquet(table_of(out))
    found = verify(out, tmp_path / "people.parquet")
    assert not found.holds
    assert any("is not the file that was written" in sentence for sentence in said(found))
    assert any(DRAWN in sentence for sentence in said(found))


def test_a_record_that_left_its_rules_is_found(tmp_path: Path) -> None:
    out = released(tmp_path)
    frame = pl.read_parquet(table_of(out))
    moved = pl.when(pl.int_range(pl.len()) == pl.col("age").arg_max()).then(20).otherwise(pl.col("age"))
    frame.with_columns(moved.alias("age")).write_parquet(table_of(out))
    found = verify(out, tmp_path / "people.parquet")
    assert found.certificate is not None
    assert found.certificate["kept"] == ROWS - 1
    assert any("certificate differs" in sentence for sentence in said(found))


def test_values_that_no_drawn_person_of_the_leaf_has_break_the_promise(tmp_path: Path) -> None:
    """Of the two leaves one has those of 50, of whom some are ill; in the other all are, or nobody is."""
    out = released(tmp_path)
    frame = pl.read_parquet(table_of(out))
    ill = (
        pl.when(pl.col("age") == pl.col("age").min()).then(pl.lit("yes"))
        .when(pl.col("age") == pl.col("age").max()).then(pl.lit("no")).otherwise(pl.col("ill"))
    )  # fmt: skip
    frame.with_columns(ill=ill).write_parquet(table_of(out))
    broken = [one for one in said(verify(out, tmp_path / "people.parquet")) if "promise is broken" in one]
    assert len(broken) == 1
    assert "column 'ill'" in broken[0]


@WHERE
def test_without_the_key_nobody_can_be_drawn_again(tmp_path: Path, request_: VerifyRequest | None) -> None:
    out = released(tmp_path)
    (out / "private" / "key").unlink()
    found = verify(out, tmp_path / "people.parquet", request_)
    assert found.certificate is None
    assert any("the people were drawn by the key, which is not here" in one for one in said(found, None))
    shutil.rmtree(out / "private")
    assert verify(out, tmp_path / "people.parquet", request_).certificate is None


def test_another_table_is_not_the_original(tmp_path: Path) -> None:
    out = released(tmp_path)
    people().reverse().write_parquet(tmp_path / "other.parquet")
    found = verify(out, tmp_path / "other.parquet")
    assert not found.holds
    assert any("The original is not the table that was released" in one for one in said(found))
