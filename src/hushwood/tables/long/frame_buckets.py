"""Rows of any type brought together on disk: every batch is appended bucket by bucket, and read back by bucket."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from hushwood.arrays import Integers


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
