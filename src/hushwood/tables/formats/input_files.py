"""Which files may be read: ordinary ones, with no more bytes than allowed once decompressed.

Every reader checks here first, so that a pipe cannot hang it and a compressed file cannot fill the memory. Text files
may be compressed: gzip, Zstandard, or a zip archive with one file in it.
"""

from __future__ import annotations

import gzip
import io
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any, cast

from hushwood.errors import InputError

# Far more than a table that fits into memory usually takes; a gzip file of 4 MB can expand to this much.
MAX_BYTES = 4 * 2**30
_limit: ContextVar[int | None] = ContextVar("max_bytes", default=None)
_PIECE = 1 << 24
_SMALL = 1 << 28  # up to this size, any compression ratio is accepted
_HIGHEST_RATIO = 200  # tables compress by a factor of 3 to 30; gzip reaches 1,032 on zeros
_LONGEST_TEXT = 1 << 30
_KINDS = {
    stat.S_IFDIR: "a folder. Give a file inside it",
    stat.S_IFIFO: "a pipe. Write its content to a file and give that",
    stat.S_IFSOCK: "a socket. Write its content to a file and give that",
    stat.S_IFCHR: "a device. Give an ordinary file",
    stat.S_IFBLK: "a device. Give an ordinary file",
}
PACKED = (".gz", ".zst", ".zip")
_STEP = 1 << 16
_EPOCH = (1980, 1, 1, 0, 0, 0)  # of the file in an archive, so that equal tables give equal bytes


@contextmanager
def max_bytes(limit: int | None) -> Iterator[None]:
    """Change the largest decompressed size of a table inside the block; None keeps the limit as it was.

    >>> with max_bytes(10_000_000_000):
    ...     pass  # read a very large table here
    """
    token = _limit.set(_limit.get() if limit is None else _checked(limit))
    try:
        yield
    finally:
        _limit.reset(token)


def allowed_bytes() -> int:
    """How many bytes a table may take once decompressed."""
    return _limit.get() or MAX_BYTES


def _checked(limit: int) -> int:
    if limit < 1:
        raise InputError(f"--max-bytes must be 1 or more, not {limit}.")
    return limit


def check_ordinary(path: Path, what: str = "") -> None:
    """Refuse a missing file and anything but an ordinary file, before a reader waits for it."""
    try:
        _check_kind(path)
    except FileNotFoundError:
        raise InputError(
            f"There is no {what or 'file'} {path}. Check the name and the current folder."
        ) from None
    except InputError:
        raise
    except (OSError, ValueError) as fault:
        raise InputError(f"{path} cannot be read: {getattr(fault, 'strerror', None) or fault}.") from None


def _check_kind(path: Path) -> None:
    kind = stat.S_IFMT(path.stat().st_mode)
    if kind in _KINDS:
        raise InputError(f"{path} is {_KINDS[kind]}.")


def read_text(path: Path, what: str, encoding: str = "utf-8", most: int = _LONGEST_TEXT) -> str:
    """The text of a file that accompanies a table, such as a "schema file"."""
    try:
        _check_kind(path)
        if path.stat().st_size > most:
            raise InputError(
                f"{path} is too long to be a {what} (more than {most:,} bytes). Give another file."
            )
        return path.read_text(encoding=encoding)
    except OSError as fault:
        raise InputError(f"The {what} {path} cannot be read: {fault.strerror or fault}.") from None
    except UnicodeDecodeError:
        raise InputError(
            f"The {what} {path} is not {encoding.upper()} text. Save it in that encoding, or give another file."
        ) from None
    except InputError:
        raise
    except ValueError as fault:  # not a possible file name
        raise InputError(f"The {what} {path} cannot be read: {fault}.") from None


def check_size(path: Path, size: int) -> None:
    """Refuse a table that takes more bytes than allowed."""
    limit = allowed_bytes()
    if size > limit:
        raise InputError(
            f"{path} takes more than the {limit:,} bytes allowed once decompressed. If you trust the file, allow more "
            "with --max-bytes."
        )


