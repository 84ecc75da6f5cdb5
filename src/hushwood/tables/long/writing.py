"""A released table written batch by batch, in the format of its name."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, cast

import polars as pl

from hushwood.tables.csv.file import writable
from hushwood.tables.formats.files import FORMATS, suffix_of

ROW_GROUP = 1 << 18


class BatchWriter:
    """Appends frames with the same columns to one file; use it in a `with` block, which closes the file."""

    def __init__(self, path: Path, *, separator: str = ",", escape_formulas: bool = False) -> None:
        self.path, self.kind = path, FORMATS[suffix_of(path)]
        self.separator, self.escape_formulas = separator, escape_formulas
        self._open: Any = None
        self._file: IO[bytes] | None = None

    def __enter__(self) -> BatchWriter:
        return self

    def write(self, frame: pl.DataFrame) -> None:
        """Append a frame."""
        if self.kind == "csv":
            first = self._file is None
            plain = writable(frame, self.escape_formulas)
            self._file = self._file or self._text_file()
            plain.write_csv(self._file, separator=self.separator, include_header=first)
            return
        table = with_plain_categories(frame).to_arrow()
        if self._open is None:
            self._open = self._binary(table.schema)
        if self.kind == "parquet":
            self._open.write_table(table, row_group_size=ROW_GROUP)
        else:
            self._open.write_table(table)

    def _text_file(self) -> IO[bytes]:
        if self.path.suffix.lower() != ".gz":
            return self.path.open("wb")
        plain = self.path.open("wb")
        packed = gzip.GzipFile(filename="", mode="wb", fileobj=plain, compresslevel=6, mtime=0)
        cast("Any", packed).myfileobj = plain  # closed with it
        return cast("IO[bytes]", packed)

    def _binary(self, schema: Any) -> Any:
        import pyarrow as pa
        import pyarrow.parquet as pq

        if self.kind == "parquet":
            # Lists of different decimals would be given up again after much work.
            listed = [field.name for field in schema if not pa.types.is_floating(field.type)]
            return pq.ParquetWriter(
                self.path, schema, compression="zstd", compression_level=1, use_dictionary=listed
            )
        return pa.ipc.new_file(str(self.path), schema)

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for opened in (self._open, self._file):
            if opened is not None:
                opened.close()


def with_plain_categories(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with texts in the place of categories: their list would name some that are nowhere released."""
    listed = [n for n, dtype in frame.schema.items() if isinstance(dtype, pl.Enum | pl.Categorical)]
    return frame.with_columns(frame[name].cast(pl.String) for name in listed) if listed else frame


class Rows:
    """The rows of some frames, taken a number at a time."""

    def __init__(self, frames: Iterator[pl.DataFrame]) -> None:
        self._frames = frames
        self._held: pl.DataFrame | None = None

    def take(self, count: int) -> pl.DataFrame:
        """The next rows; fewer, if there are no more."""
        found: list[pl.DataFrame] = []
        while count > 0:
            frame = self._held if self._held is not None and self._held.height else next(self._frames, None)
            if frame is None:
                break
            found.append(frame[:count])
            self._held = frame[count:]
            count -= found[-1].height
        return pl.concat(found) if found else pl.DataFrame()

    @property
    def done(self) -> bool:
        """Whether there are no more rows."""
        while self._held is None or not self._held.height:
            self._held = next(self._frames, None)
            if self._held is None:
                return True
        return False
