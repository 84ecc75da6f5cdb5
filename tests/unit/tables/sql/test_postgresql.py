from __future__ import annotations

import datetime
from decimal import Decimal
from math import isnan
from pathlib import Path

import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.tables.sql.addresses import address_of
from hushwood.tables.sql.tables import check_target, rows_of_frame, spooled_query, write_table
from support.postgres import PASSWORD, Server
from support.sql_tables import people

UTC = datetime.UTC


def read(
    server: Server, folder: Path, table: str, query: str | None = None, as_text: tuple[str, ...] = ()
) -> pl.DataFrame:
    rest = f"?table={table}" if table else ""
    found = spooled_query(address_of(server.address(rest, PASSWORD)), query, folder, (), as_text)
    return pl.read_parquet(list(found.files.paths))


def test_every_usual_type_arrives_as_what_it_is(postgres: Server, tmp_path: Path) -> None:
    postgres.run(
        "DROP TABLE IF EXISTS kinds",
        """CREATE TABLE kinds AS SELECT 7::int2 AS small, 7::int4 AS middle, 7::int8 AS large, 1.5::float4 AS single,
        1.5::float8 AS double, 12.50::numeric(10, 2) AS price, 0.125::numeric AS share, 'NaN'::numeric AS strange,
        -3::numeric(38, 0) AS long, 'Ä'::text AS words, 'ab'::varchar(9) AS short, 'ab'::char(5) AS padded,
        true AS truth, date '2020-02-29' AS day, timestamp '2020-02-29 10:11:12.5' AS moment,
        timestamptz '2020-02-29 10:00+02' AS zoned, time '10:11' AS clock, interval '1 day' AS gap,
        'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid AS code, '{"a": 1}'::jsonb AS json, array[1, 2] AS list,
        inet '10.0.0.1' AS host, 12.5::money AS cash, '5'::numeric AS key""",
        "INSERT INTO kinds (key) VALUES ('6')",
    )
    frame = read(postgres, tmp_path, "kinds", as_text=("key",))
    one = frame.filter(pl.col("key") == "5").row(0, named=True)
    assert isnan(one.pop("strange"))
    assert frame.schema["price"] == pl.Decimal(10, 2)
    assert frame.schema["share"] == pl.Float64
    assert one == {
        "small": 7,
        "middle": 7,
        "large": 7,
        "single": 1.5,
        "double": 1.5,
        "price": Decimal("12.50"),
        "share": 0.125,
        "long": Decimal(-3),
        "words": "Ä",
        "short": "ab",
        "padded": "ab",
        "truth": True,
        "day": datetime.date(2020, 2, 29),
        "moment": datetime.datetime(2020, 2, 29, 10, 11, 12, 500_000),
        "zoned": datetime.datetime(2020, 2, 29, 8, tzinfo=UTC),
        "clock": datetime.time(10, 11),
        "gap": "1 day",
        "code": "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "json": '{"a": 1}',
        "list": "{1,2}",
        "host": "10.0.0.1/32",
        "cash": 12.5,
        "key": "5",
    }
    other = frame.filter(pl.col("key") == "6").row(0, named=True)
    assert all(value is None for name, value in other.items() if name != "key")


def test_a_query_is_read_in_batches_and_changes_nothing(postgres: Server, tmp_path: Path) -> None:
    frame = read(
        postgres, tmp_path, "", 'SELECT i::int8 AS "the number" FROM generate_series(1, 600000) AS i;'
    )
    assert frame["the number"].sum() == 600_000 * 600_001 // 2
    assert len(list(tmp_path.glob("*.parquet"))) == 2
    with pytest.raises(InputError, match="refused while the query was read"):
        read(postgres, tmp_path, "", "WITH gone AS (DELETE FROM pg_class RETURNING 1) SELECT * FROM gone")


def test_what_cannot_be_read_is_said_in_a_sentence(postgres: Server, tmp_path: Path) -> None:
    postgres.run("DROP TABLE IF EXISTS empty", "CREATE TABLE empty (a int)")
    with pytest.raises(InputError, match=r"Table 'empty' in ann@.* has no records"):
        read(postgres, tmp_path, "empty")
    with pytest.raises(InputError, match=r'"nowhere" does not exist\)\. Check the name of the table\.'):
        read(postgres, tmp_path, "nowhere")
    with pytest.raises(
        InputError, match=r"password authentication failed .* Check the user, and the password"
    ):
        spooled_query(address_of(postgres.address("?table=empty", "wrong")), None, tmp_path, (), ())
    with pytest.raises(InputError, match="two columns that are called 'a'"):
        read(postgres, tmp_path, "", "SELECT 1 AS a, 2 AS a")
    nobody = address_of("postgresql://ann@127.0.0.1:1/clinic?table=t")
    with pytest.raises(InputError, match="Check the server, its port and whether it is running"):
        spooled_query(nobody, None, tmp_path, (), ())


def test_a_table_is_written_whole_and_not_over_another(postgres: Server, tmp_path: Path) -> None:
    postgres.run("CREATE SCHEMA IF NOT EXISTS care", "DROP TABLE IF EXISTS care.out")
    target = address_of(postgres.address("?table=care.out", PASSWORD))
    frame = people().with_columns(pl.col("pay").cast(pl.Decimal(12, 2)).alias("exact"))
    write_table(target, lambda: rows_of_frame(frame), force=False)
    back = read(postgres, tmp_path, "care.out").with_columns(pl.col("exact").cast(pl.Decimal(12, 2)))
    assert back.sort("person").equals(frame.sort("person"))
    with pytest.raises(InputError, match="There is already a table 'care"):
        check_target(target, force=False)
    write_table(target, lambda: rows_of_frame(frame[:5]), force=True)
    assert postgres.run("SELECT count(*) FROM care.out") == [(5,)]


def test_rows_that_fail_half_way_leave_the_old_table(postgres: Server) -> None:
    target = address_of(postgres.address("?table=half", PASSWORD))
    write_table(target, lambda: rows_of_frame(people()[:7]), force=True)
    frame = pl.DataFrame({"a": [{"b": 1}]})
    with pytest.raises(InputError, match="nothing of it is in the database"):
        write_table(target, lambda: rows_of_frame(frame), force=True)
    assert postgres.run("SELECT count(*) FROM half") == [(7,)]
