"""Which rows of a long release belong to the sampled rows of its original, found in bounded memory."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from hushwood.arrays import Integers
from hushwood.errors import unknown_name
from hushwood.jobs.audit import AUDIT_SECRET
from hushwood.jobs.audited_release import match_of, order_of
from hushwood.jobs.folder.release_folder import ReleaseFolder
from hushwood.random_streams import Streams
from hushwood.tables.frames.storage import texts_of
from hushwood.tables.long.files import ParquetFiles
from hushwood.tables.long.table import LongTable
from hushwood.tables.pairs.pairing import NONE, ROWS, not_by_place, unpaired_note
from hushwood.tables.reading import Reading


@dataclass(frozen=True, slots=True)
class Paired:
    """The released rows of a sample, and how `pair_up` pairs them with it.

    `by_place` says that row i of both files is the same person, as far as `match` says so. `key` is the column that
    rows are paired by.
    """

    released: Integers
    match: str | None
    by_place: bool = False
    notes: tuple[str, ...] = ()
    key: pl.Series | None = None

    def with_key(self, reading: Reading) -> Reading:
        """The sample with the column that rows are paired by, which is not read otherwise if it names people."""
        table = reading.table
        if self.key is None or self.key.name in table.columns:
            return reading
        carried = {column.name: column for column in table.carried} | {self.key.name: self.key}
        return replace(reading, table=replace(table, carried=pl.DataFrame(carried)))


def paired_rows(
    original: LongTable,
    released: ParquetFiles,
    places: Integers,
    wanted: str | None,
    folder: ReleaseFolder | None,
    size: int,
) -> Paired:
    """Find the released rows: by the private map, by position, by a column; or draw some of their own."""
    before, after = original.rows, released.total
    match = match_of(wanted, folder)
    order = order_of(folder, None) if wanted in {None, ROWS} else None
    if order is not None and len(order) == before == after:
        partner = np.empty(before, np.int64)
        partner[order] = np.arange(after)
        source = places if original.keyed is None else original.keyed.places_at(0, before)[places]
        return Paired(partner[source], ROWS)
    if match in {None, ROWS} and before == after:
        return Paired(places, match, by_place=True)
    if match == ROWS:
        raise not_by_place(before, after)
    if match in {None, NONE}:
        # As in a pair that is sampled in memory.
        drawn = Streams(AUDIT_SECRET).sample("pairing", "released", after, max(len(places), 1))
        return Paired(drawn, NONE, notes=() if match == NONE else (unpaired_note(before, after),))
    return _by_key(original, released, places, str(match), size)


def _by_key(original: LongTable, released: ParquetFiles, places: Integers, name: str, size: int) -> Paired:
    """The released rows with the keys of the sample; a key that occurs twice is found out when they are paired."""
    for columns in (original.files.schema.names(), released.schema.names()):
        if name not in columns:
            raise unknown_name("column to match by", name, columns)
    key = original.files.at(places, size, [name])[name]
    wanted = texts_of(key).drop_nulls().alias("key").to_frame()
    found = []
    for first, frame in released.frames(size, [name]):
        texts = texts_of(frame[name]).alias("key").to_frame().with_row_index("row")
        found.append(texts.join(wanted.unique(), on="key", how="semi")["row"].to_numpy() + np.int64(first))
    return Paired(np.sort(np.concatenate(found)), name, key=key)
