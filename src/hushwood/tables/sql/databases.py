"""What databases differ in: PostgreSQL and SQLite by ADBC, DuckDB by its own package.

A further database is a record in `DATABASES`, a scheme in `addresses`, and the drivers' own words in `tables`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import polars as pl

from hushwood.errors import InputError
from hushwood.tables.csv.types import typed_as
from hushwood.tables.csv.ways import ANY_ZONE, Way
from hushwood.tables.extras import library
from hushwood.tables.sql.addresses import Address

BATCH_ROWS, BATCH_BYTES = 1 << 16, 1 << 24
_SECONDS_TO_CONNECT = 15
_LONGEST_DECIMAL = 38  # digits
# Of PostgreSQL: cents, and texts with blanks at the end.
_DIFFERENT = {"money": "numeric", "bpchar": "text"}
_NUMERIC, _TYPE, _MODIFIER = "numeric", b"POSTGRESQL:type", b"POSTGRESQL:typmod"
# Of DuckDB: extensions are neither fetched nor loaded.
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
# Of SQLite.
_DAY = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
_MOMENT = f"{_DAY}[T ][0-9][0-9]:[0-9][0-9]*"
# A row of these goes before all others, because the driver takes the types from the first rows.
_WITNESS = {"INTEGER": "0", "REAL": "0.0", "TEXT": "''"}


@dataclass(frozen=True, slots=True)
class Database:
    """How a database is connected to, read and written; what is done on a connection is one transaction.

    `connected` gives a cursor, to read or to write with. `batches` are the rows of a query, given the table that the
    query is of, if it is one, and the columns that stay texts. `exists` asks for a table, whose name and schema are
    `parameters`; `insert` makes one under its `quoted` name.
    """

    connected: Callable[[Address, bool], AbstractContextManager[Any]]
    batches: Callable[[Any, str, str | None, Collection[str]], Iterator[pl.DataFrame]]
    exists: str
    parameters: Callable[[str], tuple[str, ...]]
    insert: Callable[[Any, str, Any], None]
    quoted: Callable[[str], str]

    def has_table(self, address: Address, table: str) -> bool:
        """Whether there is such a table."""
        if address.path is not None and not address.path.exists():
            return False
        with self.connected(address, False) as cursor:
            cursor.execute(self.exists, self.parameters(table))
            return bool(cursor.fetchone()[0])

    def rows(self, address: Address, query: str, as_text: Collection[str]) -> Iterator[pl.DataFrame]:
        """The rows of a query, batch by batch."""
        with self.connected(address, False) as cursor:
            yield from self.batches(cursor, query, address.table, as_text)

    def write(self, address: Address, table: str, rows: Any, replace: bool) -> None:
        """Create the table with these rows in one transaction."""
        with self.connected(address, True) as cursor:
            if replace:
                cursor.execute(f"DROP TABLE IF EXISTS {self.quoted(table)}")
            self.insert(cursor, table, rows)


def quoted(name: str) -> str:
    """A name of a column or table as SQL writes it, whatever characters it has.

    >>> quoted('a"b')
    '"a""b"'
    """
    return '"' + name.replace('"', '""') + '"'


def table_parts(name: str) -> tuple[str | None, str]:
    """The schema, if one is named, and the table.

    >>> table_parts("public.people"), table_parts("people")
    (('public', 'people'), (None, 'people'))
    """
    schema, dot, table = name.partition(".")
    return (schema, table) if dot else (None, name)


def quoted_table(name: str) -> str:
    """A table, with its schema if that is named."""
    schema, table = table_parts(name)
    return quoted(table) if schema is None else f"{quoted(schema)}.{quoted(table)}"


def check_names(names: Sequence[str]) -> None:
    """Refuse a query that gives two columns the same name."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(
            f"The query has two columns that are called {twice[0]!r}; give one another name with AS."
        )


@contextmanager
def _postgresql(address: Address, write: bool) -> Iterator[Any]:
    """A transaction, which is undone unless all went well; the password is libpq's affair."""
    dbapi = library("adbc_driver_postgresql.dbapi", f"Tables in {address.product}", "sql")
    uri = address.uri
    if "connect_timeout" not in uri and "PGCONNECT_TIMEOUT" not in os.environ:
        uri += f"{'&' if '?' in uri else '?'}connect_timeout={_SECONDS_TO_CONNECT}"
    with dbapi.connect(uri) as connection, connection.cursor() as cursor:
        yield cursor
        if write:
            connection.commit()


