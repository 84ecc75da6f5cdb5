"""Records in the secret order in which they go out: sorted by their keyed words on disk, a bucket at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from hushwood.arrays import Array, Integers
from hushwood.random_streams import Streams
from hushwood.releasing.engines.exchange import Exchange
from hushwood.releasing.engines.streaming import ROW, ReleasedBatch
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table

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
