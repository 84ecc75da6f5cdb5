from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from hushwood.tables.columns.inference import infer_schema
from hushwood.tables.csv.dialect import Dialect
from hushwood.tables.formats.files import read_frame, write_frame
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.frames.table_frames import table_from_frame, with_plain_categories
from hushwood.tables.long.writing import BatchWriter, Rows
from hushwood.tables.read_options import ReadOptions

FRAME = pl.DataFrame(
    {
        "x": [1, 2, None, 4, 5, 6, 7],
        "ratio": [0.1, None, 3.0, 1e-9, 12345.678, -0.0, 2.5],
        "text": ["a", 'q"uote', "two\nlines", None, "", "=1+1", "é;,"],
        "day": [date(2020, 1, n + 1) for n in range(7)],
        "at": [datetime(2020, 1, n + 1, 10, n) for n in range(7)],
        "kind": pl.Series(["u", "v", None, "u", "v", "u", "u"], dtype=pl.Enum(["never", "u", "v"])),
    }
)


def written(path: Path, size: int, **how: object) -> Path:
    with BatchWriter(path, **how) as out:  # type: ignore[arg-type]
        for frame in FRAME.iter_slices(size):
            out.write(frame)
    return path


@pytest.mark.parametrize("size", [1, 3, 100])
@pytest.mark.parametrize(
    "how", [{}, {"dialect": Dialect(";")}, {"escape_formulas": True}], ids=["plain", "semicolons", "escaped"]
)
@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
def test_a_text_file_has_the_bytes_of_one_that_is_written_at_once(
    tmp_path: Path, size: int, how: dict[str, object], ending: str
) -> None:
    whole = tmp_path / f"whole.{ending}"
    write_frame(with_plain_categories(FRAME), whole, **how)  # type: ignore[arg-type]
    found = written(tmp_path / f"batches.{ending}", size, **how)
    if ending == "csv":
        assert found.read_bytes() == whole.read_bytes()
    assert_frame_equal(read_frame(found), read_frame(whole))


@pytest.mark.parametrize("size", [1, 3, 100])
@pytest.mark.parametrize("ending", ["parquet", "arrow", "feather"])
def test_a_binary_file_holds_the_same_frame(tmp_path: Path, size: int, ending: str) -> None:
    whole = tmp_path / f"whole.{ending}"
    write_frame(with_plain_categories(FRAME), whole)
    assert_frame_equal(read_frame(written(tmp_path / f"batches.{ending}", size)), read_frame(whole))


@pytest.mark.parametrize("size", [1, 3, 100])
@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_a_table_is_written_as_its_frame_is(tmp_path: Path, size: int, ending: str) -> None:
    zoned = FRAME.with_columns(
        pl.col("at").dt.replace_time_zone("Europe/Berlin").alias("zoned"),
        (pl.col("at") - pl.col("at").first()).alias("lasts"),
        pl.Series("flag", [True, False, None, True, True, False, True]),
    )
    schema, _ = infer_schema(
        {c.name: c for c in zoned}, ReadOptions(roles={"zoned": "ignored", "flag": "ignored"})
    )
    table = table_from_frame(zoned, schema)
    path, whole = tmp_path / f"table.{ending}", tmp_path / f"whole.{ending}"
    with BatchWriter(path) as out:
        for begin in range(0, table.rows, size):
            out.write(table.take(np.arange(begin, min(begin + size, table.rows))))
    write_frame(with_plain_categories(frame_from_table(table)), whole)
    assert_frame_equal(read_frame(path), read_frame(whole))
    assert b"never" not in path.read_bytes()


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_categories_that_no_record_has_are_not_in_the_file(tmp_path: Path, ending: str) -> None:
    assert b"never" not in written(tmp_path / f"t.{ending}", 3).read_bytes()


def test_a_compressed_file_tells_neither_name_nor_time(tmp_path: Path) -> None:
    first, second = (written(tmp_path / name, 3).read_bytes() for name in ("a.csv.gz", "b.csv.gz"))
    assert first == second


def test_rows_are_taken_a_number_at_a_time() -> None:
    rows = Rows(FRAME.iter_slices(3))
    taken = [rows.take(count)["x"].to_list() for count in (2, 4)]
    assert taken == [[1, 2], [None, 4, 5, 6]]
    left = [rows.done, rows.take(10)["x"].to_list(), rows.done, rows.take(3).height]
    assert left == [False, [7], True, 0]
