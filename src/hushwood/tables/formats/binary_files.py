"""Parquet and Arrow files as frames; a damaged file is refused and cannot bring the process down.

Polars reads Parquet fast, but a page that claims 2⁶⁰ values kills its process. Reading the footer and the page headers
takes milliseconds: a file whose sizes and counts do not fit together is first read in a child process. Arrow files are
read by Arrow's own reader, which checks their many sizes.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO, Literal

import polars as pl

from hushwood.errors import InputError
from hushwood.tables.formats.input_files import allowed_bytes, check_ordinary, check_size

Packed = Literal["parquet", "ipc"]
_NAMES = {"parquet": "Parquet", "ipc": "Arrow"}
_ARROW_FILE_MAGIC = b"ARROW1"
# Polars lists the categories of an Enum here, each after its length: "1;a3;abc".
_ENUM_VALUES = b"_PL_ENUM_VALUES2"
_STDERR = 2
_JUDGED_BYTES = 1 << 26  # nobody makes a file of this size up to bring a reader down
_MAGIC = b"PAR1"
_TAIL = 8  # the footer's length and the magic
_HEADER = 1 << 16
_DEEPEST = 12
# Plain, RLE, bit-packed and the two names of dictionaries: their sizes follow from the headers.
_PLAIN_ENCODINGS = frozenset({0, 2, 3, 4, 8})
_BYTES_OF_TYPE = {0: 1, 1: 4, 2: 8, 3: 12, 4: 4, 5: 8, 6: 16, 7: 1}  # in memory; a text is a view of 16 bytes
_DATA, _INDEX, _DICTIONARY, _DATA_V2 = range(4)


def read_binary(path: Path, kind: Packed, raw: bytes | None = None) -> pl.DataFrame:
    """The columns of a Parquet or Arrow file; `raw` holds its bytes if they have already been read."""
    try:
        with panics_unprinted():
            frame = (_read_parquet if kind == "parquet" else _read_arrow)(path, raw)
    except (PermissionError, InputError):
        raise
    except MemoryError as fault:
        if not _absurd(fault):
            raise
        raise damaged(path, kind, fault) from None
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, KeyError) as fault:
        raise damaged(path, kind, fault) from None
    check_size(path, int(frame.estimated_size()))
    return frame


def checked_parquet(path: Path) -> tuple[pl.Schema, int]:
    """The columns and the number of rows of a Parquet file that is read in batches; headers must add up.

    Its size does not matter. Where headers are too unusual, or too many, to be judged, the reader has to.
    """
    check_ordinary(path)
    try:
        with path.open("rb") as file:
            if path.stat().st_size <= _JUDGED_BYTES:
                unpacked_size(file)
    except Unclear:
        pass
    except ValueError as fault:
        raise damaged(path, "parquet", fault) from None
    try:
        scan = pl.scan_parquet(path, glob=False, hive_partitioning=False)
        return scan.collect_schema(), int(scan.select(pl.len()).collect().item())
    except PermissionError:
        raise InputError(f"{path} cannot be read: permission denied.") from None
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as fault:
        raise damaged(path, "parquet", fault) from None


def _opened(path: Path, raw: bytes | None) -> BinaryIO:
    return path.open("rb") if raw is None else io.BytesIO(raw)


def _read_parquet(path: Path, raw: bytes | None) -> pl.DataFrame:
    try:
        with _opened(path, raw) as file:
            check_size(path, unpacked_size(file))
    except Unclear as fault:
        _try_in_child(path, raw, "parquet", fault)
    return _with_polars(path, raw, "parquet")


def _read_arrow(path: Path, raw: bytes | None) -> pl.DataFrame:
    import pyarrow as pa

    try:
        table = _with_arrow(path, raw)
        _check_fields(table.schema)
        return pl.DataFrame(table)
    except pa.ArrowNotImplementedError as fault:  # 128-bit integers, for one
        _try_in_child(path, raw, "ipc", fault)
        return _with_polars(path, raw, "ipc")


def _with_polars(path: Path, raw: bytes | None, kind: Packed) -> pl.DataFrame:
    if kind == "parquet":
        return pl.read_parquet(path if raw is None else raw, glob=False, hive_partitioning=False)
    with _opened(path, raw) as file:
        return pl.read_ipc(file) if _has_footer(path, raw) else pl.read_ipc_stream(file)


@contextmanager
def panics_unprinted() -> Iterator[None]:
    """Keep Rust's report of a panic off the terminal: our own message replaces it."""
    try:
        kept = os.dup(_STDERR)
    except OSError:  # there is no standard error to print to
        yield
        return
    with tempfile.TemporaryFile() as aside:
        os.dup2(aside.fileno(), _STDERR)
        panicked = False
        try:
            yield
        except pl.exceptions.PanicException:
            panicked = True
            raise
        finally:
            os.dup2(kept, _STDERR)
            os.close(kept)
            aside.seek(0)
            if not panicked:
                os.write(_STDERR, aside.read())


