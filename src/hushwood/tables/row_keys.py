"""Row ids from a unique column: for tables without an order, the column says which random numbers a row reads.

A row's id is a keyed hash of the column's value, so it is the same whatever order the rows come in, and tells nothing
about the value without the key. The rows of such a table are put in the order of their ids.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import polars as pl

from hushwood.arrays import Bytes, Integers, Words, check_indices
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.tables.frames.storage import texts_of

PURPOSE = "row key"


def row_ids(column: pl.Series, streams: Streams) -> Integers:
    """The id of every row, in the order of the rows: 63 bits of SipHash-2-4 of the value's text.

    >>> ids = row_ids(pl.Series("id", [7, 8]), Streams(bytes(32)))
    >>> ids.tolist() == row_ids(pl.Series("id", ["8", "7"]), Streams(bytes(32))).tolist()[::-1]
    True
    """
    ids = hashed_keys(column, streams)
    check_different(np.sort(ids), column.name)
    return ids


def hashed_keys(column: pl.Series, streams: Streams) -> Integers:
    """The ids of some of the rows, which may still repeat those of others; missing values are refused."""
    from hushwood.tables.kernels.siphash import siphash

    texts = texts_of(column)
    if texts.null_count():
        raise _not_unique(column.name)
    words: Words = np.empty(len(texts), np.uint64)
    data, limits = _arrow_buffers(texts)
    check_indices("Limits of texts", limits, len(data) + 1)
    if len(limits) != len(words) + 1 or bool((np.diff(limits) < 0).any()):
        raise _not_unique(column.name)
    k0, k1 = np.frombuffer(streams.derive(PURPOSE, "", 0)[:16], "<u8")
    siphash(data, limits, k0, k1, words)
    return (words >> np.uint64(1)).astype(np.int64)


def check_there(name: str, columns: Collection[str]) -> None:
    """Refuse a row key that the table does not have."""
    if name not in columns:
        raise InputError(
            f"There is no column {name!r} to be the row key; name one of these with --row-key: {', '.join(columns)}."
        )


def check_different(ids: Integers, name: str) -> None:
    """Refuse ids, ascending, of which two are equal."""
    if bool((ids[1:] == ids[:-1]).any()):
        raise _not_unique(name)


def _arrow_buffers(texts: pl.Series) -> tuple[Bytes, Integers]:
    """The bytes of all texts, and where each begins; one more limit says where the last ends."""
    import pyarrow as pa

    array = texts.rechunk().to_arrow().cast(pa.large_string())
    _, offsets, data = array.buffers()
    if offsets is None or not len(array):
        return np.zeros(0, np.uint8), np.zeros(len(array) + 1, np.int64)
    limits = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
    return np.zeros(0, np.uint8) if data is None else np.frombuffer(data, np.uint8), limits


def _not_unique(name: str) -> InputError:
    return InputError(
        f"Column {name!r} cannot be the row key, because values in it are missing or repeated; name a column with "
        "--row-key that has another value in every row."
    )
