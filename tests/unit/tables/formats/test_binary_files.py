"""Parquet and Arrow files: all types come back, damage is one sentence, and a trial elsewhere saves the process."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, datetime, time, timedelta
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hushwood.errors import InputError
from hushwood.tables.formats import binary_files
from hushwood.tables.formats.binary_files import Damaged, Unclear, read_binary, unpacked_size

FRAME = pl.DataFrame(
    {
        "i": pl.Series([1, None, 3], dtype=pl.Int16),
        "u": pl.Series([1, 2, 2**63], dtype=pl.UInt64),
        "f": pl.Series([0.5, None, 1e300]),
        "m": pl.Series(["1.25", None, "3.00"]).cast(pl.Decimal(10, 2)),
        "s": ["x", None, "é"],
        "c": pl.Series(["x", None, "é"], dtype=pl.Categorical),
        "e": pl.Series(["x", None, "é"], dtype=pl.Enum(["é", "unused", "x"])),
        "b": [True, None, False],
        "d": [date(2020, 1, 1), None, date(1900, 12, 31)],
        "t": pl.Series([datetime(2020, 1, 1), None, datetime(1950, 1, 1)]).dt.replace_time_zone(
            "Europe/Vienna"
        ),
        "k": [time(1, 2, 3), None, time(0)],
        "l": [timedelta(seconds=1), None, timedelta(days=-3)],
        "z": pl.Series([None, None, None], dtype=pl.Null),
    }
)


@pytest.mark.parametrize("packing", ["zstd", "lz4", "uncompressed"])
def test_all_types_come_back_as_polars_reads_them(tmp_path: Path, packing: str) -> None:
    FRAME.write_parquet(tmp_path / "t", compression=packing, row_group_size=2)  # type: ignore[arg-type]
    assert read_binary(tmp_path / "t", "parquet").equals(FRAME)
    for write in (FRAME.write_ipc, FRAME.write_ipc_stream):
        write(tmp_path / "t", compression=packing)  # type: ignore[call-overload]
        found = read_binary(tmp_path / "t", "ipc")
        assert found.schema == FRAME.schema
        assert found.equals(FRAME)


@pytest.mark.parametrize("kind", ["parquet", "ipc"])
def test_what_only_polars_reads(tmp_path: Path, kind: binary_files.Packed) -> None:
    wide = pl.DataFrame({"a": pl.Series([1, 2**100], dtype=pl.Int128)})
    (wide.write_parquet if kind == "parquet" else wide.write_ipc)(tmp_path / "t")
    assert read_binary(tmp_path / "t", kind).equals(wide)


def test_rare_encodings_are_tried_elsewhere(tmp_path: Path) -> None:
    table = pa.table({"a": list(range(60))})
    pq.write_table(
        table,
        tmp_path / "t",
        use_dictionary=False,
        compression="none",
        column_encoding={"a": "DELTA_BINARY_PACKED"},
    )
    assert read_binary(tmp_path / "t", "parquet")["a"].to_list() == list(range(60))
    whole = (tmp_path / "t").read_bytes()
    # The page begins: 256 values a block, 4 parts each, 60 values in all. Polars panics at blocks of 2³² − 1.
    place = whole.index(b"\x80\x02\x04\x3c")
    (tmp_path / "t").write_bytes(whole[:place] + b"\xff\xff\xff\xff\x0f\x04" + whole[place + 6 :])
    with pytest.raises(InputError, match="a damaged Parquet file"):
        read_binary(tmp_path / "t", "parquet")


def test_a_claim_that_ends_the_process_of_polars(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": list(range(60))}), tmp_path / "t", use_dictionary=False, compression="none")
    whole = (tmp_path / "t").read_bytes()
    place = whole.index(b"\x2c\x15\x78")  # the page's own header: 60 values, as a zigzag number
    (tmp_path / "t").write_bytes(whole[:place] + b"\x2c\x15\x79" + whole[place + 3 :])  # −61 values
    with pytest.raises(InputError, match="pages do not have the sizes or values it claims"):
        read_binary(tmp_path / "t", "parquet")


def test_panics_are_one_sentence_and_nothing_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    FRAME.write_parquet(tmp_path / "t")

    def panic(*given: object) -> pl.DataFrame:
        # A date that no calendar has: its text is a panic of Rust, which prints before Python hears of it.
        return pl.DataFrame({"d": pl.Series([2**31 - 1], dtype=pl.Int32).cast(pl.Date).cast(pl.String)})

    monkeypatch.setattr(binary_files, "_with_polars", panic)
    with pytest.raises(InputError, match="is a damaged Parquet file"):
        read_binary(tmp_path / "t", "parquet")
    assert "panicked" not in capfd.readouterr().err


def test_memory_that_is_really_lacking_is_not_called_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FRAME.write_ipc(tmp_path / "t")

    def lacking(*given: object) -> pl.DataFrame:
        raise MemoryError("malloc of size 1000000 failed")

    monkeypatch.setattr(binary_files, "_read_arrow", lacking)
    with pytest.raises(MemoryError):
        read_binary(tmp_path / "t", "ipc")


def test_absurd_sizes_in_arrow_files(tmp_path: Path) -> None:
    pl.DataFrame({"a": list(range(500))}).write_ipc_stream(tmp_path / "t", compression="zstd")
    whole = (tmp_path / "t").read_bytes()
    place = whole.index((4_000).to_bytes(8, "little"))  # how long the packed column is once unpacked
    (tmp_path / "t").write_bytes(whole[:place] + (2**62).to_bytes(8, "little") + whole[place + 8 :])
    with pytest.raises(InputError, match="a damaged Arrow file"):
        read_binary(tmp_path / "t", "ipc")


FRAME_PARQUET_SHAPE = pl.DataFrame(
    {"a": range(3_000), "s": [f"text {i % 7}" for i in range(3_000)], "n": [None, 1.5, 2.5] * 1_000}
)


@pytest.mark.parametrize("packing", ["zstd", "snappy", "gzip", "lz4", "uncompressed"])
def test_files_of_polars_add_up(tmp_path: Path, packing: str) -> None:
    FRAME_PARQUET_SHAPE.write_parquet(tmp_path / "t.parquet", compression=packing, row_group_size=1_000)  # type: ignore[arg-type]
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
    pq.write_table(FRAME_PARQUET_SHAPE.to_arrow(), tmp_path / "t.parquet", **options)
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
