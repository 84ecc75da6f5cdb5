"""A table read in batches is the table that is read whole: schema, warnings, values and digest."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.tables.columns.warnings import FAR_OUT, MISSING_CODE, TOTAL
from hushwood.tables.csv import blocks
from hushwood.tables.csv.dialect import Dialect
from hushwood.tables.long import files as spooling
from hushwood.tables.long.table import LongReading, Looking, read_long
from hushwood.tables.reading import read
from support.long_releases import cells

ODD_NUMBERS = (MISSING_CODE, TOTAL, FAR_OUT)  # not asked about in tables that are read in batches
SMALL = 64  # bytes of a text file that are read at a time: blocks end everywhere


def check(path: Path, scratch: Path, size: int = 3, whole: Path | None = None, **how: Any) -> LongReading:
    """Compare the table in batches with the table as a whole, which may lie in another file."""
    wanted = read(whole or path, **how)
    found = read_long(path, scratch, how, Looking(threads=2))
    assert found.records.schema == wanted.table.schema
    asked = [(w.code, w.column) for w in wanted.warnings if w.code not in ODD_NUMBERS]
    assert [(w.code, w.column) for w in found.warnings] == asked
    assert (found.dialect, found.form) == (wanted.dialect, wanted.form)
    assert found.records.rows == wanted.table.rows
    assert whole is not None or found.sha256 == wanted.sha256
    first = 0
    for at, batch in found.records.batches(size):
        assert at == first
        part = wanted.table.take(np.arange(first, first + batch.rows))
        first += batch.rows
        for name in batch.columns:
            assert cells(batch, name).tolist() == pytest.approx(cells(part, name).tolist(), nan_ok=True)
        for name in batch.carried.columns:
            assert batch.carried[name].to_list() == part.carried[name].to_list()
    assert first == wanted.table.rows
    return found


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK_BYTES", SMALL)
    monkeypatch.setattr(spooling, "SPOOL_ROWS", 5)


LINES = [f"{20 + n % 7},{n / 4},{'xyz'[n % 3]},{'yes' if n % 4 else 'no'}" for n in range(40)]
PLAIN = "age,score,group,ill\n" + "\n".join(LINES) + "\n"
TEXTS = {
    "plain": PLAIN,
    "no line end at the end": PLAIN.rstrip("\n"),
    "returns": PLAIN.replace("\n", "\r\n"),
    "old mac": PLAIN.replace("\n", "\r"),
    "a mark at the beginning": "\ufeff" + PLAIN,
    "quotes": 'age,say,ill\n1,"a, ""b""",no\n2,"two\nlines, and\n\nmore",yes\n3,"",no\n4,x,yes\n' * 1
    + "".join(f'{n},"line\n{n}",{"no" if n % 2 else "yes"}\n' for n in range(30)),
    "a quoted header": '"a\nge","sc,hool",ill\n' + "".join(f"{n},{n % 3},{'ab'[n % 2]}\n" for n in range(40)),
    "a blank line first": "\n" + PLAIN,
    "blank lines": PLAIN.replace("no\n", "no\n\n") + "\n\n",
    "one column": "ill\n" + "yes\nno\n" * 30,
    "missing cells": PLAIN.replace("x,", ",").replace("21,", ",").replace("y,", "?,"),
    "missing at the end of the line": PLAIN.replace("1.0,y,no\n", "1.0,y,\n"),
    "integers that become decimals": "x,ill\n" + "1,no\n2,yes\n" * 20 + "3.5,no\n",
    "integers that become texts": "x,ill\n" + "1,no\n2,yes\n" * 20 + "many,no\n",
    "booleans that become texts": "x,ill\n" + "true,no\nfalse,yes\n" * 20 + "maybe,no\n",
    "days that become moments": "x,ill\n" + "2020-01-02,no\n2020-01-03,yes\n" * 15 + "2020-01-04T10:00,no\n",
    "days": "x,ill\n" + "2020-01-02,no\n2021-11-03,yes\n" * 15,
    "numbers after gaps": "x,ill\n" + ",no\n,yes\n" * 20 + "3.25,no\n",
    "nothing but gaps": "x,ill\n" + ",no\n,yes\n" * 20,
    "leading zeros": "x,ill\n" + "1,no\n2,yes\n" * 20 + "007,no\n",
    "decimals that come late": "x,ill\n" + "1.5,no\n2.5,yes\n" * 20 + "3.12345,no\n",
    "formulas": "x,ill\n" + "a,no\nb,yes\n" * 20 + "=1+1,no\n",
    "large numbers": "x,ill\n" + "1,no\n2,yes\n" * 20 + "4503599627370496,no\n",
    "codes": "code,ill\n" + "".join(f"k{n * 7919 % 1000:03},{'no' if n % 2 else 'yes'}\n" for n in range(60)),
    "row numbers": "row,ill\n" + "".join(f"{n},{'no' if n % 2 else 'yes'}\n" for n in range(60)),
    "one known number": "x,ill\n" + ",no\n,yes\n" * 20 + "3,no\n",
    "looks like names": "mail,ill\n"
    + "".join(f"p{n}@example.org,{'no' if n % 2 else 'yes'}\n" for n in range(60)),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_text_file(tmp_path: Path, small_blocks: None, text: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode("utf-8"))
    check(path, tmp_path, target="ill", missing=("?",), separator=",")


