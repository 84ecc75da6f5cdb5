"""Whether the sizes and counts of a Parquet file fit together, from its footer and page headers alone.

Polars believes a page that claims 2⁶⁰ values and kills the process when there is no memory for them. Reading the
headers takes milliseconds; `binary_files` takes precautions with every file whose headers do not add up.
"""

from __future__ import annotations

import os
from typing import IO, Any

_MAGIC = b"PAR1"
_TAIL = 8  # the footer's length and the magic
_HEADER = 1 << 16
_DEEPEST = 12
# Plain, RLE, bit-packed and the two names of dictionaries: their sizes follow from the headers.
_PLAIN_ENCODINGS = frozenset({0, 2, 3, 4, 8})
_BYTES_OF_TYPE = {0: 1, 1: 4, 2: 8, 3: 12, 4: 4, 5: 8, 6: 16, 7: 1}  # in memory; a text is a view of 16 bytes
_DATA, _INDEX, _DICTIONARY, _DATA_V2 = range(4)


class Damaged(ValueError):
    """The headers contradict each other or the file."""


class Unclear(ValueError):
    """The file is too unusual to be judged by its headers."""


def unpacked_size(file: IO[bytes]) -> int:
    """The least number of bytes the table takes in memory; refuses headers that are inconsistent or unusual."""
    length = file.seek(0, os.SEEK_END)
    try:
        footer = _footer(file, length)
        groups, size = footer[4], 0
        if sum(group[3] for group in groups) != footer[3]:
            raise Damaged("its row groups do not have the number of records it claims")
        for group in groups:
            for chunk in group[1]:
                size += _chunk_size(file, chunk[3], group[3], length)
        return size
    except (KeyError, IndexError, TypeError, AttributeError) as fault:
        raise Damaged("its headers are damaged") from fault


def _footer(file: IO[bytes], length: int) -> dict[int, Any]:
    file.seek(max(length - _TAIL, 0))
    tail = file.read(_TAIL)
    size = int.from_bytes(tail[:4], "little")
    if tail[4:] != _MAGIC or size > length - _TAIL:
        raise Damaged("it has no footer")
    file.seek(length - _TAIL - size)
    return _Headers(file.read(size)).struct()


def _chunk_size(file: IO[bytes], meta: dict[int, Any], rows: int, length: int) -> int:
    """Bytes of one column of one row group, from the headers of all its pages."""
    if meta[5] != rows or not _PLAIN_ENCODINGS.issuperset(meta[2]):
        raise Unclear("it has nested columns or rare encodings")
    place, left, unpacked = min(meta[9], meta.get(11) or meta[9]), rows, 0
    while left > 0:
        if not 0 < place < length:
            raise Damaged("its pages lie outside of it")
        file.seek(place)
        headers = _Headers(file.read(_HEADER))
        page = headers.struct()
        _check_page(page, left)
        left -= _values(page)
        unpacked += page[2]
        place += headers.place + page[3]
        if place > length:
            raise Damaged("its pages end outside of it")
    return max(unpacked, rows * _BYTES_OF_TYPE[meta[1]])


def _check_page(page: dict[int, Any], left: int) -> None:
    values, unpacked, packed = _values(page), page[2], page[3]
    if min(unpacked, packed) < 0 or not 0 <= values <= left:
        raise Damaged("its pages do not have the sizes or values it claims")
    if page[1] == _DICTIONARY:
        if not 0 <= page[7][1] <= unpacked:
            raise Damaged("a dictionary has more entries than bytes")
        return
    if not values or page[1] == _INDEX:
        raise Unclear("it has pages without values")
    if page[1] == _DATA_V2 and not 0 <= page[8][5] + page[8][6] <= packed:
        raise Damaged("a page has more levels than bytes")
    if (page[8][4] if page[1] == _DATA_V2 else page[5][2]) not in _PLAIN_ENCODINGS:
        raise Unclear("it has rare encodings")


def _values(page: dict[int, Any]) -> int:
    """How many values of the column a page holds; dictionary entries do not count."""
    kind = page[1]
    return 0 if kind in (_DICTIONARY, _INDEX) else int(page[8 if kind == _DATA_V2 else 5][1])


class _Headers:
    """Structures in Thrift's compact protocol, as plain values by field number."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def struct(self, depth: int = 0) -> dict[int, Any]:
        if depth > _DEEPEST:
            raise Damaged("its headers are nested too deeply")
        found: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._whole()
            kind = head & 15
            found[number] = kind == 1 if kind in (1, 2) else self._value(kind, depth)
        return found

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (1, 2, 3):
            return self._byte()
        if kind in (4, 5, 6):
            return self._whole()
        if kind == 7:
            return self._take(8)
        if kind == 8:
            return self._take(self._varint())
        if kind in (9, 10):
            return self._list(depth)
        if kind == 12:
            return self.struct(depth + 1)
        raise Damaged("its headers are damaged")  # maps do not occur in Parquet

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        count = self._varint() if head >> 4 == 15 else head >> 4
        if count > len(self.data) - self.place:
            raise Damaged("its headers are damaged")
        return [self._value(head & 15, depth + 1) for _ in range(count)]

    def _byte(self) -> int:
        self.place += 1
        return self.data[self.place - 1]

    def _take(self, length: int) -> bytes:
        self.place += length
        return self.data[self.place - length : self.place]

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def _whole(self) -> int:
        """A signed number in zigzag form."""
        value = self._varint()
        return (value >> 1) ^ -(value & 1)
