"""Parquet and Arrow files as frames; a damaged file is refused and cannot bring the process down.

Polars reads Parquet fast, but a page that claims 2⁶⁰ values kills its process: a file whose headers do not add up is
first read in a child process. Arrow files are read by Arrow's own reader, which checks their many sizes.
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
from typing import Any, BinaryIO, Literal

import polars as pl

from hushwood.errors import InputError
from hushwood.tables.formats.input_files import allowed_bytes, check_ordinary, check_size
from hushwood.tables.formats.parquet_shape import Unclear, unpacked_size

Packed = Literal["parquet", "ipc"]
_NAMES = {"parquet": "Parquet", "ipc": "Arrow"}
_ARROW_FILE_MAGIC = b"ARROW1"
# Polars lists the categories of an Enum here, each after its length: "1;a3;abc".
_ENUM_VALUES = b"_PL_ENUM_VALUES2"
_STDERR = 2
_JUDGED_BYTES = 1 << 26  # nobody makes a file of this size up to bring a reader down


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