@pytest.mark.parametrize("size", [3, 7, 13, 50, 10_000])
def test_wherever_blocks_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(blocks, "BLOCK_BYTES", size)
    path = tmp_path / "t.csv"
    path.write_text(
        "name,ill\n" + "".join(f'"é\n,{n}",{"no" if n % 2 else "yes"}\n' for n in range(9)), "utf-8"
    )
    check(path, tmp_path, target="ill", separator=",")


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-16-le", "cp1252", "utf-8-sig", "shift_jis"])
def test_encodings(tmp_path: Path, small_blocks: None, encoding: str) -> None:
    letter = "ｱ" if encoding == "shift_jis" else "é"
    path = tmp_path / "t.csv"
    path.write_bytes(PLAIN.replace("x,", f"{letter}x,").encode(encoding))
    check(path, tmp_path, target="ill", encoding=encoding)


def test_a_compressed_file_and_another_separator(tmp_path: Path) -> None:
    text = PLAIN.replace(",", ";")
    with gzip.open(tmp_path / "t.csv.gz", "wb") as packed:
        packed.write(text.encode())
    assert (check(tmp_path / "t.csv.gz", tmp_path, target="ill").dialect or Dialect()).separator == ";"
    (tmp_path / "t.tsv").write_text(PLAIN.replace(",", "\t"), "utf-8")
    assert (check(tmp_path / "t.tsv", tmp_path, target="ill").dialect or Dialect()).separator == "\t"


def test_roles_bins_and_responses(tmp_path: Path, small_blocks: None) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,x,price\n" + "".join(f"00{n},{n % 5},{n * 1.5}\n" for n in range(120)), "utf-8")
    check(path, tmp_path, target="price", roles={"id": "identifier"})
    check(path, tmp_path, target="price", roles={"id": "ignored"}, class_bins=3)
    check(path, tmp_path, target="x", roles={"id": "identifier"}, response="number")
    check(path, tmp_path, target="price", roles={"id": "identifier"}, class_threshold=60.0)


def refusals(path: Path, scratch: Path, **how: Any) -> tuple[str, str]:
    with pytest.raises(InputError) as wanted:
        read(path, **how)
    with pytest.raises(InputError) as found:
        read_long(path, scratch, how)
    return str(found.value), str(wanted.value)


RAGGED = {
    "too short": ("20,1", "line 31"),
    "too long": ("20,1,x,no,more", "line 31"),
    "an open quote": ('20,"1,x,no', ""),
}


@pytest.mark.parametrize(("record", "line"), RAGGED.values(), ids=RAGGED)
def test_a_ragged_record_is_refused_with_its_line(
    tmp_path: Path, small_blocks: None, record: str, line: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age,score,group,ill\n" + "\n".join([*LINES[:29], record, *LINES[29:]]) + "\n", "utf-8")
    found, wanted = refusals(path, tmp_path, target="ill", separator=",")
    assert str(path) in found
    assert line in found
    if line:
        assert found == wanted


def test_the_line_of_a_ragged_record_after_quoted_line_ends(tmp_path: Path, small_blocks: None) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + '"x\ny",1\n' * 20 + "short\n" + "z,1\n" * 20, "utf-8")
    found, wanted = refusals(path, tmp_path, separator=",")
    assert found == wanted
    assert "line 42" in found


