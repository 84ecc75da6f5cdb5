"""Tables on disk: which format a file name stands for, and reading and writing it as a Polars frame."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import polars as pl
import polars.selectors as cs

from hushwood.errors import InputError
from hushwood.tables.csv.blocks import CsvBlocks, typed_blocks
from hushwood.tables.csv.dialect import Dialect, TextForm
from hushwood.tables.csv.file import read_csv, writable, write_csv
from hushwood.tables.csv.types import typed_column
from hushwood.tables.formats.binary_files import read_binary
from hushwood.tables.formats.input_files import PACKED, check_ordinary, check_size
from hushwood.tables.formats.program_files import (
    Labels,
    read_spreadsheet,
    read_statistics,
    write_spreadsheet,
    write_statistics,
)
from hushwood.tables.frames.storage import storage_type
from hushwood.tables.schema import Schema

Format = Literal["csv", "parquet", "ipc", "json", "spreadsheet", "statistics"]
_TEXTS = (".csv", ".tsv", ".txt")
# To read and write one more format: its endings here, a branch in `read_frame` or `read_other` and in `write_frame`, a
# case in tests/contracts/test_round_trips.py, and its line in docs/files.md. These can be read and written in batches,
# and by Spark: `BatchesOnDisk` and `long.files` read them, `long.writing` writes them.
LONG_FORMATS: dict[str, Format] = {
    **dict.fromkeys((*_TEXTS, *(text + packed for packed in PACKED for text in _TEXTS)), "csv"),
    ".parquet": "parquet",
    **dict.fromkeys((".arrow", ".feather", ".ipc"), "ipc"),
}
FORMATS: dict[str, Format] = {
    **LONG_FORMATS,
    **dict.fromkeys((".jsonl", ".ndjson"), "json"),
    **dict.fromkeys((".xlsx", ".xlsm", ".ods"), "spreadsheet"),
    **dict.fromkeys((".dta", ".sav", ".zsav", ".sas7bdat", ".xpt"), "statistics"),
}
# Formats that are only read, and what the release is written as instead.
SUBSTITUTES = {".ods": ".xlsx", ".xlsm": ".xlsx", ".sas7bdat": ".xpt"}


def suffix_of(path: Path) -> str:
    """The end of a file name that names its format, its compression included.

    >>> suffix_of(Path("people.v2.csv.gz"))
    '.csv.gz'
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    suffix = "".join(suffixes[-2:] if suffixes[-1:] and suffixes[-1] in PACKED else suffixes[-1:])
    if suffix not in FORMATS:
        raise InputError(
            f"The format of {path} is unknown. File names must end in one of {', '.join(FORMATS)}."
        )
    return suffix


def is_read_whole(path: Path) -> bool:
    """Whether a file has a format that cannot be read in batches."""
    suffix = path.suffix.lower()
    return suffix in FORMATS and suffix not in LONG_FORMATS


def parts_of(path: Path) -> list[Path]:
    """The numbered files of a Parquet table that was written in parts, as Spark does; none for an ordinary file."""
    if path.suffix.lower() != ".parquet" or not path.is_dir():
        return []
    return sorted(part for part in path.glob("part-*.parquet") if part.is_file())


def read_frame(
    path: Path,
    *,
    missing: Sequence[str] = (),
    form: TextForm | None = None,
    as_text: Collection[str] = (),
    escaped_formulas: bool = False,
    raw: bytes | None = None,
    like: Schema | None = None,
) -> pl.DataFrame:
    """Read a file; `missing` texts become nulls, and the CSV columns in `as_text` stay texts.

    `form` says how a CSV is written, `escaped_formulas` that it was written with `escape_formulas`; `raw` holds the
    bytes of the file if `read_raw` has read them, and nothing else is then read. Formats that know fewer types than we
    do are read `like` the table that was written.
    """
    parts = parts_of(path)
    if parts:
        return pl.concat([read_frame(part, missing=missing) for part in parts])
    _check_there(path)
    kind = FORMATS[suffix_of(path)]
    try:
        if kind == "csv":
            return read_csv(
                path,
                missing=missing,
                form=form,
                as_text=as_text,
                escaped_formulas=escaped_formulas,
                raw=raw,
            )[0]
        if kind in ("parquet", "ipc"):
            frame = read_binary(path, kind, raw)
        else:
            frame = with_types_of(read_other(path, read_raw(path) if raw is None else raw).frame, like)
    except OSError as fault:
        raise InputError(f"{path} cannot be read: {fault.strerror or fault}.") from None
    if not frame.width or frame.is_empty():
        raise InputError(f"{path} has no records. There is nothing to read.")
    return without_texts(frame, missing)


def read_raw(path: Path) -> bytes:
    """All bytes of a file of a known format, read once, so that the bytes hashed and parsed cannot differ."""
    _check_there(path)
    suffix_of(path)
    try:
        return path.read_bytes()
    except OSError as fault:
        raise InputError(f"{path} cannot be read: {fault.strerror or fault}.") from None


@dataclass(frozen=True, slots=True)
class Others:
    """A table of another program: the sheet it was on, if any, and what the columns and codes mean there."""

    frame: pl.DataFrame
    sheet: str = ""
    labels: Labels | None = None


