"""A table of a database: read, spooled to Parquet files batch by batch, and a released one written whole or not at all.

From the files on it is a table like any other. What a database refused is one sentence without a password.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import polars as pl

from hushwood.errors import InputError
from hushwood.tables.long.files import SPOOL_ROWS, ParquetFiles, Spooled, rebatched, written
from hushwood.tables.sql.addresses import Address
from hushwood.tables.sql.databases import BATCH_ROWS, DATABASES, quoted_table

_NOISE = re.compile(
    r"\b(IO|INVALID_ARGUMENT|NOT_FOUND|UNKNOWN|INTERNAL|ALREADY_EXISTS): |\[(libpq|SQLite)\] "
)
# Where a driver begins to repeat the query, which says nothing new.
_REPEATS = re.compile(r"\s*\n\s*(Query was:|query:|LINE 1:).*", re.DOTALL)
_LONGEST = 300
_LOST = re.compile(
    "server closed the connection|terminating connection|no connection to the server|reset by peer", re.I
)
_ADVICE = (
    (re.compile("no such table|relation .* does not exist|Table with name"), "Check the name of the table."),
    (re.compile("no password supplied"), "Give the password in PGPASSWORD or ~/.pgpass."),
    (re.compile("authentication failed"), "Check the user, and the password in PGPASSWORD or ~/.pgpass."),
    (
        re.compile("refused|translate|timeout|No such file"),
        "Check the server, its port and whether it is running.",
    ),
    (
        re.compile("failed to open|not a valid DuckDB|not a database"),
        "Check that the file is a database of this kind.",
    ),
)


def spooled_query(
    address: Address, query: str | None, scratch: Path, missing: Collection[str], as_text: Collection[str]
) -> Spooled:
    """Read the table that the address names, or the rows of a query, into files in the scratch folder."""
    asked = asked_query(address, query)
    if address.path is not None and not address.path.is_file():
        raise InputError(f"There is no file {address.path}; check the name and the folder you are in.")
    paths = written(rebatched(_frames(address, asked, as_text), SPOOL_ROWS), scratch)
    if not paths:
        what = (
            "The query gives" if address.table is None else f"Table {address.table!r} in {address.place} has"
        )
        raise InputError(f"{what} no records. There is nothing to read.")
    return Spooled(ParquetFiles.of(paths, tuple(missing)), None, ".parquet", None)


def asked_query(address: Address, query: str | None) -> str:
    """What to read: the table that the address names, or a query."""
    if (address.table is None) == (not query):
        raise InputError(
            f"Say which table to read from {address.place}: name it with ?table=NAME at the end of the address, or "
            'give a query with --query "SELECT ...", and not both.'
        )
    if address.table is None:
        return (query or "").strip().rstrip(";")
    return f"SELECT * FROM {quoted_table(address.table)}"  # noqa: S608 - names are quoted


def _frames(address: Address, query: str, as_text: Collection[str]) -> Iterator[pl.DataFrame]:
    doing = "the query was read" if address.table is None else f"table {address.table!r} was read"
    with said_plainly(address, doing):
        for frame in DATABASES[address.scheme].rows(address, query, as_text):
            if frame.height:
                yield frame


def check_target(address: Address, force: bool) -> str:
    """The table to write; refuses, before anything is computed, what could not be written in the end."""
    if address.table is None:
        raise InputError(
            f"Say which table to write in {address.place}: name it with ?table=NAME at the end of the address."
        )
    if address.path is not None and not address.path.absolute().parent.is_dir():
        raise InputError(
            f"There is no folder {address.path.absolute().parent} for the database; make it first."
        )
    with said_plainly(address, "table names were looked up"):
        there = DATABASES[address.scheme].has_table(address, address.table)
    if there and not force:
        raise InputError(
            f"There is already a table {address.table!r} in {address.place}; name another one, or replace it with "
            "--force."
        )
    return address.table


def write_table(address: Address, batches: Callable[[], Any], force: bool) -> None:
    """Write rows, an Arrow stream, into the table that the address names."""
    table, new = check_target(address, force), address.path is not None and not address.path.exists()
    try:
        with said_plainly(
            address, f"table {table!r} was written", untouched="nothing of it is in the database"
        ):
            DATABASES[address.scheme].write(address, table, _suited(batches(), address.scheme), force)
    except BaseException:
        if new and address.path is not None:
            with suppress(OSError):
                address.path.unlink(missing_ok=True)
        raise


def rows_of_file(released: Path) -> Any:
    """The rows of a Parquet file as a stream of Arrow batches."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = pq.ParquetFile(released)
    return pa.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches(BATCH_ROWS))


def rows_of_frame(frame: pl.DataFrame) -> Any:
    """The rows of a frame as a stream of Arrow batches."""
    return frame.to_arrow().to_reader(BATCH_ROWS)


def _suited(rows: Any, scheme: str) -> Any:
    """The same rows in types that the database has."""
    import pyarrow as pa

    schema = pa.schema([pa.field(f.name, _stored(f.type, scheme)) for f in rows.schema])

    def batches() -> Iterator[Any]:
        for batch in rows:
            columns = [values.cast(f.type) for values, f in zip(batch.columns, schema, strict=True)]
            yield pa.RecordBatch.from_arrays(columns, schema=schema)

    return pa.RecordBatchReader.from_batches(schema, batches())


def _stored(kind: Any, scheme: str) -> Any:
    """Categories go out as texts; SQLite has neither decimals nor times of day."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return kind.value_type
    if scheme == "sqlite" and pa.types.is_decimal(kind):
        return pa.float64()
    if scheme == "sqlite" and pa.types.is_time(kind):
        return pa.string()
    return kind


@contextmanager
def said_plainly(address: Address, doing: str, *, untouched: str = "nothing was released") -> Iterator[None]:
    """Turn whatever a database's library raises into one sentence; its own text may hold the whole address."""
    try:
        yield
    except InputError:
        raise
    except Exception as fault:
        # Libraries raise their own families, Arrow's and the system's; Hushwood's own faults pass.
        if not _from_database(fault):
            raise
        raise InputError(_sentence(address, doing, untouched, str(fault))) from None


def _from_database(fault: Exception) -> bool:
    family = {module.partition(".")[0] for kind in type(fault).__mro__ if (module := kind.__module__)}
    return bool(family & {"adbc_driver_manager", "duckdb", "_duckdb", "pyarrow"}) or isinstance(
        fault, OSError
    )


def _sentence(address: Address, doing: str, untouched: str, text: str) -> str:
    said = _NOISE.sub("", address.without_secrets(_REPEATS.sub("", text)))[:_LONGEST].rstrip(".? ")
    where = f"{address.product} at {address.place}"
    if _LOST.search(said):
        return (
            f"{where} ended the connection while {doing} ({said}), and {untouched}. Run the command again when it is "
            "back; with the same seed it gives the same values."
        )
    advice = next((f" {what}" for pattern, what in _ADVICE if pattern.search(said)), "")
    return f"{where} refused while {doing}, and {untouched} ({said}).{advice}"