def check_ratio(path: Path, size: int) -> None:
    """Refuse early a file that is compressed more than any table could be, unless the user set a limit."""
    if _limit.get() is None and size > max(_SMALL, _HIGHEST_RATIO * path.stat().st_size):
        raise InputError(
            f"{path} expands to more than {_HIGHEST_RATIO} times its size, like a file made to fill the memory. "
            "If you trust it, set a limit with --max-bytes."
        )


def bytes_of(path: Path, raw: bytes | None = None) -> bytes:
    """The whole content, decompressed as the name says; stops as soon as the limit is passed.

    `raw` holds the bytes on disk if they have already been read.
    """
    if not is_packed(path):
        check_size(path, path.stat().st_size if raw is None else len(raw))
        return path.read_bytes() if raw is None else raw
    pieces, size = [], 0
    with unpacked(path, raw) as file:
        while piece := file.read(_PIECE):
            size += len(piece)
            check_size(path, size)
            check_ratio(path, size)
            pieces.append(piece)
    return b"".join(pieces)


def is_packed(path: Path) -> bool:
    """Whether the name says that the file is compressed."""
    return path.suffix.lower() in PACKED


@contextmanager
def unpacked(path: Path, raw: bytes | None = None) -> Iterator[IO[bytes]]:
    """The file as it is when decompressed; `raw` holds its bytes if they have already been read."""
    how = path.suffix.lower()
    source: Any = path if raw is None else io.BytesIO(raw)
    try:
        if how == ".gz":
            with gzip.open(source) as file:
                yield cast("IO[bytes]", file)
        elif how == ".zst":
            import pyarrow as pa

            packed = pa.input_stream(str(path) if raw is None else pa.BufferReader(raw), compression="zstd")
            # In small steps: what pyarrow has made room for when a file turns out damaged is lost.
            with packed, io.BufferedReader(packed, _STEP) as file:
                yield file
        elif how == ".zip":
            with zipfile.ZipFile(source) as archive, archive.open(_only_file(archive, path)) as file:
                yield file
        else:
            with path.open("rb") if raw is None else source as file:
                yield file
    except (InputError, UnicodeError):  # of whoever reads the text
        raise
    except (gzip.BadGzipFile, EOFError, zlib.error, zipfile.BadZipFile, ValueError, OverflowError) as fault:
        kind = "zip" if how == ".zip" else "gzip"
        raise InputError(
            f"{path} is a damaged {kind} file ({fault}). Compress or download it again."
        ) from None
    except RuntimeError as fault:  # how zipfile asks for a password, or for a method that it does not know
        raise InputError(
            f"{path} cannot be unpacked ({fault}). Unpack it and give the file inside."
        ) from None
    except OSError as fault:
        if how == ".zst" and fault.errno is None:
            raise InputError(f"{path} is a damaged zst file. Compress or download it again.") from None
        raise


def _only_file(archive: zipfile.ZipFile, path: Path) -> zipfile.ZipInfo:
    files = [each for each in archive.infolist() if not each.filename.endswith("/")]
    if len(files) != 1:
        raise InputError(f"{path} holds {len(files)} files. Unpack it and give the one to release.")
    return files[0]


@contextmanager
def packing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to, compressed as its name says; equal content gives equal bytes."""
    how = path.suffix.lower()
    if how == ".zst":
        import pyarrow as pa

        with pa.output_stream(str(path), compression="zstd") as packed:
            yield packed
        return
    with path.open("wb") as file:
        if how == ".gz":
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=6, mtime=0) as packed:
                yield cast("IO[bytes]", packed)
        elif how == ".zip":
            inside = zipfile.ZipInfo(path.name.removesuffix(path.suffix), _EPOCH)
            inside.compress_type = zipfile.ZIP_DEFLATED
            with zipfile.ZipFile(file, "w") as archive, archive.open(inside, "w", force_zip64=True) as packed:
                yield packed
        else:
            yield file
