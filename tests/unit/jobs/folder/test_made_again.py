"""A release in memory is judged by its laws, as its folder is, and not if the table is another one."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.jobs.folder.made_again import ContentDigest, content_digest
from hushwood.tables.reading import read
from support.foreign_releases import people
from support.mixed_tables import mixed_table
from support.people_files import write_people


def digest(frame: pl.DataFrame, **how: Any) -> bytes:
    return content_digest(read(frame, target="ill", **how).table, threads=2)


def test_a_table_has_one_content_in_every_dress(tmp_path: Path) -> None:
    path = write_people(tmp_path)
    frame = pl.read_csv(path)
    with gzip.open(tmp_path / "t.csv.gz", "wb") as packed:
        packed.write(path.read_bytes())
    frame.write_parquet(tmp_path / "t.parquet")
    dressed = [
        frame.select(reversed(frame.columns)),
        frame.with_columns(pl.col("age").cast(pl.Int8), pl.col("group").cast(pl.Enum(["z", "y", "x"]))),
        frame.with_columns(name=pl.Series([f"person {i}" for i in range(120)])),
    ]
    found = {
        content_digest(read(tmp_path / name, target="ill").table)
        for name in ("people.csv", "t.csv.gz", "t.parquet")
    }
    found |= {digest(other, roles={"name": "identifier"}) for other in dressed}
    assert found == {digest(frame)}


@pytest.mark.parametrize(
    "change",
    [
        pl.when(pl.int_range(pl.len()) == 7).then(99.0).otherwise("score").alias("score"),
        pl.when(pl.int_range(pl.len()) != 7).then("score").alias("score"),
        pl.col("group").replace("x", "w"),
        pl.when(pl.int_range(pl.len()) != 7).then("group").alias("group"),
        pl.col("score").alias("age"),
        pl.all().reverse(),
    ],
    ids=["a number", "a number gone", "a word", "a category gone", "a column", "the order"],
)
def test_every_change_of_a_value_shows_in_the_content(tmp_path: Path, change: pl.Expr) -> None:
    frame = pl.read_csv(write_people(tmp_path))
    assert digest(frame.with_columns(change)) != digest(frame)


def test_zeros_and_missing_numbers_have_one_form() -> None:
    ill = ["no", "yes", "no", "yes"]
    first = pl.DataFrame({"a": [0.0, None, 1.5, 2.5], "ill": ill})
    second = pl.DataFrame({"a": [-0.0, float("nan"), 1.5, 2.5], "ill": ill})
    assert digest(first) == digest(second)


@pytest.mark.parametrize("size", [1, 7, 100])
def test_batches_have_the_digest_of_the_whole(size: int) -> None:
    table = mixed_table(3, 100)
    found = ContentDigest(table.schema)
    for begin in range(0, table.rows, size):
        found.add(table.take(np.arange(begin, min(begin + size, table.rows))), threads=2)
    assert found.digest() == content_digest(table)


ROLES: Any = {"name": "identifier"}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"redraw": 0},
        {"technique": "forest-framework"},
        {"coarsen": {"age": "5"}, "rare": "group"},
        {"redraw": 0, "shuffle_rows": True},
        {"technique": "cart-synthesis"},
    ],
    ids=["default", "exact", "noise", "coarse", "shuffled", "synthesis"],
)
def test_a_release_in_memory_is_judged_as_its_folder(options: dict[str, Any], tmp_path: Path) -> None:
    """By its own laws, on the table as it was prepared, and made-up records as made up."""
    table = hw.read_table(people(), target="ill", roles=ROLES)
    given = dict(evidence="none", seed="7" * 64, **options)
    done = hw.release(table, **given)
    hw.release(table, output=tmp_path / "out", **given)
    only = ["reidentification_entropy", "class_entropy", "sers", "linkage", "singling_out"]

    found, of_folder = (hw.audit(table, what, only=only) for what in (done, tmp_path / "out"))

    assert found.document["measures"] == of_folder.document["measures"]
    assert found.document["attacks"] == of_folder.document["attacks"]
    if options == {"redraw": 0}:
        assert found["reidentification_entropy"].details["likelihood"] == "laws"


def test_another_table_is_not_judged_by_the_laws_of_a_release() -> None:
    table = hw.read_table(people(), target="ill", roles=ROLES)
    done = hw.release(table, evidence="none", seed="7" * 64)
    other = table.with_columns({"age": np.append(table.columns["age"][1:], 40.0)})
    found = hw.audit(other, done, match="rows", only=["reidentification_entropy"])
    assert any("another version" in note for note in found.evaluation.release.warnings)
    assert found["reidentification_entropy"].details["likelihood"] == "fitted"


def test_a_frame_is_read_as_for_the_release() -> None:
    """The name is not among the columns that are compared, although only the release was told that it identifies."""
    done = hw.release(people(), target="ill", roles=ROLES, redraw=0, evidence="none", seed="7" * 64)
    found = hw.audit(people(), done, only=["reidentification_entropy"])
    assert found["reidentification_entropy"].details["likelihood"] == "laws"
    assert done.made is not None
    assert "key" not in repr(done)
