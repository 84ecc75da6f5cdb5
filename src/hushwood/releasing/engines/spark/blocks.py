"""The blocks of a long table: rows next to each other that one task reads, changes and writes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
