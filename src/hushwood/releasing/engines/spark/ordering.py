"""Records in the secret order in which they go out: sorted by their keyed words, a bucket by each task.

The originals are brought into the same order, so that both sides can be compared row by row without Spark.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from hushwood.arrays import Integers, Words
from hushwood.random_streams import Streams, group_order
from hushwood.releasing.engines.output_order import PURPOSE
from hushwood.releasing.engines.spark.blocks import Block
from hushwood.releasing.engines.spark.pieces import Bucket, write_pieces
from hushwood.releasing.engines.spark.tasks import block_file, write_whole
from hushwood.tables.long.files import ParquetFiles
from hushwood.tables.long.table import LongTable


class Rows(NamedTuple):
    """Rows of a block that go to one bucket: their words, where they were, and what they are before and after."""

    words: Words
    places: Integers
    original: pl.DataFrame
    released: pl.DataFrame


@dataclass(frozen=True)
class Order:
    """How the records get there: scattered by block, sorted by bucket."""

    table: LongTable
    released: ParquetFiles
    blocks: tuple[Block, ...]
    streams: Streams
    pieces: Path
    originals: Path
    into: Path

    @property
    def buckets(self) -> int:
        """As many as there are blocks, so that they are about as large."""
        return len(self.blocks)

    def scatter(self, block: Block) -> Integers:
        """Leave the rows of a block by bucket."""
        return write_pieces(self.pieces, block.number, self._by_bucket(block), self.buckets)

    def _by_bucket(self, block: Block) -> Iterator[tuple[int, Rows]]:
        words = self.streams.words(PURPOSE, "", 0, self.table.row_ids(block.first, block.rows))
        # The first half of the word, times the number of buckets, without the fraction.
        bucket = ((words >> np.uint64(32)) * np.uint64(self.buckets) >> np.uint64(32)).astype(np.int64)
        order = group_order(bucket)
        limits = np.append(0, np.cumsum(np.bincount(bucket, minlength=self.buckets)))
        places = self.table.row_places(block.first, block.rows)[order]
        original = self.table.rows_as_read(block.first, block.rows)[order]
        released = self.released.rows_from(block.first, block.rows)[order]
        words = words[order]
        for number in np.flatnonzero(np.diff(limits)).tolist():
            here = slice(limits[number], limits[number + 1])
            yield number, Rows(words[here], places[here], original[here], released[here])

    def sort(self, bucket: Bucket) -> int:
        """Write the rows of a bucket in their order, and say how many there are."""
        rows: list[Rows] = list(bucket.pieces())
        if not rows:
            return 0
        order = np.argsort(np.concatenate([each.words for each in rows]), kind="stable")
        np.save(
            places_file(self.originals, bucket.number), np.concatenate([each.places for each in rows])[order]
        )
        write_whole(
            pl.concat([each.original for each in rows])[order], block_file(self.originals, bucket.number)
        )
        write_whole(pl.concat([each.released for each in rows])[order], block_file(self.into, bucket.number))
        return len(order)


def places_file(folder: Path, bucket: int) -> Path:
    """Where the places of a bucket's rows are kept."""
    return folder / f"places-{bucket:06}.npy"