def read_other(path: Path, raw: bytes, sheet: str | None = None) -> Others:
    """Read JSON lines, a spreadsheet, or a file of a statistics package."""
    kind = FORMATS[suffix_of(path)]
    if kind == "spreadsheet":
        return Others(*read_spreadsheet(path, raw, sheet))
    if kind == "statistics":
        frame, labels = read_statistics(path, raw)
        return Others(frame, labels=labels)
    try:
        frame = pl.read_ndjson(io.BytesIO(raw), infer_schema_length=None)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as fault:
        reason = str(fault).splitlines()[0]
        raise InputError(
            f"{path} is not a file of JSON lines ({reason}). Every line must be an object with the same names."
        ) from None
    texts = [name for name, dtype in frame.schema.items() if dtype == pl.String]
    return Others(frame.with_columns(typed_column(frame[name], only=("date", "moment")) for name in texts))


def with_types_of(frame: pl.DataFrame, schema: Schema | None) -> pl.DataFrame:
    """The frame with numbers in the types of a schema, where that changes no value."""
    if schema is None:
        return frame
    stored = {a.name: storage_type(a) for a in schema.attributes if a.kind == "numeric" and not a.carried}
    changed = []
    for name in set(frame.columns) & stored.keys():
        column, dtype = frame[name], stored[name]
        if column.dtype != dtype and (column.dtype.is_numeric() or column.null_count() == len(column)):
            cast = column.cast(dtype, strict=False)
            if cast.null_count() == column.null_count() and (cast.cast(column.dtype) == column).all():
                changed.append(cast)
    return frame.with_columns(changed)


def write_frame(
    frame: pl.DataFrame,
    path: Path,
    *,
    dialect: Dialect | None = None,
    escape_formulas: bool = False,
    sheet: str = "",
    labels: Labels | None = None,
) -> None:
    """Write a frame to this path in the format of its name; `escape_formulas` makes a CSV safe for spreadsheets."""
    kind = FORMATS[suffix_of(path)]
    try:
        if kind == "csv":
            write_csv(frame, path, dialect, escape_formulas=escape_formulas)
        elif kind == "parquet":
            frame.write_parquet(path)
        elif kind == "json":
            writable(frame, escape_formulas=False).write_ndjson(path)
        elif kind == "spreadsheet":
            write_spreadsheet(frame, path, sheet)
        elif kind == "statistics":
            write_statistics(frame, path, labels)
        else:
            frame.write_ipc(path)
    except (OSError, pl.exceptions.PolarsError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault).splitlines()[0]
        raise InputError(f"{path} could not be written: {reason}.") from None


def without_texts(frame: pl.DataFrame, missing: Sequence[str]) -> pl.DataFrame:
    """The frame with nulls where a column holds one of the `missing` texts, or the number that it spells."""
    if not missing:
        return frame
    text, number = cs.string() | cs.categorical() | cs.enum(), cs.numeric()
    spelt = pl.Series(missing, dtype=pl.String).cast(pl.Float64, strict=False).drop_nulls().to_list()
    return frame.with_columns(
        pl.when(~text.cast(pl.String).is_in(list(missing))).then(text).name.keep(),
        pl.when(~number.cast(pl.Float64).is_in(spelt)).then(number).name.keep(),
    )


def _check_there(path: Path) -> None:
    check_ordinary(path)
    size = path.stat().st_size
    if not size:
        raise InputError(f"{path} is empty. A table needs a header line and at least one record.")
    check_size(path, size)


class BatchesOnDisk:
    """A file that we wrote, read some rows at a time; the types of a text file are rough."""

    def __init__(
        self,
        path: Path,
        *,
        form: TextForm | None = None,
        as_text: Collection[str] = (),
        escaped_formulas: bool = False,
        like: Schema | None = None,
    ) -> None:
        self.path, self.kind, self.like = path, FORMATS[suffix_of(path)], like
        self.form, self.as_text, self.escaped_formulas = form or TextForm(), as_text, escaped_formulas

    @property
    def typed(self) -> bool:
        """Whether the file says what types its columns have."""
        return self.kind in ("parquet", "ipc")

    def batches(self, rows: int) -> Iterator[pl.DataFrame]:
        """The rows in their order, up to `rows` at a time."""
        if self.kind == "csv":
            return self._texts(rows)
        if self.kind not in ("parquet", "ipc"):
            return read_frame(self.path, like=self.like).iter_slices(rows)
        scan = pl.scan_parquet if self.kind == "parquet" else pl.scan_ipc
        # A path with an asterisk or an equals sign is a path here.
        whole = scan(parts_of(self.path) or self.path, glob=False, hive_partitioning=False)
        return iter(whole.collect_batches(chunk_size=rows, maintain_order=True))

    def _texts(self, rows: int) -> Iterator[pl.DataFrame]:
        blocks = CsvBlocks([self.path], self.form, escaped_formulas=self.escaped_formulas)
        for frame in typed_blocks(blocks, self.as_text):
            yield from frame.iter_slices(rows)
