"""Any input as Parquet files that can be read in batches: CSV in blocks of whole records, Arrow by its batches.

Parquet files are used as they are. Everything else is written once to a scratch folder, in bounded memory, with the
types that reading it whole would give.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from hushwood.errors import InputError
from hushwood.tables.csv.blocks import CsvBlocks, typed_blocks
from hushwood.tables.csv.dialect import Dialect, TextForm
from hushwood.tables.formats.binary_files import arrow_batches, damaged
from hushwood.tables.formats.files import LONG_FORMATS, suffix_of
from hushwood.tables.formats.input_files import check_ordinary
from hushwood.tables.long.files import ParquetFiles, files_in

SPOOL_ROWS = 1 << 19


@dataclass(frozen=True, slots=True)
class Spooled:
    """The files to read in batches, how a text file was written, the ending of the release, and the SHA-256.

    What is no file has no SHA-256; that of its rows in the order of their ids is taken.
    """

    files: ParquetFiles
    dialect: Dialect | None
    suffix: str
    sha256: bytes | None


def spooled(
    path: Path,
    scratch: Path,
    *,
    missing: Sequence[str] = (),
    form: TextForm | None = None,
    as_text: Collection[str] = (),
) -> Spooled:
    """A file, or a folder of files of one format, ready to be read in batches."""
    paths = [path]
    if path.is_dir():
        paths = files_in(path, LONG_FORMATS)
        if not paths:
            raise InputError(
                f"{path} is a folder without tables. It must hold files in {', '.join(LONG_FORMATS)}."
            )
    else:
        check_ordinary(path)
    suffixes = {suffix_of(each) for each in paths}
    if len(suffixes) > 1:
        raise InputError(
            f"{path} holds files of several formats ({', '.join(sorted(suffixes))}). Give one format."
        )
    suffix = suffixes.pop()
    if suffix not in LONG_FORMATS:
        raise InputError(f"A {suffix} file is read whole, not in batches. Use --engine auto or memory.")
    kind, digest = LONG_FORMATS[suffix], files_digest(path, paths)
    if kind == "parquet":
        return Spooled(_not_empty(ParquetFiles.of(paths, missing), path), None, suffix, digest)
    if kind == "ipc":
        files = written((pl.DataFrame(batch) for each in paths for batch in _batches(each)), scratch)
        return Spooled(_not_empty(ParquetFiles.of(files, missing), path), None, suffix, digest)
    blocks = CsvBlocks(paths, form or TextForm(), tuple(missing))
    files = written(typed_blocks(blocks, as_text), scratch)
    return Spooled(_not_empty(ParquetFiles.of(files), path), blocks.dialect, suffix, digest)


def _not_empty(files: ParquetFiles, path: Path) -> ParquetFiles:
    if not files.total:
        raise InputError(f"{path} has no records. There is nothing to read.")
    return files


def files_digest(path: Path, paths: Sequence[Path]) -> bytes:
    """SHA-256 of a file, or of the names and digests of all files of a folder."""
    digests = []
    for each in paths:
        with each.open("rb") as file:
            digests.append(hashlib.file_digest(file, "sha256").digest())
    if not path.is_dir():
        return digests[0]
    whole = hashlib.sha256()
    for each, digest in zip(paths, digests, strict=True):
        whole.update(hashlib.sha256(each.relative_to(path).as_posix().encode()).digest() + digest)
    return whole.digest()


def _batches(path: Path) -> Iterator[Any]:
    import pyarrow as pa

    try:
        for batch in arrow_batches(path, None):
            batch.validate(full=True)
            yield batch
    except (pa.ArrowException, OSError, ValueError) as fault:
        raise damaged(path, "ipc", fault) from None


def written(frames: Iterable[pl.DataFrame], scratch: Path) -> list[Path]:
    """The frames as numbered Parquet files."""
    paths: list[Path] = []
    for frame in frames:
        for begin in range(0, frame.height, SPOOL_ROWS):
            path = scratch / f"{len(paths):08}.parquet"
            frame[begin : begin + SPOOL_ROWS].write_parquet(path, compression="lz4")
            paths.append(path)
    return paths
