"""A released table into a database: one transaction, so that it is there whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushwood.errors import InputError
from hushwood.tables.sql.addresses import Address
from hushwood.tables.sql.faults import said_plainly
from hushwood.tables.sql.reading import DATABASES

if TYPE_CHECKING:
    import polars as pl

BATCH_ROWS = 1 << 16


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
        there = DATABASES[address.scheme].exists(address, address.table)
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
