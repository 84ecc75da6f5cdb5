"""Release a table of a database, and write a release into one: the same job as for files, before and after it."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from hushwood.errors import HushwoodError, InputError
from hushwood.jobs.folder.whole_folders import SHARE
from hushwood.jobs.release_long import InBatches, Long
from hushwood.jobs.requests import ReleaseRequest
from hushwood.jobs.resolve import Resolved
from hushwood.stages import Stage
from hushwood.tables.long.table import LongReading, Looking, long_reading
from hushwood.tables.sql.addresses import Address, address_of
from hushwood.tables.sql.tables import rows_of_file, rows_of_frame, spooled_query, write_table

if TYPE_CHECKING:
    from hushwood.jobs.release import Release


def from_database(address: str, arguments: Mapping[str, Any], asked: Resolved, stage: Stage) -> InBatches:
    """The way for a table in a database."""
    reads = partial(_read, address_of(address), asked.request.query)
    return InBatches(Long(reads, arguments, asked, stage))


def _read(
    address: Address, query: str | None, scratch: Path, arguments: Mapping[str, Any], looking: Looking
) -> LongReading:
    place = Path(tempfile.mkdtemp(prefix="spool-", dir=scratch))
    as_text = [] if looking.row_key is None else [looking.row_key.column]
    found = spooled_query(address, query, place, arguments.get("missing") or (), as_text)
    return long_reading(found, None, place, arguments, looking)


def _rows(done: Release, released: Path) -> Any:
    """The released rows, as they are in the file; a text file has no types."""
    return (
        rows_of_file(released) if released.suffix == ".parquet" else rows_of_frame(pl.DataFrame(done.frame))
    )


def sent(done: Release, request: ReleaseRequest) -> tuple[str, ...]:
    """Write a release that was cleared into its database; the sentences say where it is, or why it is not."""
    if request.to is None or done.folder is None:
        return ()
    target = address_of(request.to)
    if not done.cleared:
        return (
            f"The release was not written to {target.place}, because it is not cleared; nothing there has changed.",
        )
    released = done.folder / SHARE / str(done.manifest["output"]["file"])
    try:
        write_table(target, lambda: _rows(done, released), request.force)
    except HushwoodError as fault:
        raise InputError(
            f"The release in {done.folder} is complete, but not in the database. {fault}"
        ) from None
    return ()
