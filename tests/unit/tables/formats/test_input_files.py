"""Only ordinary files are read, and only up to a size; nothing waits for a pipe."""

from __future__ import annotations

import gzip
import os
import socket
import zipfile
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest

import hushwood
from hushwood.errors import InputError
from hushwood.jobs.folder.keys import streams_for
from hushwood.tables.formats import input_files
from hushwood.tables.formats.files import read_frame
from hushwood.tables.formats.input_files import (
    MAX_BYTES,
    allowed_bytes,
    bytes_of,
    is_packed,
    max_bytes,
    packing,
    read_text,
    unpacked,
)
from hushwood.tables.formats.schema_file import read_schema_file
from hushwood.tables.recoding.taxonomies import read_hierarchy
from hushwood.trees.model_file import read_forest


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.parquet", "t.arrow"])
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(InputError, match=r"is a pipe\. Write its content to a file"):
        read_frame(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_no_file_that_goes_with_a_table_may_be_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "p"
    os.mkfifo(pipe)
    for read in (read_schema_file, read_hierarchy, read_forest, lambda path: streams_for(None, path)):
        with pytest.raises(InputError, match="is a pipe"):
            read(pipe)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device without end")
def test_devices_and_sockets_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").symlink_to("/dev/zero")
    with pytest.raises(InputError, match=r"is a device\. Give an ordinary file"):
        read_frame(tmp_path / "t.csv")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "s.csv"))
        with pytest.raises(InputError, match="is a socket"):
            read_frame(tmp_path / "s.csv")


def test_a_gzip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    bomb = tmp_path / "t.csv.gz"
    bomb.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 10_000_000))
    with max_bytes(20_000_000), pytest.raises(InputError, match="allow more with --max-bytes"):
        bytes_of(bomb)


def test_what_is_packed_as_no_table_is_needs_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_files, "_SMALL", 1_000_000)
    bomb = tmp_path / "t.csv.gz"
    bomb.write_bytes(gzip.compress(bytes(20_000_000)))
    with pytest.raises(InputError, match="expands to more than 200 times its size"):
        bytes_of(bomb)
    with max_bytes(30_000_000):
        assert len(bytes_of(bomb)) == 20_000_000


def test_the_limit_holds_for_every_format_and_ends_with_its_block(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": range(5_000), "b": range(5_000)})
    frame.write_csv(tmp_path / "t.csv")
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress((tmp_path / "t.csv").read_bytes()))
    pl.DataFrame({"a": [1] * 100_000}).write_parquet(tmp_path / "t.parquet")  # much smaller than its column
    pl.DataFrame({"a": [1] * 100_000}).write_ipc(tmp_path / "t.arrow", compression="zstd")
    for name in ("t.csv", "t.csv.gz", "t.parquet", "t.arrow"):
        with pytest.raises(InputError, match="more than the 40,000 bytes"):
            hushwood.read_table(tmp_path / name, max_bytes=40_000)
        with hushwood.max_bytes(40_000), pytest.raises(InputError, match="more than the 40,000 bytes"):
            hushwood.read_table(tmp_path / name)
        assert hushwood.read_table(tmp_path / name).rows
    assert allowed_bytes() == MAX_BYTES


def test_a_limit_is_a_number_of_bytes() -> None:
    for limit in (0, -1):
        with pytest.raises(InputError, match="1 or more"), max_bytes(limit):
            pass


def test_texts_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "long").write_text("x" * 100)
    with pytest.raises(InputError, match="too long to be a seed file"):
        read_text(tmp_path / "long", "seed file", most=99)
    with pytest.raises(InputError, match="is a folder"):
        read_text(tmp_path, "schema file")
    with pytest.raises(InputError, match="cannot be read: embedded null"):
        read_text(Path("a\0b"), "schema file")


TEXT = "a;b\n1;ä\n".encode() * 1000
ENDINGS = [".csv", ".csv.gz", ".csv.zst", ".csv.zip"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_text_comes_back_from_disk_and_from_bytes(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"t{ending}"
    with packing(path) as file:
        file.write(TEXT[:100])
        file.write(TEXT[100:])
    assert is_packed(path) == (ending != ".csv")
    for raw in (None, path.read_bytes()):
        with unpacked(path, raw) as file:
            assert file.read() == TEXT
    first = path.read_bytes()
    with packing(path) as file:
        file.write(TEXT)
    assert ending == ".csv.zst" or path.read_bytes() == first  # its blocks are those that were written


def test_other_programs_read_it_and_we_read_theirs(tmp_path: Path) -> None:
    paths = {ending: tmp_path / f"t{ending}" for ending in ENDINGS}
    for path in paths.values():
        with packing(path) as file:
            file.write(TEXT)
    assert gzip.decompress(paths[".csv.gz"].read_bytes()) == TEXT
    assert pa.input_stream(str(paths[".csv.zst"]), compression="zstd").read() == TEXT
    with zipfile.ZipFile(paths[".csv.zip"]) as archive:
        assert archive.namelist() == ["t.csv"]
        assert archive.read("t.csv") == TEXT


@pytest.mark.parametrize(("ending", "kind"), [(".csv.gz", "gzip"), (".csv.zst", "zst"), (".csv.zip", "zip")])
@pytest.mark.parametrize("cut", [0.5, 0.98])
def test_a_damaged_file_is_one_sentence(tmp_path: Path, ending: str, kind: str, cut: float) -> None:
    path = tmp_path / f"t{ending}"
    with packing(path) as file:
        file.write(TEXT)
    path.write_bytes(path.read_bytes()[: int(cut * path.stat().st_size)])
    with pytest.raises(InputError, match=f"is a damaged {kind} file"), unpacked(path) as file:
        file.read()


def test_a_fault_of_whoever_reads_is_not_taken_for_damage(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    with packing(path) as file:
        file.write(b"\xff")
    with pytest.raises(UnicodeDecodeError), unpacked(path) as file:
        file.read().decode("utf-8")


def test_a_folder_and_a_file_without_a_name_inside(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("folder/", "")
        archive.writestr(zipfile.ZipInfo(""), TEXT)
    with unpacked(path) as file:
        assert file.read() == TEXT
