"""PostgreSQL by ADBC: batches by COPY, in bounded memory; the password is libpq's affair."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import polars as pl

from hushwood.errors import InputError
from hushwood.tables.extras import library
from hushwood.tables.sql.addresses import Address
from hushwood.tables.sql.statements import check_names, quoted, quoted_table, table_parts

BATCH_BYTES = 1 << 24
_SECONDS_TO_CONNECT = 15
_LONGEST_DECIMAL = 38  # digits
_DIFFERENT = {"money": "numeric", "bpchar": "text"}  # cents, and texts with blanks at the end
_NUMERIC, _TYPE, _MODIFIER = "numeric", b"POSTGRESQL:type", b"POSTGRESQL:typmod"


@contextmanager
def connected(address: Address) -> Iterator[Any]:
    """A connection with a transaction of its own, which ends with it unless it was committed."""
    dbapi = library("adbc_driver_postgresql.dbapi", f"Tables in {address.product}", "sql")
    uri = address.uri
    if "connect_timeout" not in uri and "PGCONNECT_TIMEOUT" not in os.environ:
        uri += f"{'&' if '?' in uri else '?'}connect_timeout={_SECONDS_TO_CONNECT}"
    with dbapi.connect(uri) as connection:
        yield connection


def batches(address: Address, query: str, as_text: Collection[str]) -> Iterator[pl.DataFrame]:
    """The rows of a query, as one moment saw them."""
    with connected(address) as connection, connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute(f"SELECT * FROM ({query}) AS source LIMIT 0")  # noqa: S608 - names are quoted
        fields = list(cursor.fetch_record_batch().schema)
        check_names([field.name for field in fields])
        if not all(map(_type, fields)):
            # Without their names, numbers with decimals would be taken for texts.
            raise InputError(
                "This driver of PostgreSQL does not name types; update it with pip install -U '.[sql]' in Hushwood's "
                "folder."
            )
        wanted = ", ".join(map(_selected, fields))
        cursor.adbc_statement.set_options(**{"adbc.postgresql.batch_size_hint_bytes": str(BATCH_BYTES)})
        cursor.execute(f"SELECT {wanted} FROM ({query}) AS source")  # noqa: S608
        for batch in cursor.fetch_record_batch():
            yield _frame(batch, as_text)


def _selected(field: Any) -> str:
    """A column, as text if tables have no such type."""
    name, kind = quoted(field.name), _type(field)
    if kind in _DIFFERENT:
        return f"{name}::{_DIFFERENT[kind]} AS {name}"
    return name if _is_plain(field.type) or kind == _NUMERIC else f"{name}::text AS {name}"


def _type(field: Any) -> str:
    return str((field.metadata or {}).get(_TYPE, b""), "utf-8")


def _is_plain(kind: Any) -> bool:
    """Whether a column holds numbers, texts, truth values, dates or times."""
    import pyarrow.types as of

    checks = (of.is_integer, of.is_floating, of.is_boolean, of.is_date, of.is_timestamp, of.is_time)
    return of.is_string(kind) or of.is_large_string(kind) or any(check(kind) for check in checks)


def _frame(batch: Any, as_text: Collection[str]) -> pl.DataFrame:
    """A batch as a frame; columns by name, because Polars may take a name for a pattern."""
    columns: dict[str, pl.Series] = {}
    for field, values in zip(batch.schema, batch.columns, strict=True):
        column = pl.Series(field.name, getattr(values, "storage", values))
        numeric = _type(field) == _NUMERIC and field.name not in as_text
        columns[field.name] = _number(column, field) if numeric else column
    return pl.DataFrame(columns)


def _number(texts: pl.Series, field: Any) -> pl.Series:
    """Exact decimals where the column declares how many, else floating-point numbers; "NaN" is missing."""
    declared = int((field.metadata or {}).get(_MODIFIER, b"-1")) - 4
    digits, decimals = declared >> 16 & 0xFFFF, declared & 0x7FF
    if declared >= 0 and digits <= _LONGEST_DECIMAL and decimals <= digits:
        return texts.cast(pl.Decimal(digits, decimals), strict=False)
    return texts.str.replace("Infinity", "inf", literal=True).cast(pl.Float64, strict=False)


def exists(address: Address, table: str) -> bool:
    """Whether there is such a table."""
    with connected(address) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass($1) IS NOT NULL", (quoted_table(table),))
        return bool(cursor.fetchone()[0])


def write(address: Address, table: str, rows: Any, replace: bool) -> None:
    """Create the table with these rows in one transaction."""
    schema, name = table_parts(table)
    with connected(address) as connection, connection.cursor() as cursor:
        if replace:
            cursor.execute(f"DROP TABLE IF EXISTS {quoted_table(table)}")
        cursor.adbc_ingest(name, rows, mode="create", db_schema_name=schema)
        connection.commit()
