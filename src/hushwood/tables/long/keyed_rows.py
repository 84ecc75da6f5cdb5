"""The rows of a long table in the order of their ids: sorted on disk, a bucket at a time.

Ids are evenly spread, so their first bits say in which bucket a row is, and all buckets have about the same size. Rows
of any type are brought together on disk: every batch is appended bucket by bucket, and read back by bucket.
"""

from __future__ import annotations

import io
import os
from collections.abc import Generator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from hushwood.arrays import Integers
from hushwood.random_streams import Streams, group_order
from hushwood.tables.long.files import ParquetFiles
from hushwood.tables.row_keys import check_different, check_there, hashed_keys


class FrameBuckets:
    """A file of frames with the same columns; buckets keep the order in which batches were added."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w+b", buffering=0)
        self._at = 0
        self._batches: list[list[tuple[int, int]]] = []  # of every batch, where each bucket's piece lies

    def add(self, frame: pl.DataFrame, limits: Integers) -> None:
        """Append a frame whose rows are in the order of their buckets; `limits` say where each begins and ends."""
        pieces = []
        for begin, end in zip(limits[:-1].tolist(), limits[1:].tolist(), strict=True):
            packed = io.BytesIO()
            if end > begin:
                frame[begin:end].write_ipc(packed)
            pieces.append((self._at, len(packed.getvalue())))
            self._append(packed.getvalue())
        self._batches.append(pieces)

    def _append(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            written = self._file.write(view)
            view = view[written:]
            self._at += written

    def bucket(self, number: int) -> pl.DataFrame | None:
        """The rows of a bucket; None if it has none."""
        return self._read([pieces[number] for pieces in self._batches])

    def batch(self, number: int) -> pl.DataFrame | None:
        """The rows of a batch, in the order of their buckets; None if it has none."""
        return self._read(self._batches[number])

    def _read(self, places: Sequence[tuple[int, int]]) -> pl.DataFrame | None:
        read = [os.pread(self._file.fileno(), size, at) for at, size in places if size]
        return pl.concat([pl.read_ipc(io.BytesIO(raw)) for raw in read]) if read else None

    def close(self) -> None:
        """Give the disk space back."""
        if not self._file.closed:
            self._file.truncate(0)
            self._file.close()


_ID, _PLACE = "\0id", "\0place"  # no column can have such a name
_ID_BITS = 63


@dataclass(frozen=True, slots=True)
class RowKey:
    """A unique column that identifies rows, and the streams under whose key it is hashed."""

    column: str
    streams: Streams


@dataclass(frozen=True, slots=True)
class KeyedRows:
    """The ids of all rows, ascending, and the places that the rows had in their source: two files of numbers."""

    ids: Path
    places: Path

    def ids_at(self, first: int, count: int) -> Integers:
        """The ids of the rows from `first` on."""
        return _numbers(self.ids, first, count)

    def places_at(self, first: int, count: int) -> Integers:
        """Where the rows from `first` on were."""
        return _numbers(self.places, first, count)


def _numbers(path: Path, first: int, count: int) -> Integers:
    return np.fromfile(path, np.int64, count, offset=8 * first)


def in_key_order(
    files: ParquetFiles, key: RowKey, scratch: Path, size: int
) -> tuple[ParquetFiles, KeyedRows]:
    """The same rows in the order of their ids, in files of about `size` rows; only some of them are in memory."""
    check_there(key.column, files.schema)
    rows = KeyedRows(scratch / "row-ids", scratch / "row-places")
    paths: list[Path] = []
    last = np.zeros(0, np.int64)
    with ExitStack() as opened:
        ids_file, places_file = (opened.enter_context(each.open("wb")) for each in (rows.ids, rows.places))
        gathered = opened.enter_context(closing(_gathered(files, key, scratch, size)))
        for frame in gathered:
            ids, places = frame.drop_in_place(_ID).to_numpy(), frame.drop_in_place(_PLACE).to_numpy()
            order = np.argsort(ids)
            ids = ids[order]
            check_different(np.concatenate([last, ids]), key.column)
            last = ids[-1:]
            ids_file.write(ids.tobytes())
            places_file.write(places[order].tobytes())
            paths.append(scratch / f"keyed-{len(paths):08}.parquet")
            frame[order].write_parquet(paths[-1], compression="lz4")
    return ParquetFiles.of(paths), rows


def _gathered(files: ParquetFiles, key: RowKey, scratch: Path, size: int) -> Generator[pl.DataFrame]:
    """The rows bucket by bucket, each with its id and its place in the source."""
    buckets = max(-(-files.total // size), 1)
    with closing(FrameBuckets(scratch / "rows-by-key")) as kept:
        for first, frame in files.frames(size):
            ids = hashed_keys(frame[key.column], key.streams)
            # The first half of the id, times the number of buckets, without the fraction.
            bucket = (ids >> (_ID_BITS - 32)) * buckets >> 32
            order = group_order(bucket)
            limits = np.append(0, np.cumsum(np.bincount(bucket, minlength=buckets)))
            places = np.arange(first, first + frame.height)
            marked = frame.with_columns(pl.Series(_ID, ids), pl.Series(_PLACE, places))
            kept.add(marked[order], limits)
        for number in range(buckets):
            gathered = kept.bucket(number)
            if gathered is not None:
                yield gathered