@pytest.mark.parametrize("text", [b"", b"a,b\n", b"a,a\n1,2\n", b"a,\n1,2\n", b"a,b\n1,\x81\n"])
def test_files_that_are_no_tables(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(text)
    found, _ = refusals(path, tmp_path)
    assert str(path) in found


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8"])
def test_a_file_that_ends_within_a_character(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes((PLAIN + "30,1,é").encode(encoding)[:-1])
    refusals(path, tmp_path, encoding=encoding)


def test_a_damaged_gzip_file(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    with gzip.open(path, "wb") as packed:
        packed.write(PLAIN.encode())
    path.write_bytes(path.read_bytes()[:-20])
    found, _ = refusals(path, tmp_path)
    assert "damaged gzip file" in found


FRAME = pl.DataFrame(
    {
        "age": pl.Series([*range(30)], dtype=pl.Int16),
        "score": pl.Series([None if n % 7 == 0 else n / 8 for n in range(30)], dtype=pl.Float32),
        "group": pl.Series([None if n % 5 == 0 else "xyz"[n % 3] for n in range(30)], dtype=pl.Categorical),
        "flag": [n % 2 == 0 for n in range(30)],
        "seen": pl.Series([n * 86_400_000 for n in range(30)]).cast(pl.Datetime("ms")),
        "ill": ["?" if n % 11 == 0 else "no" if n % 4 else "yes" for n in range(30)],
    }
)


@pytest.mark.parametrize("ending", ["parquet", "arrow", "feather"])
def test_a_binary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    monkeypatch.setattr(spooling, "SPOOL_ROWS", 7)
    path = tmp_path / f"t.{ending}"
    if ending == "parquet":
        FRAME.write_parquet(path, row_group_size=4)
    else:
        FRAME.write_ipc(path, record_batch_size=4)
    for size in (1, 4, 9, 100):
        check(path, tmp_path, size, target="ill", missing=("?",))


def folder_of(tmp_path: Path, ending: str) -> Path:
    folder = tmp_path / "files"
    (folder / "_temporary").mkdir(parents=True)
    (folder / ".hidden.csv").write_text("nothing", "utf-8")
    (folder / "_temporary" / f"t.{ending}").write_text("nothing", "utf-8")
    (folder / "readme.md").write_text("nothing", "utf-8")
    for place, (begin, end) in enumerate(((0, 11), (11, 12), (12, 30))):
        part = FRAME[begin:end]
        path = folder / f"part-{place}.{ending}"
        part.write_parquet(path) if ending == "parquet" else part.write_csv(path)
    return folder


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_a_folder_of_files_is_one_table(tmp_path: Path, ending: str) -> None:
    folder = folder_of(tmp_path, ending)
    whole = tmp_path / f"whole.{ending}"
    FRAME.write_parquet(whole) if ending == "parquet" else FRAME.write_csv(whole)
    found = check(folder, tmp_path, whole=whole, target="ill")
    assert found.suffix == f".{ending}"
    (folder / f"part-1.{ending}").rename(folder / f"part-9.{ending}")
    assert read_long(folder, tmp_path, {"target": "ill"}).sha256 != found.sha256


def test_folders_that_are_no_table(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    with pytest.raises(InputError, match="is a folder without tables"):
        read_long(tmp_path / "none", tmp_path, {})
    folder = folder_of(tmp_path, "csv")
    (folder / "part-1.csv").write_text("other,header\n1,2\n", "utf-8")
    with pytest.raises(InputError, match=r"part-1\.csv has another header than part-0\.csv"):
        read_long(folder, tmp_path, {})
    FRAME.write_parquet(folder / "more.parquet")
    with pytest.raises(InputError, match=r"several formats \(\.csv, \.parquet\)"):
        read_long(folder, tmp_path, {})


def test_parquet_files_with_other_columns_are_not_one_table(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, "parquet")
    FRAME.drop("age").write_parquet(folder / "part-2.parquet")
    with pytest.raises(InputError, match=r"part-2\.parquet has other columns than part-0\.parquet"):
        read_long(folder, tmp_path, {})


def test_some_records_and_some_columns(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    FRAME.write_parquet(path, row_group_size=4)
    table = read_long(path, tmp_path, {"target": "ill"}).records
    wanted = read(path, target="ill").table
    places = np.array([0, 3, 17, 29])
    for size in (1, 10, 100):
        assert cells(table.at(places, size), "score").tolist() == pytest.approx(
            cells(wanted, "score")[places].tolist(), nan_ok=True
        )
    parts = [batch for _, batch in table.batches(8, ["age", "ill"])]
    assert [sorted(part.columns) for part in parts] == [["age", "ill"]] * 4
    assert table.records(5, 9).columns["age"].tolist() == list(range(5, 14))


def test_counts_of_categories_are_those_of_all_records(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    FRAME.write_parquet(path, row_group_size=4)
    counts = read_long(path, tmp_path, {"target": "ill"}).records.counts
    assert counts["ill"] == {"?": 3, "no": 20, "yes": 7}
    assert sum(counts["group"].values()) == 24


def test_more_memory_means_larger_batches_within_limits(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    FRAME.write_parquet(path)
    table = read_long(path, tmp_path, {}).records
    sizes = [table.batch_rows(memory) for memory in (1, 100 << 20, 2 << 30, 1 << 50)]
    assert sizes == sorted(sizes)
    assert sizes[0] == 1 << 12
    assert sizes[-1] == 1 << 19
