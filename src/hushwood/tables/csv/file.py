"""Delimited text files (CSV, TSV) as frames: Polars reads and writes, and a faulty record is refused with its line.

Records are counted and quotes repaired only when the fast reading leaves a doubt.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import numpy as np
import polars as pl
import polars.selectors as cs

from hushwood.arrays import Flags, Integers
from hushwood.errors import InputError
from hushwood.tables.csv.columns import with_types
from hushwood.tables.csv.dialect import Dialect, TextForm, written_ways
from hushwood.tables.csv.encodings import Encoded, encoded
from hushwood.tables.csv.formula_cells import escaped, unescaped
from hushwood.tables.csv.source import CsvSource, header_names, sniff_separator
from hushwood.tables.csv.styles import styled
from hushwood.tables.formats.packed_text import packing

_NEWLINE, _RETURN, _QUOTE = b'\n\r"'


def read_csv(
    path: Path,
    *,
    missing: Sequence[str] = (),
    form: TextForm | None = None,
    as_text: Collection[str] = (),
    escaped_formulas: bool = False,
    raw: bytes | None = None,
) -> tuple[pl.DataFrame, Dialect]:
    """Read a delimited file, and say how it is written; the columns in `as_text` stay texts whatever they look like.

    `form` says what is known about how it is written. `escaped_formulas` removes the marks that `write_csv` put before
    formulas; `raw` holds the file's bytes if they have already been read.
    """
    form = form or TextForm()
    source = CsvSource(path, form.encoding, raw)
    separator = form.separator or sniff_separator(source.sample)
    texts = read_texts(source, separator, missing)
    if texts.is_empty():
        raise InputError(f"{path} has a header but no records. There is nothing to read.")
    if escaped_formulas:
        texts = unescaped(texts)
    frame, ways = with_types(texts, missing=missing, as_text=as_text, form=form)
    return frame, replace(source.dialect(separator), ways=ways)


def read_texts(source: CsvSource, separator: str, missing: Sequence[str]) -> pl.DataFrame:
    """All columns as texts; records that are too short or too long are refused."""
    names = header_names(source.sample, separator, source.path)
    return _texts(source, separator, names, missing)


def write_csv(
    frame: pl.DataFrame, path: Path, dialect: Dialect | None = None, *, escape_formulas: bool = False
) -> None:
    """Write a delimited file, compressed as its name says; equal frames give equal bytes."""
    dialect = dialect or Dialect()
    plain = writable(frame, escape_formulas, dialect)
    with packing(path) as file:
        append_csv(plain, encoded(file, dialect), dialect)


def append_csv(
    frame: pl.DataFrame, file: IO[bytes] | Encoded, dialect: Dialect, *, header: bool = True
) -> None:
    """Write some records of a file; the first with the header."""
    frame.write_csv(
        file,  # type: ignore[arg-type]
        include_header=header,
        separator=dialect.separator,
        line_terminator=dialect.line_end,
        quote_style=dialect.quoting,
    )


def writable(frame: pl.DataFrame, escape_formulas: bool, dialect: Dialect | None = None) -> pl.DataFrame:
    """The frame as a delimited file holds it; what it cannot hold is refused."""
    unwritable = frame.select(cs.duration() | cs.nested() | cs.binary() | cs.object()).columns
    if unwritable:
        raise InputError(
            f"Column {unwritable[0]!r} holds {frame.schema[unwritable[0]]} values, which a CSV file cannot hold. "
            "Write Parquet instead."
        )
    ways = {} if dialect is None else written_ways(dialect.ways)
    if not escape_formulas:
        return styled(frame, ways)
    # Names change, too.
    marked = escaped(frame)
    named = dict(zip(frame.columns, marked.columns, strict=True))
    return styled(marked, {named[name]: way for name, way in ways.items() if name in named})


def _texts(source: CsvSource, separator: str, names: list[str], missing: Sequence[str]) -> pl.DataFrame:
    try:
        frame = _polars_texts(source.reader_input, separator, missing)
        doubtful = frame.width != len(names)
    except pl.exceptions.NoDataError:
        raise InputError(
            f"{source.path} is empty. A table needs a header line and at least one record."
        ) from None
    except pl.exceptions.ComputeError:
        doubtful = True
    if doubtful:
        source.check_text()
        repaired = requoted(source.data, separator, len(names), source.path)
        frame = _polars_texts(repaired, separator, missing)
    elif frame.width > 1 and frame.to_series(frame.width - 1).null_count():
        frame = _without_blank_lines(frame, source, separator)
    frame.columns = names
    return frame


def _polars_texts(data: Path | bytes, separator: str, missing: Sequence[str]) -> pl.DataFrame:
    return pl.read_csv(
        data, separator=separator, infer_schema=False, null_values=list(missing) or None, glob=False
    )


def _without_blank_lines(frame: pl.DataFrame, source: CsvSource, separator: str) -> pl.DataFrame:
    """Drop blank lines and refuse short records: Polars fills both with nulls."""
    if surely_whole(source.data, separator, frame.width, frame.height):
        return frame
    found = layout(source.data, separator)
    check_widths(found, frame.width, source.path)
    if not found.blank.any():
        return frame
    return frame.filter(pl.Series(~found.blank[: frame.height]))


@dataclass(frozen=True, slots=True)
class Layout:
    """For every record after the header: its number of fields, its first line, whether it is blank."""

    fields: Integers
    lines: Integers
    blank: Flags


def layout(data: bytes, separator: str) -> Layout:
    """Fields and lines of all records; quoted separators and line ends do not count."""
    codes = np.frombuffer(data if data.endswith(b"\n") else data + b"\n", dtype=np.uint8)
    outside = (np.cumsum(codes == _QUOTE, dtype=np.uint8) & 1) == 0
    newlines = np.flatnonzero(codes == _NEWLINE)
    ends = newlines[outside[newlines]]
    if not len(ends) or ends[-1] != len(codes) - 1:
        ends = np.append(ends, len(codes) - 1)
    starts = np.append(0, ends[:-1] + 1)
    separators = np.flatnonzero((codes == ord(separator)) & outside)
    fields = np.diff(np.searchsorted(separators, np.append(0, ends))) + 1
    lengths = ends - starts
    blank = (lengths == 0) | ((lengths == 1) & (codes[starts] == _RETURN))
    header = int(np.argmin(blank))
    lines = np.searchsorted(newlines, starts) + 1
    return Layout(fields[header + 1 :], lines[header + 1 :], blank[header + 1 :])


def surely_whole(data: bytes, separator: str, width: int, rows: int) -> bool:
    """Whether counting bytes proves that no record is short, given that none is too long."""
    return b'"' not in data and data.count(separator.encode()) == (width - 1) * (rows + 1)


def check_widths(found: Layout, width: int, path: Path) -> None:
    """Refuse the first record whose number of fields differs from the header's."""
    ragged = np.flatnonzero((found.fields != width) & ~found.blank)
    if len(ragged):
        raise _ragged(path, int(found.lines[ragged[0]]), int(found.fields[ragged[0]]), width)


def requoted(data: bytes, separator: str, width: int, path: Path) -> bytes:
    """The same records with standard quoting: slow, for files with stray quotes."""
    reader = csv.reader(io.StringIO(data.decode("utf-8"), newline=""), delimiter=separator, strict=True)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    line = 1
    try:
        for record in reader:
            if record and len(record) != width:
                raise _ragged(path, line, len(record), width)
            if record or width == 1:
                writer.writerow(record)
            line = reader.line_num + 1
    except csv.Error as fault:
        raise InputError(
            f"{path}, line {line}: the quotes of this record do not match ({fault}). "
            "Close every quoted field and double the quotes inside it."
        ) from None
    return out.getvalue().encode("utf-8")


def _ragged(path: Path, line: int, fields: int, width: int) -> InputError:
    return InputError(
        f"{path}, line {line}: this record has {fields} {'field' if fields == 1 else 'fields'}, but the header has "
        f"{width}. Put values that contain the separator in quotes, or give the right --separator."
    )
