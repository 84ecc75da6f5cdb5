from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path

import duckdb
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.tables.sql.addresses import address_of
from hushwood.tables.sql.tables import check_target, rows_of_frame, spooled_query, write_table
from support.sql_tables import in_duckdb, people


def read(path: Path, folder: Path, table: str = "t") -> pl.DataFrame:
    found = spooled_query(address_of(f"duckdb:///{path}?table={table}"), None, folder, (), ())
    return pl.read_parquet(list(found.files.paths))


def test_every_usual_type_arrives_as_what_it_is(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute(
            """CREATE TABLE t AS SELECT 7::TINYINT AS small, 7::UBIGINT AS large, 7::HUGEINT AS huge,
            12.5::DECIMAL(10, 2) AS price, 1.5::FLOAT AS single, 'Ä' AS words, true AS truth, DATE '2020-02-29' AS day,
            TIMESTAMP '2020-02-29 10:11:12.5' AS moment, TIMESTAMP_S '2020-02-29 10:11:12' AS whole,
            TIMESTAMPTZ '2020-02-29 10:00:00+02' AS zoned, TIME '10:11' AS clock, INTERVAL 1 DAY AS gap,
            'b'::ENUM('b', 'a') AS kind, [1, 2] AS list, NULL AS nothing"""
        )
    frame = read(tmp_path / "a.duckdb", tmp_path)
    assert frame.schema["price"] == pl.Decimal(10, 2)
    assert frame.schema["zoned"] == pl.Datetime("us", "UTC")
    assert frame.row(0) == (
        *(7, 7, Decimal(7), Decimal("12.50"), 1.5, "Ä", True, datetime.date(2020, 2, 29)),
        *(datetime.datetime(2020, 2, 29, 10, 11, 12, 500_000), datetime.datetime(2020, 2, 29, 10, 11, 12)),
        datetime.datetime(2020, 2, 29, 8, tzinfo=datetime.UTC),
        *(datetime.time(10, 11), "1 day", "b", "[1, 2]", None),
    )


def test_what_cannot_be_read_is_said_in_a_sentence(tmp_path: Path) -> None:
    in_duckdb(people(), tmp_path / "a.duckdb")
    with pytest.raises(InputError, match=r"Check the name of the table\.$"):
        read(tmp_path / "a.duckdb", tmp_path, "nowhere")
    (tmp_path / "text.duckdb").write_text("no database " * 1000)
    with pytest.raises(InputError, match="Check that the file is a database of this kind"):
        read(tmp_path / "text.duckdb", tmp_path)


def test_a_table_is_written_whole_and_not_over_another(tmp_path: Path) -> None:
    frame = people()
    target = address_of(f"duckdb:///{tmp_path / 'new.duckdb'}?table=out")
    write_table(target, lambda: rows_of_frame(frame), force=False)
    assert read(tmp_path / "new.duckdb", tmp_path, "out").sort("person").equals(frame.sort("person"))
    with pytest.raises(InputError, match="There is already a table 'out'"):
        check_target(target, force=False)
    write_table(target, lambda: rows_of_frame(frame[:5]), force=True)
    with duckdb.connect(str(tmp_path / "new.duckdb")) as connection:
        assert connection.execute("SELECT count(*) FROM out").fetchone() == (5,)


def test_a_database_needs_a_folder_and_a_table(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no folder"):
        check_target(address_of(f"duckdb:///{tmp_path / 'no' / 'new.duckdb'}?table=out"), force=False)
    with pytest.raises(InputError, match="Say which table to write"):
        check_target(address_of(f"duckdb:///{tmp_path / 'new.duckdb'}"), force=False)