def _rows_of_postgresql(
    cursor: Any, query: str, table: str | None, as_text: Collection[str]
) -> Iterator[pl.DataFrame]:
    """The rows as one moment saw them, by COPY, in bounded memory."""
    del table
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
    wanted = ", ".join(map(_plain_field, fields))
    cursor.adbc_statement.set_options(**{"adbc.postgresql.batch_size_hint_bytes": str(BATCH_BYTES)})
    cursor.execute(f"SELECT {wanted} FROM ({query}) AS source")  # noqa: S608
    for batch in cursor.fetch_record_batch():
        columns: dict[str, pl.Series] = {}  # by name, because Polars may take a name for a pattern
        for field, values in zip(batch.schema, batch.columns, strict=True):
            column = pl.Series(field.name, getattr(values, "storage", values))
            numeric = _type(field) == _NUMERIC and field.name not in as_text
            columns[field.name] = _number(column, field) if numeric else column
        yield pl.DataFrame(columns)


def _plain_field(field: Any) -> str:
    """A column, as text if it holds neither numbers, texts, truth values, dates nor times."""
    import pyarrow.types as of

    name, kind = quoted(field.name), _type(field)
    if kind in _DIFFERENT:
        return f"{name}::{_DIFFERENT[kind]} AS {name}"
    checks = [of.is_integer, of.is_floating, of.is_boolean, of.is_date, of.is_timestamp, of.is_time]
    checks += [of.is_string, of.is_large_string]
    plain = kind == _NUMERIC or any(check(field.type) for check in checks)
    return name if plain else f"{name}::text AS {name}"


def _type(field: Any) -> str:
    return str((field.metadata or {}).get(_TYPE, b""), "utf-8")


def _number(texts: pl.Series, field: Any) -> pl.Series:
    """Exact decimals where the column declares how many, else floating-point numbers; "NaN" is missing."""
    declared = int((field.metadata or {}).get(_MODIFIER, b"-1")) - 4
    digits, decimals = declared >> 16 & 0xFFFF, declared & 0x7FF
    if declared >= 0 and digits <= _LONGEST_DECIMAL and decimals <= digits:
        return texts.cast(pl.Decimal(digits, decimals), strict=False)
    return texts.str.replace("Infinity", "inf", literal=True).cast(pl.Float64, strict=False)


def _insert_into_postgresql(cursor: Any, table: str, rows: Any) -> None:
    schema, name = table_parts(table)
    cursor.adbc_ingest(name, rows, mode="create", db_schema_name=schema)


@contextmanager
def _duckdb(address: Address, write: bool) -> Iterator[Any]:
    """A connection without the network, which closes the file."""
    duckdb = library("duckdb", f"Tables in {address.product}", "sql")
    connection = duckdb.connect(str(address.path), read_only=not write, config=_SETTINGS)
    try:
        if write:
            connection.execute("BEGIN TRANSACTION")
        yield connection
        if write:
            connection.execute("COMMIT")
    finally:
        connection.close()


def _rows_of_duckdb(
    connection: Any, query: str, table: str | None, as_text: Collection[str]
) -> Iterator[pl.DataFrame]:
    del table, as_text  # every type that has to be a text is one already
    described = connection.sql(query)
    names, kinds = list(described.columns), [str(kind) for kind in described.types]
    check_names(names)
    wanted = ", ".join(
        quoted(name)
        if kind in _PLAIN or kind.startswith("DECIMAL")
        else f"{quoted(name)}::VARCHAR AS {quoted(name)}"
        for name, kind in zip(names, kinds, strict=True)
    )
    rows = connection.sql(f"SELECT {wanted} FROM ({query}) AS source")  # noqa: S608 - names are quoted
    for batch in rows.to_arrow_reader(BATCH_ROWS):
        yield pl.DataFrame({n: _in_utc(pl.Series(n, v)) for n, v in zip(names, batch.columns, strict=True)})


def _in_utc(column: pl.Series) -> pl.Series:
    """Moments in the one zone that every other source gives."""
    zoned = isinstance(column.dtype, pl.Datetime) and column.dtype.time_zone is not None
    return column.dt.convert_time_zone("UTC") if zoned else column


