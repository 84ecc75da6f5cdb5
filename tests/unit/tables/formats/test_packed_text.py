from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest

from hushwood.errors import InputError
from hushwood.tables.formats.packed_text import is_packed, packing, unpacked

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
