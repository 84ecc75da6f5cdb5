"""DuckDB by its own package, without the network: extensions are neither fetched nor loaded."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import polars as pl

from hushwood.tables.extras import library
from hushwood.tables.sql.addresses import Address
from hushwood.tables.sql.statements import check_names, quoted, quoted_table, table_parts

BATCH_ROWS = 1 << 16
_SETTINGS = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "memory_limit": "500MB",
}
_PLAIN = {
    *("BOOLEAN", "VARCHAR", "DATE", "TIME", "FLOAT", "DOUBLE"),
    *("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE"),
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"),
    *("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"),
}


@contextmanager
def connected(address: Address, *, read_only: bool = True) -> Iterator[Any]:
    """A connection, which closes the file."""
    duckdb = library("duckdb", f"Tables in {address.product}", "sql")
    connection = duckdb.connect(str(address.path), read_only=read_only, config=_SETTINGS)
    try:
        yield connection
    finally:
        connection.close()


def batches(address: Address, query: str, as_text: Collection[str]) -> Iterator[pl.DataFrame]:
    """The rows of a query."""
    del as_text  # every type that has to be a text is one already
    with connected(address) as connection:
        described = connection.sql(query)
        names, kinds = list(described.columns), [str(kind) for kind in described.types]
        check_names(names)
        wanted = ", ".join(_selected(name, kind) for name, kind in zip(names, kinds, strict=True))
        rows = connection.sql(f"SELECT {wanted} FROM ({query}) AS source")  # noqa: S608 - names are quoted
        for batch in rows.to_arrow_reader(BATCH_ROWS):
            columns = (_column(n, v) for n, v in zip(names, batch.columns, strict=True))
            yield pl.DataFrame({column.name: column for column in columns})


def _column(name: str, values: Any) -> pl.Series:
    """A column; moments are in the one zone that every other source gives."""
    column = pl.Series(name, values)
    zoned = isinstance(column.dtype, pl.Datetime) and column.dtype.time_zone is not None
    return column.dt.convert_time_zone("UTC") if zoned else column


def _selected(name: str, kind: str) -> str:
    """A column, as text if tables have no such type."""
    plain = kind in _PLAIN or kind.startswith("DECIMAL")
    return quoted(name) if plain else f"{quoted(name)}::VARCHAR AS {quoted(name)}"


def exists(address: Address, table: str) -> bool:
    """Whether there is such a table."""
    if address.path is None or not address.path.exists():
        return False
    schema, name = table_parts(table)
    with connected(address) as connection:
        found = connection.execute(
            "SELECT count(*) FROM information_schema.tables WHERE table_name = ? AND table_schema = ?",
            [name, schema or "main"],
        ).fetchone()
        return bool(found[0])


def write(address: Address, table: str, rows: Any, replace: bool) -> None:
    """Create the table with these rows in one transaction."""
    with connected(address, read_only=False) as connection:
        connection.execute("BEGIN TRANSACTION")
        if replace:
            connection.execute(f"DROP TABLE IF EXISTS {quoted_table(table)}")
        connection.register("released rows", rows)
        connection.execute(f'CREATE TABLE {quoted_table(table)} AS SELECT * FROM "released rows"')  # noqa: S608
        connection.execute("COMMIT")
