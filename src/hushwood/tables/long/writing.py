"""A released table written batch by batch, in the format of its name."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import numpy as np
import polars as pl

from hushwood.tables.csv.dialect import Dialect
from hushwood.tables.csv.file import append_csv, writable
from hushwood.tables.csv.source import Encoded, encoded
from hushwood.tables.formats.files import FORMATS, suffix_of
from hushwood.tables.formats.input_files import packing
from hushwood.tables.frames.storage import category_values, column_of, frame_from_table
from hushwood.tables.frames.table_frames import with_plain_categories
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table

ROW_GROUP = 1 << 18
_LOOKED_AT = 1 << 14  # values that show whether a column of numbers repeats itself


class BatchWriter:
    """Appends records with the same columns to one file; use it in a `with` block, which closes the file."""

    def __init__(self, path: Path, *, dialect: Dialect | None = None, escape_formulas: bool = False) -> None:
        self.path, self.kind = path, FORMATS[suffix_of(path)]
        self.dialect, self.escape_formulas = dialect or Dialect(), escape_formulas
        self._open: Any = None
        self._file: IO[bytes] | Encoded | None = None
        self._packing = ExitStack()

    def __enter__(self) -> BatchWriter:
        return self

    def write(self, records: pl.DataFrame | Table) -> None:
        """Append records; those of a table go out without identifiers, and all categories as texts."""
        if isinstance(records, Table):
            if self.kind == "parquet":
                self._write_arrow(_arrow(records))
                return
            records = frame_from_table(records)
        frame = with_plain_categories(records)
        if self.kind == "csv":
            first = self._file is None
            plain = writable(frame, self.escape_formulas, self.dialect)
            if self._file is None:
                self._file = encoded(self._packing.enter_context(packing(self.path)), self.dialect)
            append_csv(plain, self._file, self.dialect, header=first)
            return
        self._write_arrow(frame.to_arrow())

    def _write_arrow(self, table: Any) -> None:
        if self._open is None:
            self._open = self._binary(table)
        if self.kind == "parquet":
            self._open.write_table(table, row_group_size=ROW_GROUP)
        else:
            self._open.write_table(table)

    def _binary(self, table: Any) -> Any:
        import pyarrow as pa
        import pyarrow.parquet as pq

        if self.kind != "parquet":
            return pa.ipc.new_file(str(self.path), table.schema)
        numbers = [field.name for field in table.schema if pa.types.is_primitive(field.type)]
        # A list of the values of a column in which most differ would be given up again after much work.
        listed = [name for name in table.column_names if name not in numbers or _repeats(table[name])]
        plain = pa.schema([_undivided(field) for field in table.schema])
        writer = pq.ParquetWriter(
            self.path,
            table.schema,
            compression="zstd",
            compression_level=1,
            use_dictionary=listed,
            write_statistics=numbers,
            store_schema=False,  # it would speak of dictionaries; what time zones and durations need is added
        )
        writer.add_key_value_metadata({"ARROW:schema": b64encode(plain.serialize())})
        return writer

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._packing.close()
        if self._open is not None:
            self._open.close()


def _repeats(column: Any) -> bool:
    some = column.slice(0, _LOOKED_AT)
    return bool(2 * len(some.unique()) <= len(some))


def _undivided(field: Any) -> Any:
    """The type of a column in the file, where a dictionary is only a way of writing."""
    import pyarrow as pa

    return field.with_type(field.type.value_type) if pa.types.is_dictionary(field.type) else field


def _arrow(table: Table) -> Any:
    """The columns that go out; texts as places in a list, which is how Parquet writes them."""
    import pyarrow as pa

    kept = [a for a in table.schema.attributes if a.role != "identifier"]
    return pa.table({a.name: _arrow_column(table, a) for a in kept})


def _arrow_column(table: Table, attribute: Attribute) -> Any:
    import pyarrow as pa

    values = pl.Series() if attribute.carried or attribute.kind == "numeric" else category_values(attribute)
    if not isinstance(values.dtype, pl.String | pl.Enum | pl.Categorical):
        column = column_of(table, attribute).alias(attribute.name)
        return with_plain_categories(column.to_frame()).to_arrow()[0]
    codes = table.columns[attribute.name]
    # Only categories that occur: a list would name some that are nowhere released.
    occurs = np.bincount(codes + 1, minlength=len(values) + 1)[1:] > 0
    place = np.append(np.cumsum(occurs, dtype=np.int32) - 1, np.int32(-1))
    found = values.cast(pl.String).filter(pl.Series(occurs)).to_arrow()
    gaps = codes < 0
    places = pa.array(place[codes], mask=gaps if gaps.any() else None)
    return pa.DictionaryArray.from_arrays(places, found)


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
