"""Delimited text files (CSV, TSV) as frames: Polars reads and writes, everything odd is refused by line.

`csv_source` finds the separator and the header, `csv_types` the types, `csv_faults` the damaged lines; other
formats are in `files`.
"""

from __future__ import annotations

import gzip
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from hushwood.errors import InputError
from hushwood.tables import csv_faults, csv_types
from hushwood.tables.csv_source import CsvSource, header_names, sniff_separator
from hushwood.tables.formula_cells import escaped, unescaped

if TYPE_CHECKING:
    import polars as pl


def separator_of(path: Path, encoding: str = "utf-8", raw: bytes | None = None) -> str:
    """The separator that a delimited file uses; `raw` are its bytes if they have been read already."""
    return sniff_separator(CsvSource(path, encoding, raw).sample)


def read_csv(
    path: Path,
    *,
    missing: Sequence[str] = (),
    encoding: str = "utf-8",
    separator: str | None = None,
    as_text: Collection[str] = (),
    escaped_formulas: bool = False,
    raw: bytes | None = None,
) -> pl.DataFrame:
    """Read a delimited file; the columns named in `as_text` keep their texts whatever they look like.

    `escaped_formulas` takes away the marks that `write_csv` put before formulas; `raw` are the file's bytes if they
    have been read already.
    """
    source = CsvSource(path, encoding, raw)
    if separator is not None and (len(separator) != 1 or not separator.isascii() or separator in '"\r\n'):
        raise InputError(f"The separator {separator!r} is not allowed; give one character, such as , or ;.")
    separator = separator or sniff_separator(source.sample)
    names = header_names(source.sample, separator, path)
    texts = _texts(source, separator, names, missing)
    if texts.is_empty():
        raise InputError(f"{path} has a header but no records; give a table that has some.")
    if escaped_formulas:
        texts = unescaped(texts)
    return csv_types.with_types(texts, missing=missing, as_text=as_text)


def write_csv(
    frame: pl.DataFrame, path: Path, separator: str = ",", *, escape_formulas: bool = False
) -> None:
    """Write a delimited file, packed if the name ends in .gz; equal frames give equal bytes."""
    plain = _with_short_times(escaped(frame) if escape_formulas else frame)
    with path.open("wb") as file:
        if path.suffix.lower() == ".gz":
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=6, mtime=0) as packed:
                plain.write_csv(cast(IO[bytes], packed), separator=separator)
        else:
            plain.write_csv(file, separator=separator)


def _texts(source: CsvSource, separator: str, names: list[str], missing: Sequence[str]) -> pl.DataFrame:
    import polars as pl

    try:
        frame = _polars_texts(source.reader_input, separator, missing)
        doubtful = frame.width != len(names)
    except pl.exceptions.NoDataError:
        raise InputError(f"{source.path} is empty; it needs a header line and records.") from None
    except pl.exceptions.ComputeError:
        doubtful = True
    if doubtful:
        source.check_text()
        repaired = csv_faults.requoted(source.data, separator, len(names), source.path)
        frame = _polars_texts(repaired, separator, missing)
    elif frame.width > 1 and frame.to_series(frame.width - 1).null_count():
        frame = _without_blank_lines(frame, source, separator)
    frame.columns = names
    return frame


def _polars_texts(data: Path | bytes, separator: str, missing: Sequence[str]) -> pl.DataFrame:
    import polars as pl

    return pl.read_csv(
        data, separator=separator, infer_schema=False, null_values=list(missing) or None, glob=False
    )


def _without_blank_lines(frame: pl.DataFrame, source: CsvSource, separator: str) -> pl.DataFrame:
    """Drop blank lines and refuse short records: Polars fills both with nulls."""
    import polars as pl

    if csv_faults.surely_whole(source.data, separator, frame.width, frame.height):
        return frame
    found = csv_faults.layout(source.data, separator)
    csv_faults.check_widths(found, frame.width, source.path)
    if not found.blank.any():
        return frame
    return frame.filter(pl.Series(~found.blank[: frame.height]))


def _with_short_times(frame: pl.DataFrame) -> pl.DataFrame:
    import polars.selectors as cs

    unwritable = frame.select(cs.duration() | cs.nested() | cs.binary() | cs.object()).columns
    if unwritable:
        raise InputError(
            f"Column {unwritable[0]!r} holds {frame.schema[unwritable[0]]} values, which a CSV file cannot "
            "hold; write Parquet instead."
        )
    zoned, plain = cs.datetime(time_zone="*"), cs.datetime(time_zone=None)
    return frame.with_columns(
        zoned.dt.to_string("%Y-%m-%dT%H:%M:%S%.f%:z"), plain.dt.to_string("%Y-%m-%dT%H:%M:%S%.f")
    )
