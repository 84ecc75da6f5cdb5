"""Parquet and Arrow files as frames, whatever their bytes say: a damaged one is refused, and ends nothing else.

Polars reads Parquet, fast, but a page that claims 2⁶⁰ values ends its process: a file whose headers do not add up is
read by another process first. Arrow files have sizes everywhere, so Arrow's own reader, which checks them, reads these.
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
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from hushwood.errors import InputError
from hushwood.tables.input_files import allowed_bytes, check_size
from hushwood.tables.parquet_shape import Unclear, unpacked_size

if TYPE_CHECKING:
    import polars as pl

Packed = Literal["parquet", "ipc"]
_NAMES = {"parquet": "Parquet", "ipc": "Arrow"}
_ARROW_FILE_MAGIC = b"ARROW1"
# Polars lists the categories of an Enum here, each after its length: "1;a3;abc".
_ENUM_VALUES = b"_PL_ENUM_VALUES2"
_STDERR = 2


def read_binary(path: Path, kind: Packed, raw: bytes | None = None) -> pl.DataFrame:
    """The columns of a Parquet or Arrow file; `raw` are its bytes if they have been read already."""
    import polars as pl

    try:
        with _panics_unprinted():
            frame = (_read_parquet if kind == "parquet" else _read_arrow)(path, raw)
    except PermissionError:
        raise
    except MemoryError as fault:
        if not _absurd(fault):
            raise
        raise _damaged(path, kind, fault) from None
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, KeyError) as fault:
        raise _damaged(path, kind, fault) from None
    check_size(path, int(frame.estimated_size()))
    return frame


def _opened(path: Path, raw: bytes | None) -> BinaryIO:
    return path.open("rb") if raw is None else io.BytesIO(raw)


def _read_parquet(path: Path, raw: bytes | None) -> pl.DataFrame:
    try:
        with _opened(path, raw) as file:
            check_size(path, unpacked_size(file))
    except Unclear as fault:
        _try_elsewhere(path, raw, "parquet", fault)
    return _with_polars(path, raw, "parquet")


def _read_arrow(path: Path, raw: bytes | None) -> pl.DataFrame:
    import polars as pl
    import pyarrow as pa

    try:
        table = _with_arrow(path, raw)
        _check_fields(table.schema)
        return pl.DataFrame(table)
    except pa.ArrowNotImplementedError as fault:  # 128-bit integers, for one
        _try_elsewhere(path, raw, "ipc", fault)
        return _with_polars(path, raw, "ipc")


def _with_polars(path: Path, raw: bytes | None, kind: Packed) -> pl.DataFrame:
    import polars as pl

    if kind == "parquet":
        return pl.read_parquet(path if raw is None else raw, glob=False, hive_partitioning=False)
    with _opened(path, raw) as file:
        return pl.read_ipc(file) if _has_footer(path, raw) else pl.read_ipc_stream(file)


@contextmanager
def _panics_unprinted() -> Iterator[None]:
    """Keep what Rust prints about a panic off the terminal: our own sentence says it instead."""
    import polars as pl

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
    for batch in _arrow_batches(path, raw):
        size += batch.nbytes
        check_size(path, size)
        # Offsets into texts, codes of categories and UTF-8 are not checked by the reader itself.
        batch.validate(full=True)
        batches.append(batch)
    if not batches:
        raise InputError(f"{path} has no records; give a table that has some.")
    return pa.Table.from_batches(batches)


def _arrow_batches(path: Path, raw: bytes | None) -> Iterator[Any]:
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
    """Refuse what Arrow lets pass and Polars panics on."""
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
    """Whether more memory was asked for than any table is allowed to take: the size in the file is wrong."""
    asked = re.search(r"of size (\d+)", str(fault))
    return asked is not None and int(asked[1]) > allowed_bytes()


def _try_elsewhere(path: Path, raw: bytes | None, kind: Packed, doubt: Exception) -> None:
    """Have another process read the file, whose end does not matter."""
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
        raise _damaged(path, kind, doubt)


def _damaged(path: Path, kind: Packed, fault: BaseException) -> InputError:
    reason = (str(fault).splitlines() or [type(fault).__name__])[0]
    return InputError(f"{path} is not a whole {_NAMES[kind]} file ({reason}); write or fetch it again.")
