from __future__ import annotations

import datetime
import sqlite3
from pathlib import Path

import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.tables.sql.addresses import address_of
from hushwood.tables.sql.tables import rows_of_frame, spooled_query, write_table
from support.sql_tables import people


def made(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def read(path: Path, folder: Path, table: str = "t") -> pl.DataFrame:
    found = spooled_query(address_of(f"sqlite:///{path}?table={table}"), None, folder, (), ())
    return pl.read_parquet(list(found.files.paths))


def test_types_are_those_of_the_values(tmp_path: Path) -> None:
    made(
        tmp_path / "a.db",
        "CREATE TABLE t (id INTEGER, price DECIMAL(10, 2), share REAL, flag BOOLEAN, day DATE, moment DATETIME, "
        'mixed, bytes BLOB, empty, "^odd ""name""$" TEXT)',
        "INSERT INTO t VALUES (1, 12.5, 1, 1, '2020-02-29', '2020-02-29 10:11:12', 5, x'00ff', null, 'a')",
        "INSERT INTO t VALUES (2, 3, 0.5, 0, null, null, 'five', null, null, null)",
    )
    frame = read(tmp_path / "a.db", tmp_path)
    assert frame.row(0) == (
        *(1, 12.5, 1.0, True, datetime.date(2020, 2, 29), datetime.datetime(2020, 2, 29, 10, 11, 12)),
        *("5", "00FF", None, "a"),
    )
    assert frame.row(1) == (2, 3.0, 0.5, False, None, None, "five", None, None, None)
    assert frame.columns[-1] == '^odd "name"$'


def test_a_type_that_shows_late_is_found(tmp_path: Path) -> None:
    made(
        tmp_path / "a.db",
        "CREATE TABLE t AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) "
        "SELECT i, CASE WHEN i = 99999 THEN 'x' END AS late, CASE WHEN i < 99999 THEN 1 ELSE 1.5 END AS part FROM n",
    )
    frame = read(tmp_path / "a.db", tmp_path)
    assert frame.schema == {"i": pl.Int64, "late": pl.String, "part": pl.Float64}
    assert frame.height == 100_000
    assert frame["i"].to_list() == list(range(1, 100_001))
    assert frame["late"].drop_nulls().to_list() == ["x"]


def test_texts_that_are_no_dates_stay_texts(tmp_path: Path) -> None:
    made(tmp_path / "a.db", "CREATE TABLE t (day DATE)", "INSERT INTO t VALUES ('2020-01-01'), ('soon')")
    assert read(tmp_path / "a.db", tmp_path)["day"].to_list() == ["2020-01-01", "soon"]
    made(
        tmp_path / "b.db", "CREATE TABLE t (day DATE)", "INSERT INTO t VALUES ('2020-01-01'), ('2020-99-01')"
    )
    with pytest.raises(
        InputError, match="'day' is declared as dates or times, but some of its texts are neither"
    ):
        read(tmp_path / "b.db", tmp_path)


def test_a_file_that_is_missing_or_no_database_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        read(tmp_path / "none.db", tmp_path)
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "text.db").write_text("no database " * 100)
    with pytest.raises(InputError, match="Check that the file is a database of this kind"):
        read(tmp_path / "text.db", tmp_path)


def test_a_table_is_written_and_read_back(tmp_path: Path) -> None:
    frame = people().with_columns(
        pl.lit(datetime.time(10, 11)).alias("clock"), pl.lit(1.5).cast(pl.Decimal(5, 1)).alias("part")
    )
    target = address_of(f"sqlite:///{tmp_path / 'new.db'}?table=out")
    write_table(target, lambda: rows_of_frame(frame), force=False)
    back = read(tmp_path / "new.db", tmp_path, "out")
    assert back.select("person", "age", "pay", "town", "ill").equals(
        frame.select("person", "age", "pay", "town", "ill")
    )
    assert back["clock"].unique().to_list() == ["10:11:00.000000000"]
    assert back["part"].unique().to_list() == [1.5]


def test_a_write_that_fails_leaves_no_file(tmp_path: Path) -> None:
    target = address_of(f"sqlite:///{tmp_path / 'new.db'}?table=out")
    with pytest.raises(InputError, match="nothing of it is in the database"):
        write_table(target, lambda: rows_of_frame(pl.DataFrame({"a": [{"b": 1}]})), force=False)
    assert not (tmp_path / "new.db").exists()
