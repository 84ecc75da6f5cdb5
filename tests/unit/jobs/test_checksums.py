from __future__ import annotations

import gzip
import hashlib
import hmac
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from hushwood.jobs.checksums import (
    content_digest,
    file_checksum,
    is_input,
    keyed_checksum,
    private_checksum,
    table_digest,
)
from hushwood.random_streams import Streams
from hushwood.tables.reading import read
from people_files import write_people

STREAMS, OTHER = Streams(bytes(32)), Streams(bytes(31) + b"\x01")


def test_a_file(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"abc")
    assert file_checksum(tmp_path / "x") == hashlib.sha256(b"abc").hexdigest()


def test_the_input_under_a_key(tmp_path: Path) -> None:
    path = write_people(tmp_path)
    digest = table_digest(read(path, target="ill"))
    assert digest == hashlib.sha256(path.read_bytes()).digest()
    assert len({digest.hex(), keyed_checksum(digest, STREAMS), keyed_checksum(digest, OTHER)}) == 3


def test_a_frame_under_a_key() -> None:
    frame = pl.DataFrame({"name": ["a", "b", "c"], "age": [1, 2, 3], "ill": ["no", "yes", "no"]})

    def checksum(of: pl.DataFrame) -> bytes:
        return table_digest(read(of, target="ill", roles={"name": "identifier"}))

    assert checksum(frame) == checksum(frame.clone())
    assert checksum(frame) != checksum(frame.with_columns(pl.Series("age", [1, 2, 4])))
    assert checksum(frame) != checksum(frame.with_columns(pl.Series("name", ["a", "b", "d"])))


def manifest(version: int, checksum: str) -> dict[str, Any]:
    return {"version": version, "input": {"keyed_checksum": checksum}}


def test_the_input_is_found_again_from_a_file_or_a_reading(tmp_path: Path) -> None:
    path = write_people(tmp_path)
    reading = read(path, target="ill")
    whole = hmac.new(STREAMS.derive("input checksum", "", 0), path.read_bytes(), "sha256").hexdigest()
    for version, checksum in ((1, whole), (2, keyed_checksum(table_digest(reading), STREAMS))):
        for source in (path, reading):
            assert is_input(manifest(version, checksum), source, STREAMS)
            assert not is_input(manifest(version, checksum), source, OTHER)
            assert not is_input(manifest(3 - version, checksum), source, STREAMS)


def test_a_private_file_under_a_key(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"abc")
    found = {private_checksum(tmp_path / name, streams) for name in "ab" for streams in (STREAMS, OTHER)}
    assert len(found) == 4
    assert file_checksum(tmp_path / "a") not in found


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
