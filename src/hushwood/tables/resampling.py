"""A secret bootstrap: as many people as the table has, drawn from it with replacement under the key.

What is learnt and released after that says less of who was in the table: a third of the people are not drawn at all,
and nobody outside can tell which. Persons or households are drawn with all their rows. A drawn row is known by the
number of the row it copies, times COPIES, plus the number of the copy; so numbers ascend, every engine gives the same
ones, and whose copy a row is can be worked out from its number alone.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hushwood.arrays import Array, Bytes, Integers
from hushwood.random_streams import Rows, Streams
from hushwood.tables.persons.units import outermost, unit_columns
from hushwood.tables.table import Table

if TYPE_CHECKING:
    from hushwood.tables.long.files import ParquetFiles
    from hushwood.tables.long.table import LongTable

COPIES = 64  # the chance that any of 10^12 people is drawn as often is below 10^-70
IDS = "row-ids"
_PURPOSE = "people drawn"
_AT_ONCE = 1 << 22


def times_drawn(people: int, streams: Streams) -> Bytes:
    """How often each of the people is drawn; as many in all as there are.

    >>> int(times_drawn(1000, Streams(bytes(32))).sum())
    1000
    """
    times = np.zeros(people, np.uint8)
    for first in range(0, people, _AT_ONCE):
        u = streams.uniform(_PURPOSE, "", 0, range(first, min(first + _AT_ONCE, people)))
        np.add.at(times, np.minimum((u * people).astype(np.int64), people - 1), 1)
    return times


def copied_rows(times: Array, first: int = 0) -> tuple[Integers, Integers]:
    """The places of rows that are drawn, each as often as it is, and the numbers of the copies.

    >>> copied_rows(np.array([2, 0, 1]), first=10)
    (array([0, 0, 2]), array([640, 641, 768]))
    """
    places = np.repeat(np.arange(len(times)), times)
    begin = np.cumsum(times, dtype=np.int64) - times
    return places, (places + first) * COPIES + np.arange(len(places)) - begin[places]


def people_behind(row_ids: Rows) -> Integers:
    """Whose copies drawn rows are: equal numbers for copies of one row."""
    return np.asarray(row_ids, np.int64) // COPIES


def resampled(table: Table, streams: Streams) -> tuple[Table, Integers]:
    """A table of drawn people, and the numbers of its rows; people are counted in the order of the table."""
    units = outermost(table)
    if units is None:
        places, ids = copied_rows(times_drawn(table.rows, streams))
        return table.take(places), ids
    places, ids = copied_rows(times_drawn(units.count, streams)[units.of_row])
    return _with_new_units(table.take(places), ids % COPIES), ids


def drawn_on_disk(table: LongTable, streams: Streams, scratch: Path, size: int) -> LongTable:
    """The same of a table of any length: the drawn rows are written to files, some at a time."""
    from hushwood.tables.long.files import ParquetFiles

    times, folder = times_drawn(table.rows, streams), scratch / "drawn"
    folder.mkdir()
    paths = []
    with (folder / IDS).open("wb") as ids_file:
        for first in range(0, table.rows, size):
            frame = table.rows_as_read(first, size)
            places, ids = copied_rows(times[first : first + frame.height], first)
            ids_file.write(ids.tobytes())
            paths.append(folder / f"{first:015}.parquet")
            frame[places].write_parquet(paths[-1], compression="lz4")
    return table_of_drawn(table, ParquetFiles.of(paths), folder)


def table_of_drawn(table: LongTable, files: ParquetFiles, folder: Path) -> LongTable:
    """A long table whose drawn rows are in these files, and their numbers in the folder."""
    from hushwood.tables.long.keyed_rows import KeyedRows

    return replace(table, files=files, keyed=KeyedRows(folder / IDS, folder / IDS), sampled=None)


def _with_new_units(table: Table, copy: Integers) -> Table:
    """The table with a unit of its own for every copy of a person or household."""
    import polars as pl

    carried = table.carried
    for name in unit_columns(table.schema):
        column = carried[name]
        codes = np.asarray(column.rank("dense").fill_null(0).to_numpy(), np.int64) * COPIES + copy
        fresh = pl.Series(name, np.unique(codes, return_inverse=True)[1].reshape(-1) + 1)
        fresh = fresh.cast(pl.String) if column.dtype == pl.String else fresh
        # A row without a value stays a unit of its own.
        carried = carried.with_columns(pl.when(column.is_not_null()).then(fresh).alias(name))
    return replace(table, carried=carried)
