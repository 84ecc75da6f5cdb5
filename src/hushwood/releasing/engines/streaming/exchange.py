"""Records brought together on disk: written batch by batch in the order of their buckets, read bucket by bucket.

Every batch is sorted by bucket and appended, column by column, to one file; an index says where each bucket's piece
lies. So writing is sequential, and reading a bucket takes one small read per batch and column, whatever the size. The
secret order in which records go out is one by their keyed words.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from hushwood.arrays import Array, Codes, Integers
from hushwood.random_streams import Streams, group_order
from hushwood.tables.long.keyed_rows import FrameBuckets
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table

ROW, KEY, ID = "\0row", "\0segment", "\0id"  # no column can have such a name


@dataclass(frozen=True, slots=True)
class ReleasedBatch:
    """Some records before and after, in the order of the table, the number of the first, and the segment of each.

    `row_ids` are what random streams know them by, `places` where they were in the source.
    """

    first: int
    row_ids: Integers
    places: Integers
    original: Table
    released: Table
    segment_ids: Codes


class Packed(NamedTuple):
    """A batch in the order of its buckets: the columns, where each bucket begins and ends, and carried columns."""

    columns: Mapping[str, Array]
    limits: Integers
    carried: pl.DataFrame | None = None


class Exchange:
    """A file of columns with a bucket for every record; buckets keep the order in which batches were added."""

    def __init__(self, path: Path, buckets: int) -> None:
        self.buckets = buckets
        self._file = path.open("w+b", buffering=0)
        self._at = 0
        self._types: dict[str, np.dtype[np.generic]] = {}
        # Of every batch the limits of its buckets, and where each column begins.
        self._batches: list[tuple[Integers, dict[str, int]]] = []
        self._path = path
        self._carried: FrameBuckets | None = None  # columns of any type

    def packed(
        self, columns: Mapping[str, Array], buckets: Array, carried: pl.DataFrame | None = None
    ) -> Packed:
        """Sort a batch by bucket; this may be done on another thread."""
        order = group_order(buckets)
        limits = np.append(0, np.cumsum(np.bincount(buckets, minlength=self.buckets)))
        sorted_columns = {name: np.ascontiguousarray(values[order]) for name, values in columns.items()}
        travels = carried is not None and carried.width > 0
        return Packed(sorted_columns, limits, carried[order] if carried is not None and travels else None)

    def add(self, batch: Packed) -> None:
        """Append a batch."""
        begins: dict[str, int] = {}
        for name, values in batch.columns.items():
            kind = self._types.setdefault(name, values.dtype)
            begins[name] = self._append(values.astype(kind, copy=False).tobytes())
        if batch.carried is not None:
            if self._carried is None:
                self._carried = FrameBuckets(self._path.with_name(f"{self._path.name}-carried"))
            self._carried.add(batch.carried, batch.limits)
        self._batches.append((batch.limits, begins))

    def _append(self, data: bytes) -> int:
        begin = self._at
        write_all(self._file, data)
        self._at += len(data)
        return begin

    def bucket(self, number: int) -> dict[str, Array]:
        """The records of a bucket, in the order in which they were added."""
        found: dict[str, list[Array]] = {name: [] for name in self._types}
        for limits, begins in self._batches:
            begin, end = int(limits[number]), int(limits[number + 1])
            if end > begin:
                for name, kind in self._types.items():
                    found[name].append(self._read(begins[name] + begin * kind.itemsize, end - begin, kind))
        return {
            name: np.concatenate(pieces) if pieces else np.zeros(0, self._types[name])
            for name, pieces in found.items()
        }

    def _read(self, at: int, count: int, kind: np.dtype[np.generic]) -> Array:
        return np.frombuffer(os.pread(self._file.fileno(), count * kind.itemsize, at), kind)

    def carried(self, number: int) -> pl.DataFrame | None:
        """The carried columns of a bucket; None if there are none."""
        return None if self._carried is None else self._carried.bucket(number)

    def carried_batch(self, number: int) -> pl.DataFrame | None:
        """The carried columns of one batch; None if there are none."""
        return None if self._carried is None else self._carried.batch(number)

    def batch(self, number: int) -> dict[str, Array]:
        """The records of one batch, in the order of their buckets."""
        limits, begins = self._batches[number]
        return {name: self._read(begins[name], int(limits[-1]), kind) for name, kind in self._types.items()}

    def rows(self, number: int) -> int:
        """How many records a batch has."""
        return int(self._batches[number][0][-1])

    def close(self) -> None:
        """Give the disk space back."""
        if not self._file.closed:
            self._file.truncate(0)
            self._file.close()
        if self._carried is not None:
            self._carried.close()


class BatchSpool:
    """Batches of a table as arrays on disk: read again without parsing or coding anything."""

    def __init__(self, path: Path) -> None:
        self._exchange = Exchange(path, 1)
        self._schema = Schema(())

    def add(self, table: Table) -> None:
        """Append a batch."""
        columns = {
            a.name: v if v.dtype.kind == "f" else smallest(v, len(a.categories))
            for a in table.schema.kept
            for v in (table.columns[a.name],)
        }
        limits = np.array([0, table.rows])
        carried = table.carried if table.carried.width else None
        self._exchange.add(Packed(columns, limits, carried))
        self._schema = table.schema

    def batch(self, number: int) -> Table:
        """A batch as it was added."""
        import polars as pl

        columns = {
            name: v if v.dtype.kind == "f" else v.astype(np.int32)
            for name, v in self._exchange.batch(number).items()
        }
        carried = self._exchange.carried_batch(number)
        rows = self._exchange.rows(number)
        return Table(self._schema, columns, pl.DataFrame() if carried is None else carried, rows)

    def close(self) -> None:
        """Give the disk space back."""
        self._exchange.close()


def write_all(file: io.RawIOBase, data: bytes) -> None:
    """Write to a file without a buffer, which may take less than it is given."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) or 0 :]


