"""Which files may be read: ordinary ones, with no more bytes than allowed once decompressed.

Every reader checks here first, so that a pipe cannot hang it and a compressed file cannot fill the memory.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from hushwood.errors import InputError
from hushwood.tables.formats.packed_text import is_packed, unpacked

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
