"""Text files as they are compressed: gzip, Zstandard, or a zip archive with one file in it."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from hushwood.errors import InputError

PACKED = (".gz", ".zst", ".zip")
_STEP = 1 << 16
_EPOCH = (1980, 1, 1, 0, 0, 0)  # of the file in an archive, so that equal tables give equal bytes


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