def smallest(codes: Array, most: int) -> Array:
    """Category codes up to `most`, -1 among them, in the narrowest type that holds them."""
    kind = np.int8 if most < 1 << 7 else np.int16 if most < 1 << 15 else np.int32
    return codes.astype(kind)


WORD, ORIGINAL = "\0word", "\0original "
PURPOSE = "row order"


@dataclass(frozen=True, slots=True)
class OrderedBatch:
    """Some records before and after, in the order of the release; `rows` are their rows in the source."""

    rows: Integers
    original: Table
    released: Table


class SecretOrder:
    """Takes batches in the order of the table, and gives them back in the order of their words, ties by row."""

    def __init__(self, scratch: Path, rows: int, size: int, streams: Streams) -> None:
        self.streams, self.buckets = streams, max(-(-rows // size), 1)
        self._exchange = Exchange(scratch / "order", self.buckets)
        self._schemas: tuple[Schema, Schema] | None = None

    def add(self, batch: ReleasedBatch) -> None:
        """Take a batch."""
        words = self.streams.words(PURPOSE, "", 0, batch.row_ids)
        # The first half of the word, times the number of buckets, without the fraction.
        bucket = ((words >> np.uint64(32)) * np.uint64(self.buckets) >> np.uint64(32)).astype(np.int64)
        before = {ORIGINAL + name: values for name, values in batch.original.columns.items()}
        columns: dict[str, Array] = {ROW: batch.places, WORD: words, **before, **batch.released.columns}
        self._exchange.add(self._exchange.packed(columns, bucket, batch.released.carried))
        self._schemas = batch.original.schema, batch.released.schema

    def batches(self) -> Iterator[OrderedBatch]:
        """All records, as often as they are asked for."""
        for number in range(self.buckets):
            columns, carried = self._exchange.bucket(number), self._exchange.carried(number)
            if self._schemas is None or not len(columns[ROW]):
                continue
            rows, words = columns.pop(ROW), columns.pop(WORD)
            order = np.argsort(words, kind="stable")  # a bucket keeps the order of the table
            before = {n.removeprefix(ORIGINAL): v for n, v in columns.items() if n.startswith(ORIGINAL)}
            after = {n: v for n, v in columns.items() if not n.startswith(ORIGINAL)}
            frame = pl.DataFrame() if carried is None else carried[order]
            tables = (
                _table(schema, values, order, frame)
                for schema, values in zip(self._schemas, (before, after), strict=True)
            )
            yield OrderedBatch(rows[order], *tables)

    def close(self) -> None:
        """Give the disk space back."""
        self._exchange.close()


def _table(schema: Schema, columns: Mapping[str, Array], order: Integers, carried: pl.DataFrame) -> Table:
    kept = replace(schema, attributes=tuple(a for a in schema.attributes if a.role != "identifier"))
    return Table(kept, {name: values[order] for name, values in columns.items()}, carried, len(order))
