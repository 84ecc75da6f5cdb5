from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

import polars as pl

from hushwood.jobs.checksums import file_checksum, keyed_checksum
from hushwood.random_streams import Streams
from hushwood.tables.reading import read
from people_files import write_people

STREAMS = Streams(bytes(32))


def test_a_file(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"abc")
    assert file_checksum(tmp_path / "x") == hashlib.sha256(b"abc").hexdigest()


def test_the_input_under_a_key(tmp_path: Path) -> None:
    path = write_people(tmp_path)
    found = keyed_checksum(read(path, target="ill"), STREAMS)
    key = STREAMS.derive("input checksum", "", 0)
    assert found == hmac.new(key, path.read_bytes(), "sha256").hexdigest()
    assert found != file_checksum(path)
    assert found != keyed_checksum(read(path, target="ill"), Streams(bytes(31) + b"\x01"))


def test_a_frame_under_a_key() -> None:
    frame = pl.DataFrame({"name": ["a", "b", "c"], "age": [1, 2, 3], "ill": ["no", "yes", "no"]})

    def checksum(of: pl.DataFrame) -> str:
        return keyed_checksum(read(of, target="ill", roles={"name": "identifier"}), STREAMS)

    assert checksum(frame) == checksum(frame.clone())
    assert checksum(frame) != checksum(frame.with_columns(pl.Series("age", [1, 2, 4])))
    assert checksum(frame) != checksum(frame.with_columns(pl.Series("name", ["a", "b", "d"])))
