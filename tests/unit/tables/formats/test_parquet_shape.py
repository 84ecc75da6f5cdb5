"""Headers of Parquet files: sound files of every writer add up, and absurd claims are seen."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hushwood.tables.formats.parquet_shape import Damaged, Unclear, unpacked_size

FRAME = pl.DataFrame(
    {"a": range(3_000), "s": [f"text {i % 7}" for i in range(3_000)], "n": [None, 1.5, 2.5] * 1_000}
)


@pytest.mark.parametrize("packing", ["zstd", "snappy", "gzip", "lz4", "uncompressed"])
def test_files_of_polars_add_up(tmp_path: Path, packing: str) -> None:
    FRAME.write_parquet(tmp_path / "t.parquet", compression=packing, row_group_size=1_000)  # type: ignore[arg-type]
    assert size_of(tmp_path / "t.parquet") >= 3_000 * (8 + 8)


@pytest.mark.parametrize(
    "options",
    [
        {"compression": "snappy"},
        {"data_page_version": "2.0", "compression": "gzip"},
        {"use_dictionary": False, "data_page_size": 500},
        {"write_page_index": True, "version": "1.0"},
        {"write_page_checksum": True, "row_group_size": 100},
    ],
)
def test_files_of_arrow_add_up(tmp_path: Path, options: dict[str, object]) -> None:
    pq.write_table(FRAME.to_arrow(), tmp_path / "t.parquet", **options)
    assert size_of(tmp_path / "t.parquet") >= 3_000 * (8 + 8)


def size_of(path: Path) -> int:
    with path.open("rb") as file:
        return unpacked_size(file)


def test_what_headers_cannot_judge(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": [[1, 2], [3]]}), path)
    with pytest.raises(Unclear, match="nested"):
        size_of(path)
    pq.write_table(
        pa.table({"a": [1, 2]}), path, use_dictionary=False, column_encoding={"a": "DELTA_BINARY_PACKED"}
    )
    with pytest.raises(Unclear, match="rare"):
        size_of(path)


def test_a_page_that_claims_too_much(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(
        pa.table({"a": pa.array(range(60), pa.int64())}), path, use_dictionary=False, compression="none"
    )
    whole = path.read_bytes()
    place = whole.index(b"\x2c\x15\x78")  # 60 values, written as a zigzag number
    for values in (b"\x79", b"\x7a", b"\xfe\xff\xff\xff\x0f"):  # −61, 61, 2³¹ − 1
        path.write_bytes(whole[:place] + b"\x2c\x15" + values + whole[place + 3 :])
        with pytest.raises(Damaged, match="values it claims"):
            size_of(path)


def test_every_cut_and_every_changed_byte_is_answered(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pl.DataFrame({"a": [1, 2], "b": ["x", "y"]}).write_parquet(path)
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with pytest.raises(Damaged):
            size_of(path)
    for place in range(0, len(whole), 3):
        path.write_bytes(whole[:place] + b"\xff" + whole[place + 1 :])
        with suppress(Damaged, Unclear):
            assert size_of(path) >= 0
