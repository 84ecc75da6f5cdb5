"""The files of a long table: Parquet, in the order of their names, read in batches of whole rows.

Other formats become Parquet first: see `spooling`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.tables.formats.binary_files import checked_parquet, damaged, panics_unprinted
from hushwood.tables.formats.files import without_texts


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
        """That many rows from one on; no more is read than the row groups that they are in."""
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
