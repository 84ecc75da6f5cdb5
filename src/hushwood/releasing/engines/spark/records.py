"""What can be released on Spark, and how rows are told apart: files by their order, everything else by a key column.

Files that all workers see are read by them directly. What only Spark can read (tables, frames, other file systems,
folders by column value) is first written to the scratch folder, once, so that all later steps see the same rows.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from hushwood.errors import InputError
from hushwood.releasing.engines.spark.session import Cluster, pandas_unmentioned
from hushwood.tables.csv.dialect import TextForm
from hushwood.tables.formats.files import LONG_FORMATS
from hushwood.tables.frames.table_frames import with_plain_categories
from hushwood.tables.long.files import ParquetFiles, Spooled, files_in, spooled
from hushwood.tables.long.writing import BatchWriter
from hushwood.tables.reading import declared_columns, text_only

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame


TABLE = "table:"
_ROW = "hushwood_row"


@dataclass(frozen=True, slots=True)
class SparkSource:
    """A file or a folder that all workers see, the address of one elsewhere, the name of a table, or a frame."""

    path: Path | None = None
    address: str | None = None
    table: str | None = None
    frame: Any = None

    def spooled(self, cluster: Cluster, scratch: Path, arguments: Mapping[str, Any]) -> Spooled:
        """The rows in Parquet files that all workers see."""
        place = scratch / "source"
        place.mkdir()
        missing = tuple(arguments.get("missing") or ())
        if self.path is not None and not _by_value(self.path):
            return spooled(
                self.path,
                place,
                missing=missing,
                form=TextForm.of(arguments),
                as_text=text_only(declared_columns(arguments.get("schema")), arguments.get("roles") or {}),
            )
        with pandas_unmentioned():
            paths = _written(cluster, self._rows(cluster), place)
        return Spooled(ParquetFiles.of(paths, missing), None, ".parquet", _named(self))

    def _rows(self, cluster: Cluster) -> DataFrame:
        read = cluster.session.read
        if self.path is not None or self.address is not None:
            return _numbered(read.parquet(self.address or str(self.path)))
        return read.table(self.table) if self.table is not None else self.frame


def source_of(given: object, row_key: str | None) -> SparkSource:
    """What was given, unless its rows cannot be told apart."""
    if isinstance(given, str) and given.startswith(TABLE):
        return _with_key(SparkSource(table=given.removeprefix(TABLE)), row_key)
    if isinstance(given, str) and "://" in given:
        return SparkSource(address=given)
    if isinstance(given, str | Path):
        return SparkSource(path=Path(given))
    if not type(given).__module__.startswith("pyspark.sql"):
        raise InputError(
            "--engine spark releases files, Spark tables and Spark frames; this is a table in memory, so use auto or "
            "memory, or give the file."
        )
    return _with_key(SparkSource(frame=given), row_key)


def _with_key(source: SparkSource, row_key: str | None) -> SparkSource:
    if row_key is None:
        raise InputError(
            "The rows of a Spark table or frame have no order, so nothing says which random numbers a row gets; name a "
            "column with --row-key that has another value in every row."
        )
    return source


def _by_value(path: Path) -> bool:
    """Whether folders in a folder are named by values of a column, as Spark writes them: only Spark reads these."""
    if not path.is_dir():
        return False
    files = files_in(path, LONG_FORMATS)
    return any("=" in part for file in files for part in file.relative_to(path).parts[:-1])


def _numbered(frame: DataFrame) -> DataFrame:
    """Rows of Parquet files with their numbers: the rows of all files before, by their paths, and the row in its own.

    Rows of a file are counted by Spark from its footers; `monotonically_increasing_id` would follow the partitions.
    """
    from pyspark.sql import functions as f

    path, index = f.col("_metadata.file_path"), f.col("_metadata.row_index")
    sizes = sorted(frame.groupBy(path.alias("path")).count().collect())
    firsts, first = [], 0
    for name, count in sizes:
        firsts.append((name, first))
        first += count
    starts = frame.sparkSession.createDataFrame(firsts, f"{_ROW}_path string, {_ROW}_first long")
    named = frame.select("*", path.alias(f"{_ROW}_path"), index.alias(f"{_ROW}_index"))
    joined = named.join(f.broadcast(starts), f"{_ROW}_path")
    row = (f.col(f"{_ROW}_first") + f.col(f"{_ROW}_index")).alias(_ROW)
    return joined.select(*(f.col(f"`{name}`") for name in frame.columns), row).repartitionByRange(_ROW)


def _written(cluster: Cluster, frame: DataFrame, place: Path) -> list[Path]:
    """The rows as files; numbered ones in their order."""
    ordered = _ROW in frame.columns
    rows = frame.sortWithinPartitions(_ROW) if ordered else frame
    folder = str(place)

    def write(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return written_rows(batches, Path(folder), ordered)

    names = cluster.collected(rows.mapInArrow(write, "name string"))
    if not names:
        raise InputError("The table has no records. There is nothing to read.")
    return [place / name for (name,) in sorted(names)]


def written_rows(batches: Iterator[pa.RecordBatch], folder: Path, ordered: bool) -> Iterator[pa.RecordBatch]:
    """Write what a worker is given to a file of its own, and name it; ordered rows are named by their first number."""
    import pyarrow as pa

    path, first = folder / f".{secrets.token_hex(8)}.parquet", 0
    rows = 0
    with BatchWriter(path) as out:
        for batch in batches:
            frame = pl.DataFrame(pl.from_arrow(batch))
            if ordered:
                numbers = frame.drop_in_place(_ROW)
                first = int(numbers[0]) if not rows and frame.height else first
            rows += frame.height
            out.write(with_plain_categories(frame))
    if not rows:
        path.unlink(missing_ok=True)
        return
    name = f"{first:020}-{secrets.token_hex(8)}.parquet"
    path.rename(folder / name)
    yield pa.RecordBatch.from_pydict({"name": [name]})


def _named(source: SparkSource) -> bytes:
    """What recognises a source that has no bytes of its own: its name."""
    return hashlib.sha256(repr((source.address, source.table)).encode()).digest()


@dataclass(frozen=True, slots=True)
class Kept:
    """How a released table comes back: as a Spark frame if that was given, else as a Polars frame."""

    session: Any = None

    @classmethod
    def of(cls, source: SparkSource, cluster: Cluster) -> Kept:
        """As what was released."""
        return cls(cluster.session if source.frame is not None else None)

    def frame(self, path: Path) -> Any:
        """The released table."""
        from hushwood.tables.formats.files import read_frame

        return read_frame(path) if self.session is None else self.session.read.parquet(str(path))