def _insert_into_duckdb(connection: Any, table: str, rows: Any) -> None:
    connection.register("released rows", rows)
    connection.execute(f'CREATE TABLE {quoted_table(table)} AS SELECT * FROM "released rows"')  # noqa: S608


@contextmanager
def _sqlite(address: Address, write: bool) -> Iterator[Any]:
    """A transaction, which is undone unless all went well."""
    dbapi = library("adbc_driver_sqlite.dbapi", f"Tables in {address.product}", "sql")
    uri = f"file:{quote(str(address.path))}?mode={'rwc' if write else 'ro'}"
    with dbapi.connect(uri) as connection, connection.cursor() as cursor:
        yield cursor
        if write:
            connection.commit()


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of SQLite, the type that all its values have, and what they mean, if that is more."""

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

    def typed(self, values: Any) -> pl.Series:
        """Values of the column as what they mean."""
        series = pl.Series(self.name, values)
        if self.means is None:
            return series
        if self.means == "truth":
            return series.cast(pl.Boolean)
        ways = [Way("date")] if self.means == "date" else [Way("moment"), Way("moment", zone=ANY_ZONE)]
        typed = next((times for way in ways if (times := typed_as(series, way)) is not None), None)
        if typed is None:
            raise InputError(
                f"Column {self.name!r} is declared as dates or times, but some of its texts are neither. Correct "
                "them."
            )
        return typed


def _rows_of_sqlite(
    cursor: Any, query: str, table: str | None, as_text: Collection[str]
) -> Iterator[pl.DataFrame]:
    """The rows; a column may hold values of several types there, so they are looked at first."""
    cursor.execute(f"SELECT * FROM ({query}) LIMIT 0")  # noqa: S608 - names are quoted
    names = list(cursor.fetch_record_batch().schema.names)
    check_names(names)
    declared: Mapping[str, str] = {}  # a query declares nothing
    if table is not None:
        cursor.execute("SELECT name, upper(type) FROM pragma_table_info(?)", (table_parts(table)[1],))
        declared = dict(cursor.fetchall())
    columns = _columns(cursor, query, names, declared, as_text)
    first, rest = (", ".join(part) for part in zip(*((c.witness, c.selected) for c in columns), strict=True))
    cursor.adbc_statement.set_options(**{"adbc.sqlite.query.batch_rows": str(BATCH_ROWS)})
    cursor.execute(f"SELECT {first} UNION ALL SELECT {rest} FROM ({query})")  # noqa: S608
    witness = 1
    for batch in cursor.fetch_record_batch():
        values = zip(columns, batch.slice(witness).columns, strict=True)
        yield pl.DataFrame({column.name: column.typed(each) for column, each in values})
        witness = 0


def _columns(
    cursor: Any, query: str, names: list[str], declared: Mapping[str, str], as_text: Collection[str]
) -> list[_Column]:
    """Look at all values once."""
    asked: list[str] = []
    for name in map(quoted, names):
        kinds = [f"max(typeof({name}) = '{kind}')" for kind in ("text", "real", "integer", "blob")]
        fits = [f"min({name} GLOB '{_DAY}')", f"min({name} GLOB '{_MOMENT}')", f"min({name} IN (0, 1))"]
        asked += [*kinds, *fits]
    cursor.execute(f"SELECT {', '.join(asked)} FROM ({query})")  # noqa: S608
    answers = cursor.fetchone()
    columns = []
    for place, name in enumerate(names):
        text, real, whole, blob, *fits = answers[7 * place : 7 * place + 7]
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


DATABASES: Mapping[str, Database] = {
    "postgresql": Database(
        _postgresql,
        _rows_of_postgresql,
        "SELECT to_regclass($1) IS NOT NULL",
        lambda table: (quoted_table(table),),
        _insert_into_postgresql,
        quoted_table,
    ),
    "duckdb": Database(
        _duckdb,
        _rows_of_duckdb,
        "SELECT count(*) FROM information_schema.tables WHERE table_name = ? AND table_schema = ?",
        lambda table: (table_parts(table)[1], table_parts(table)[0] or "main"),
        _insert_into_duckdb,
        quoted_table,
    ),
    "sqlite": Database(
        _sqlite,
        _rows_of_sqlite,
        "SELECT count(*) FROM sqlite_master WHERE name = ?",
        lambda table: (table,),
        lambda cursor, table, rows: cursor.adbc_ingest(table, rows, mode="create"),
        quoted,
    ),
}
