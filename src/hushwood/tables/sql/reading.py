"""A table of a database, spooled to Parquet files batch by batch: from there on it is a table like any other."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from types import ModuleType

import polars as pl

from hushwood.errors import InputError
from hushwood.tables.long.files import ParquetFiles, rebatched
from hushwood.tables.long.spooling import SPOOL_ROWS, Spooled, written
from hushwood.tables.sql import duck, postgresql, sqlite
from hushwood.tables.sql.addresses import Address
from hushwood.tables.sql.faults import said_plainly
from hushwood.tables.sql.statements import asked_query

DATABASES: dict[str, ModuleType] = {"postgresql": postgresql, "duckdb": duck, "sqlite": sqlite}


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


def _frames(address: Address, query: str, as_text: Collection[str]) -> Iterator[pl.DataFrame]:
    doing = "the query was read" if address.table is None else f"table {address.table!r} was read"
    with said_plainly(address, doing):
        for frame in DATABASES[address.scheme].batches(address, query, as_text):
            if frame.height:
                yield frame
