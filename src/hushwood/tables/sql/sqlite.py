"""SQLite by ADBC. A column may hold values of several types there, so they are looked at first."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import polars as pl

from hushwood.errors import InputError
from hushwood.tables.csv.types import typed_as
from hushwood.tables.csv.ways import ANY_ZONE, Way
from hushwood.tables.extras import library
from hushwood.tables.sql.addresses import Address
from hushwood.tables.sql.statements import check_names, quoted, table_parts

BATCH_ROWS = 1 << 16
_DAY = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
_MOMENT = f"{_DAY}[T ][0-9][0-9]:[0-9][0-9]*"
# A row of these goes before all others, because the driver takes the types from the first rows.
_WITNESS = {"INTEGER": "0", "REAL": "0.0", "TEXT": "''"}


@contextmanager
def connected(address: Address, mode: str = "ro") -> Iterator[Any]:
    """A connection with a transaction of its own, which ends with it unless it was committed."""
    dbapi = library("adbc_driver_sqlite.dbapi", f"Tables in {address.product}", "sql")
    with dbapi.connect(f"file:{quote(str(address.path))}?mode={mode}") as connection:
        yield connection


@dataclass(frozen=True, slots=True)
class _Column:
    """A column, the type that all its values have, and what they mean, if that is more."""

    name: str
    storage: str
    means: str | None
    bytes_in_it: bool

    @property
    def selected(self) -> str:
        name = quoted(self.name)
        spelt = f"CASE WHEN {name} IS NOT NULL THEN hex({name}) END"
        value = spelt if self.bytes_in_it else f"CAST({name} AS {self.storage})"
        return f"{value} AS {name}"

    @property
    def witness(self) -> str:
        return f"{_WITNESS[self.storage]} AS {quoted(self.name)}"


def batches(address: Address, query: str, as_text: Collection[str]) -> Iterator[pl.DataFrame]:
    """The rows of a query."""
    with connected(address) as connection, connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM ({query}) LIMIT 0")  # noqa: S608 - names are quoted
        names = list(cursor.fetch_record_batch().schema.names)
        check_names(names)
        columns = _columns(cursor, query, names, _declared(cursor, address.table), as_text)
        first, rest = (
            ", ".join(part) for part in zip(*((c.witness, c.selected) for c in columns), strict=True)
        )
        cursor.adbc_statement.set_options(**{"adbc.sqlite.query.batch_rows": str(BATCH_ROWS)})
        cursor.execute(f"SELECT {first} UNION ALL SELECT {rest} FROM ({query})")  # noqa: S608
        witness = 1
        for batch in cursor.fetch_record_batch():
            yield _frame(batch.slice(witness), columns)
            witness = 0


def _declared(cursor: Any, table: str | None) -> dict[str, str]:
    """The types that a table declares, by column; a query has none."""
    if table is None:
        return {}
    cursor.execute("SELECT name, upper(type) FROM pragma_table_info(?)", (table_parts(table)[1],))
    return dict(cursor.fetchall())


def _columns(
    cursor: Any, query: str, names: list[str], declared: dict[str, str], as_text: Collection[str]
) -> list[_Column]:
    """Look at all values once."""
    asked: list[str] = []
    for name in map(quoted, names):
        kinds = [f"max(typeof({name}) = '{kind}')" for kind in ("text", "real", "integer", "blob")]
        fits = [f"min({name} GLOB '{_DAY}')", f"min({name} GLOB '{_MOMENT}')", f"min({name} IN (0, 1))"]
        asked += [*kinds, *fits]
    cursor.execute(f"SELECT {', '.join(asked)} FROM ({query})")  # noqa: S608
    found = cursor.fetchone()
    columns = []
    for place, name in enumerate(names):
        text, real, whole, blob, *fits = found[7 * place : 7 * place + 7]
        storage = "TEXT" if text or blob or not (real or whole) else "REAL" if real else "INTEGER"
        means = None if name in as_text else _meaning(storage, declared.get(name, ""), fits)
        columns.append(_Column(name, storage, means, bool(blob)))
    return columns


def _meaning(storage: str, declared: str, fits: list[Any]) -> str | None:
    """What numbers or texts stand for, if the column is declared so and all of them can."""
    day, moment, truth = fits
    if storage == "INTEGER" and "BOOL" in declared and truth:
        return "truth"
    if storage == "TEXT" and any(word in declared for word in ("DATE", "TIME")):
        return "date" if day else "moment" if moment else None
    return None


def _frame(batch: Any, columns: list[_Column]) -> pl.DataFrame:
    found: dict[str, pl.Series] = {}
    for column, values in zip(columns, batch.columns, strict=True):
        series = pl.Series(column.name, values)
        if column.means == "truth":
            typed: pl.Series | None = series.cast(pl.Boolean)
        else:
            typed = series if column.means is None else _times(series, column.means == "date")
        if typed is None:
            raise InputError(
                f"Column {column.name!r} is declared as dates or times, but some of its texts are neither. Correct "
                "them."
            )
        found[column.name] = typed
    return pl.DataFrame(found)


def _times(texts: pl.Series, dates: bool) -> pl.Series | None:
    if dates:
        return typed_as(texts, Way("date"))
    moments = typed_as(texts, Way("moment"))
    return typed_as(texts, Way("moment", zone=ANY_ZONE)) if moments is None else moments


def exists(address: Address, table: str) -> bool:
    """Whether there is such a table."""
    if address.path is None or not address.path.exists():
        return False
    with connected(address) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM sqlite_master WHERE name = ?", (table,))
        return bool(cursor.fetchone()[0])


def write(address: Address, table: str, rows: Any, replace: bool) -> None:
    """Create the table with these rows in one transaction."""
    with connected(address, "rwc") as connection, connection.cursor() as cursor:
        if replace:
            cursor.execute(f"DROP TABLE IF EXISTS {quoted(table)}")
        cursor.adbc_ingest(table, rows, mode="create")
        connection.commit()
