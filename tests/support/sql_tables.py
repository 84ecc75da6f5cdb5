"""The same people in a file and in every database, in whatever order."""

from __future__ import annotations

import datetime
import sqlite3
from pathlib import Path

import numpy as np
import polars as pl


def people(rows: int = 400) -> pl.DataFrame:
    """Records with a column of every usual kind, some of them missing."""
    chance = np.random.default_rng(23)
    age = chance.integers(18, 90, rows)
    first = datetime.date(2020, 1, 1)
    visit = pl.Series([first + datetime.timedelta(days=int(days)) for days in chance.integers(0, 900, rows)])
    seen = pl.Series(
        [
            datetime.datetime(2021, 3, 1) + datetime.timedelta(minutes=int(m))
            for m in chance.integers(0, 90_000, rows)
        ]
    )
    pay = pl.Series(np.round(chance.gamma(3, 900, rows), 2)).set(pl.Series(chance.random(rows) < 0.05), None)
    return pl.DataFrame(
        {
            "person": [f"N{number:05}" for number in chance.permutation(rows)],
            "age": age,
            "pay": pay,
            "town": chance.choice(["Ulm", "Bonn", "Trier"], rows).tolist(),
            "smokes": chance.random(rows) < 0.3,
            "visit": visit,
            "seen": seen,
            "ill": np.where(age + chance.normal(0, 12, rows) > 60, "yes", "no").tolist(),
        }
    )


def in_sqlite(frame: pl.DataFrame, path: Path, table: str = "people") -> str:
    """The table in a SQLite file; returns its address."""
    kinds = {
        pl.Int64: "INTEGER", pl.Float64: "REAL", pl.String: "TEXT", pl.Boolean: "BOOLEAN", pl.Date: "DATE"
    }  # fmt: skip
    columns = ", ".join(f'"{n}" {kinds.get(type(d), "TIMESTAMP")}' for n, d in frame.schema.items())
    texts = frame.with_columns(
        pl.col(pl.Date).dt.to_string("%Y-%m-%d"), pl.col(pl.Datetime).dt.to_string("%Y-%m-%d %H:%M:%S")
    )
    connection = sqlite3.connect(path)
    connection.execute(f'CREATE TABLE "{table}" ({columns})')
    connection.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * frame.width)})', texts.rows())  # noqa: S608
    connection.commit()
    connection.close()
    return f"sqlite:///{path}?table={table}"


def in_duckdb(frame: pl.DataFrame, path: Path, table: str = "people") -> str:
    """The table in a DuckDB file; returns its address."""
    import duckdb

    connection = duckdb.connect(str(path))
    connection.register("given", frame.to_arrow())
    connection.execute(f'CREATE TABLE "{table}" AS SELECT * FROM given')  # noqa: S608
    connection.close()
    return f"duckdb:///{path}?table={table}"
