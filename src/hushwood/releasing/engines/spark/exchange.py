"""Records exchanged between tasks through files: one task leaves pieces by bucket, another reads a bucket.

Blocks are rows next to each other that one task reads, changes and writes. Through Spark's own shuffle the same pieces
took as much time again as all the work on them. All workers see the folder anyway, and a task that is tried again
writes the same file again.
"""

from __future__ import annotations

import os
import pickle
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hushwood.arrays import Integers
from hushwood.tables.long.files import ParquetFiles


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows of a table, the number of the first among them."""

    number: int
    first: int
    rows: int

    def places(self, ascending: Integers) -> Integers:
        """Those of some rows of the table that are in the block, counted from its first."""
        begin, end = np.searchsorted(ascending, [self.first, self.first + self.rows])
        return ascending[begin:end] - self.first


def blocks_of(files: ParquetFiles, most: int) -> list[Block]:
    """Blocks of at most `most` rows: whole row groups, as far as that allows, because a part of one costs as much."""
    blocks: list[Block] = []
    first = 0
    for rows in _together(_groups(files), most):
        blocks.append(Block(len(blocks), first, rows))
        first += rows
    return blocks


def _groups(files: ParquetFiles) -> Iterator[int]:
    import pyarrow.parquet as pq

    for path in files.paths:
        footer = pq.read_metadata(path)
        yield from (footer.row_group(number).num_rows for number in range(footer.num_row_groups))


def _together(groups: Iterator[int], most: int) -> Iterator[int]:
    """Groups put together or cut.

    >>> list(_together(iter([3, 4, 25, 2]), 10))
    [7, 10, 10, 7]
    """
    waiting = 0
    for rows in groups:
        if waiting and waiting + rows > most:
            yield waiting
            waiting = 0
        waiting += rows
        while waiting > most:
            yield most
            waiting -= most
    if waiting:
        yield waiting


@dataclass(frozen=True, slots=True)
class Bucket:
    """Where the pieces of a bucket lie: in every file of the folder from one byte to another."""

    number: int
    folder: Path
    begins: Integers
    ends: Integers

    def pieces(self) -> Iterator[Any]:
        """All of them, in the order of the files."""
        for file in np.flatnonzero(self.ends > self.begins).tolist():
            begin, end = int(self.begins[file]), int(self.ends[file])
            with _file(self.folder, file).open("rb", buffering=0) as opened:
                # The folder is our own and closed to others, so what is unpickled is what was pickled.
                yield pickle.loads(os.pread(opened.fileno(), end - begin, begin))  # noqa: S301


def write_pieces(folder: Path, file: int, pieces: Iterable[tuple[int, Any]], buckets: int) -> Integers:
    """Write pieces, one a bucket and ascending, to a numbered file; returns where each bucket begins and ends."""
    sizes = np.zeros(buckets + 1, np.int64)
    aside = folder / f".{secrets.token_hex(8)}"
    with aside.open("wb") as opened:
        for bucket, piece in pieces:
            sizes[bucket + 1] = opened.write(pickle.dumps(piece, protocol=5))
    aside.replace(_file(folder, file))
    return np.cumsum(sizes)


def buckets_of(folder: Path, limits: Sequence[Integers]) -> list[Bucket]:
    """The buckets, given what `write_pieces` said of every file."""
    table = np.stack(limits)
    return [
        Bucket(number, folder, table[:, number].copy(), table[:, number + 1].copy())
        for number in range(table.shape[1] - 1)
    ]


def _file(folder: Path, number: int) -> Path:
    return folder / f"{number:08}"
