"""The files of a long table: Parquet, in the order of their names, read in batches of whole rows.

Parquet files are used as they are. Everything else is written once to a scratch folder, in bounded memory, with the
types that reading it whole would give: CSV in blocks of whole records, Arrow by its batches.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.tables.csv.blocks import CsvBlocks, typed_blocks
from hushwood.tables.csv.dialect import Dialect, TextForm
from hushwood.tables.formats.binary_files import arrow_batches, checked_parquet, damaged, panics_unprinted
from hushwood.tables.formats.files import LONG_FORMATS, suffix_of, without_texts
from hushwood.tables.formats.input_files import check_ordinary


@dataclass(frozen=True, slots=True)
class ParquetFiles:
    """Parquet files that together are one table; `missing` are the texts that stand for missing values."""

    paths: tuple[Path, ...]
    rows: tuple[int, ...]
    missing: tuple[str, ...] = ()

    @classmethod
    def of(cls, paths: Sequence[Path], missing: Sequence[str] = ()) -> ParquetFiles:
        """Look at the footers: all files must have the same columns."""
        rows, first = [], None
        for path in paths:
            with panics_unprinted():
                schema, count = checked_parquet(path)
            if first is not None and schema != first:
                raise InputError(
                    f"{path} has other columns than {paths[0].name}, so they are not parts of one table. Give "
                    "files with the same columns and types."
                )
            first = schema
            rows.append(count)
        return cls(tuple(paths), tuple(rows), tuple(missing))

    @property
    def total(self) -> int:
        """How many rows all files have."""
        return sum(self.rows)

    @property
    def schema(self) -> pl.Schema:
        """The columns and their types."""
        return self.lazy().collect_schema()

    def lazy(self) -> pl.LazyFrame:
        """All rows, in order."""
        return pl.scan_parquet(list(self.paths), glob=False, hive_partitioning=False)

    def frames(self, size: int, columns: Sequence[str] | None = None) -> Iterator[tuple[int, pl.DataFrame]]:
        """Batches of exactly `size` rows (the last may have fewer), each with the number of its first row."""
        first = 0
        for frame in rebatched(self._read(_only(self.lazy(), columns), size), size):
            yield first, without_texts(frame, self.missing)
            first += frame.height

    def rows_from(self, first: int, count: int, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """A number of rows, from one on; no more is read than the row groups that they are in."""
        ends = np.cumsum(self.rows)
        begin, end = np.searchsorted(ends, [first, first + count - 1], side="right")
        here = replace(self, paths=self.paths[begin : end + 1], rows=self.rows[begin : end + 1])
        skipped = int(ends[begin]) - self.rows[begin]
        scan = _only(here.lazy(), columns).slice(first - skipped, count)
        return without_texts(pl.concat(here._read(scan, count)), self.missing)

    def _read(self, scan: pl.LazyFrame, size: int) -> Iterator[pl.DataFrame]:
        try:
            yield from scan.collect_batches(chunk_size=size, maintain_order=True)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as fault:
            raise damaged(self._broken() or self.paths[0], "parquet", fault) from None

    def _broken(self) -> Path | None:
        """The file that cannot be read."""
        for path in self.paths:
            try:
                for _ in pl.scan_parquet(path, glob=False).collect_batches(chunk_size=1 << 18):
                    pass
            except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
                return path
        return None

    def at(self, places: Integers, size: int, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """The rows at some places, ascending."""
        found = []
        for first, frame in self.frames(size, columns):
            begin, end = np.searchsorted(places, [first, first + frame.height])
            if end > begin:
                found.append(frame[places[begin:end] - first])
        return pl.concat(found) if found else self.lazy().head(0).collect()


def _only(scan: pl.LazyFrame, columns: Sequence[str] | None) -> pl.LazyFrame:
    """Some columns of a scan."""
    if columns is None:
        return scan
    names = scan.collect_schema().names()
    # By position, because Polars may take a name for a pattern.
    return scan.select(pl.nth([names.index(name) for name in columns]))


def rebatched(frames: Iterable[pl.DataFrame], size: int) -> Iterator[pl.DataFrame]:
    """The same rows in frames of exactly `size` rows, the last with what remains."""
    waiting: list[pl.DataFrame] = []
    held = 0
    for frame in frames:
        waiting.append(frame)
        held += frame.height
        if held < size:
            continue
        whole = pl.concat(waiting) if len(waiting) > 1 else waiting[0]
        limits = [*range(0, held + 1, size)]
        for begin, end in pairwise(limits):
            yield whole[begin:end]
        rest = whole[limits[-1] :]
        waiting, held = ([rest], rest.height) if rest.height else ([], 0)
    if held:
        yield pl.concat(waiting) if len(waiting) > 1 else waiting[0]


def files_in(folder: Path, endings: Iterable[str]) -> list[Path]:
    """The files of a folder, and of folders in it, with one of these endings, in the order of their paths.

    Names that begin with a dot or an underscore are passed over, as Spark and Hadoop do.
    """
    wanted = tuple(endings)
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and path.name.lower().endswith(wanted)
        and not any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
    )


_BYTES_PER_CELL = 8
_UNPACKED = {
    ".gz": 8,
    ".zst": 8,
    ".zip": 8,
    ".arrow": 1,
    ".feather": 1,
    ".ipc": 1,
}  # times the size of the file
_TEXT = 2  # of a text file, whose numbers take less room than their digits and whose texts take more


def expected_bytes(path: Path) -> int:
    """Bytes of the table as arrays, roughly; 0 for what cannot be judged, which the reader then refuses."""
    try:
        if path.suffix.lower() == ".parquet":
            return _of_parquet(path)
        return path.stat().st_size * _UNPACKED.get(path.suffix.lower(), 1) * _TEXT
    except OSError:
        return 0


def _of_parquet(path: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        found = pq.read_metadata(path)
    except (pa.ArrowException, OSError):
        return 0
    return int(found.num_rows * found.num_columns * _BYTES_PER_CELL)


SPOOL_ROWS = 1 << 19


@dataclass(frozen=True, slots=True)
class Spooled:
    """The files to read in batches, how a text file was written, the ending of the release, and the SHA-256.

    What is not a file has no SHA-256; that of its rows in the order of their ids is taken.
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