def _with_arrow(path: Path, raw: bytes | None) -> Any:
    import pyarrow as pa

    batches, size = [], 0
    for batch in arrow_batches(path, raw):
        size += batch.nbytes
        check_size(path, size)
        # The reader itself does not check text offsets, category codes or UTF-8.
        batch.validate(full=True)
        batches.append(batch)
    if not batches:
        raise InputError(f"{path} has no records. There is nothing to read.")
    return pa.Table.from_batches(batches)


def arrow_batches(path: Path, raw: bytes | None) -> Iterator[Any]:
    """The record batches of an Arrow file or stream, one after the other."""
    import pyarrow as pa

    with _opened(path, raw) as file:
        if not _has_footer(path, raw):
            yield from pa.ipc.open_stream(file)
            return
        whole = pa.ipc.open_file(file)
        for place in range(whole.num_record_batches):
            yield whole.get_batch(place)


def _has_footer(path: Path, raw: bytes | None) -> bool:
    with _opened(path, raw) as file:
        return file.read(len(_ARROW_FILE_MAGIC)) == _ARROW_FILE_MAGIC


def _check_fields(schema: Any) -> None:
    """Refuse what Arrow accepts and Polars panics on."""
    import pyarrow as pa

    for field in schema:
        if pa.types.is_decimal(field.type) and not 0 <= field.type.scale <= field.type.precision <= 38:
            raise ValueError(f"a column of decimals with scale {field.type.scale}")
        listed = (field.metadata or {}).get(_ENUM_VALUES)
        if listed is not None and not _well_listed(listed):
            raise ValueError("a list of categories that cannot be understood")


def _well_listed(listed: bytes) -> bool:
    place = 0
    while place < len(listed):
        length, sign, _ = listed[place : place + 12].partition(b";")
        if not sign or not length.isdigit():
            return False
        place += len(length) + 1 + int(length)
    return place == len(listed)


def _absurd(fault: MemoryError) -> bool:
    """Whether more memory was requested than any table may take: the size in the file must be wrong."""
    asked = re.search(r"of size (\d+)", str(fault))
    return asked is not None and int(asked[1]) > allowed_bytes()


def _try_in_child(path: Path, raw: bytes | None, kind: Packed, doubt: Exception) -> None:
    """Let a child process read the file first: it may crash without harm."""
    read = "read_parquet(file)" if kind == "parquet" else "read_ipc(file)"
    if kind == "ipc" and not _has_footer(path, raw):
        read = "read_ipc_stream(file)"
    program = f"import io, sys, polars\nfile = io.BytesIO(sys.stdin.buffer.read())\npolars.{read}"
    tried = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program],
        input=path.read_bytes() if raw is None else raw,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=False,
    )
    if tried.returncode:
        raise damaged(path, kind, doubt)


def damaged(path: Path, kind: Packed, fault: BaseException) -> InputError:
    """Build the error for a file that cannot be read."""
    reason = (str(fault).splitlines() or [type(fault).__name__])[0]
    return InputError(f"{path} is a damaged {_NAMES[kind]} file ({reason}). Write or download it again.")


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
