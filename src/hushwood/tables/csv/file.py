"""Delimited text files (CSV, TSV) as frames: Polars reads and writes, and a faulty record is refused with its line.

Records are counted and quotes repaired only when the fast reading leaves a doubt. Numbers and dates are written in the
ways that they were read in. Texts that a spreadsheet would run as formulas get a quotation mark in front if that is
asked for; it can always be removed again, because a formula that already starts with marks gets one more.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import numpy as np
import polars as pl
import polars.selectors as cs

from hushwood.arrays import Flags, Integers
from hushwood.errors import InputError
from hushwood.tables.columns.warnings import ColumnWarning
from hushwood.tables.csv.dialect import Dialect, TextForm, written_ways
from hushwood.tables.csv.source import CsvSource, Encoded, encoded, header_names, sniff_separator
from hushwood.tables.csv.types import with_types
from hushwood.tables.csv.ways import ANY_ZONE, NUMBERS, Way, offset_of
from hushwood.tables.formats.input_files import packing
from hushwood.tables.frames.storage import EXACT_LIMIT, as_numbers, literal
from hushwood.tables.schema import Schema

_NEWLINE, _RETURN, _QUOTE = b'\n\r"'
MARK = "'"
# Spreadsheets set to East Asian languages also accept the wide forms of these characters.
_FORMULA = r"(?s)^'*[=+\-@\t\r\n＝＋－＠]."
_ISO, _ISO_ZONED = "%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%dT%H:%M:%S%.f%:z"
_MOST_DIGITS = 38  # of a decimal number of the library
_WORDS = {"True": "False", "TRUE": "FALSE"}


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
class RecordLayout:
    """For every record after the header: its number of fields, its first line, whether it is blank."""

    fields: Integers
    lines: Integers
    blank: Flags


def layout(data: bytes, separator: str) -> RecordLayout:
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
    return RecordLayout(fields[header + 1 :], lines[header + 1 :], blank[header + 1 :])


def surely_whole(data: bytes, separator: str, width: int, rows: int) -> bool:
    """Whether counting bytes proves that no record is short, given that none is too long."""
    return b'"' not in data and data.count(separator.encode()) == (width - 1) * (rows + 1)


def check_widths(found: RecordLayout, width: int, path: Path) -> None:
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


def formulas(texts: pl.Series) -> pl.Series:
    """Which texts a spreadsheet would run, ignoring marks in front of them.

    >>> import polars as pl
    >>> formulas(pl.Series(["=A1", "-5", "-x", "-", "a=b", "'=A1"])).to_list()
    [True, False, True, False, False, True]
    """
    texts = literal(texts)
    looks = texts.str.contains(_FORMULA).fill_null(False)
    if not looks.any():
        return looks
    return looks & as_numbers(texts.str.strip_chars_start(MARK)).is_null()


def escaped(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with a mark before every text and every column name that a spreadsheet would run."""
    return _changed(frame, lambda texts: MARK + texts)


def unescaped(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame as it was before `escaped`."""
    return _changed(frame, lambda texts: texts.str.strip_prefix(MARK))


def formula_warnings(
    frame: pl.DataFrame | Mapping[str, pl.Series], schema: Schema
) -> Iterator[ColumnWarning]:
    """A warning for every column of a CSV release in which a spreadsheet would run something."""
    for attribute in schema.attributes:
        if attribute.role == "identifier":
            continue
        name, texts = attribute.name, pl.Series(attribute.categories, dtype=pl.String)
        if attribute.carried and _is_text(frame[name]):
            texts = literal(frame[name])
        found = texts.filter(formulas(texts))
        if formulas(pl.Series([name])).any():
            sentence = "has a name that a spreadsheet would run as a formula"
        elif len(found):
            sentence = f"holds texts that a spreadsheet would run as formulas, for example {found[0]!r}"
        else:
            continue
        what = f"Column {name!r} {sentence}. Use --escape-formulas to put a quotation mark in front."
        yield ColumnWarning(name, "formula", what)


def _changed(frame: pl.DataFrame, change: Callable[[pl.Series], pl.Series]) -> pl.DataFrame:
    """The frame with its names and texts changed where they are formulas."""

    def changed(texts: pl.Series) -> pl.Series:
        return change(texts).zip_with(formulas(texts), texts)

    names = changed(pl.Series(frame.columns, dtype=pl.String)).to_list()
    columns = [changed(literal(column).cast(pl.String)) if _is_text(column) else column for column in frame]
    return pl.DataFrame(dict(zip(names, columns, strict=True)))


def _is_text(column: pl.Series) -> bool:
    return isinstance(column.dtype, pl.String | pl.Categorical | pl.Enum)


def styled(frame: pl.DataFrame, ways: Mapping[str, Way]) -> pl.DataFrame:
    """The frame with texts where values are not written as the library writes them."""
    columns = {column.name: _styled(literal(column), ways.get(column.name)) for column in frame}
    return pl.DataFrame(columns)


def _styled(column: pl.Series, way: Way | None) -> pl.Series:
    dtype = column.dtype
    if isinstance(dtype, pl.Datetime):
        return _moments(column, way)
    if way is None:
        return column
    if isinstance(dtype, pl.Date) and way.kind == "date" and way.pattern:
        return column.dt.to_string(way.pattern)
    if isinstance(dtype, pl.Boolean) and way.pattern in _WORDS:
        return column.replace_strict({True: way.pattern, False: _WORDS[way.pattern]}, return_dtype=pl.String)
    if dtype.is_numeric() and way.kind in NUMBERS:
        return _numbers(column, way)
    return column


def _moments(column: pl.Series, way: Way | None) -> pl.Series:
    zone = getattr(column.dtype, "time_zone", None)
    if way is None or way.kind != "moment" or not way.pattern:
        return column.dt.to_string(_ISO if zone is None else _ISO_ZONED)
    if not way.zone or way.zone == ANY_ZONE:
        return column.dt.to_string(way.pattern)
    local = column.dt.convert_time_zone("UTC").dt.replace_time_zone(None) + offset_of(way.zone)
    return local.dt.to_string(way.pattern) + way.zone


def _numbers(column: pl.Series, way: Way) -> pl.Series:
    numbers = column
    if numbers.dtype.is_float():
        numbers = _decimals(numbers, way)
    if way.thousands:
        return _grouped(numbers, way)
    if way.decimal == "," and not numbers.dtype.is_integer():
        texts = numbers if numbers.dtype == pl.String else numbers.cast(pl.String)
        return texts.str.replace(".", ",", literal=True)
    return numbers


def _decimals(column: pl.Series, way: Way) -> pl.Series:
    """Numbers with their fixed decimals, or else with those that they need."""
    if way.places is None:
        return column if way.pointed else column.cast(pl.String).str.strip_suffix(".0")
    largest = float(str(column.abs().max() or 0.0))
    if largest * 10.0**way.places < EXACT_LIMIT:
        fixed = column.cast(pl.Decimal(_MOST_DIGITS, way.places))
        if (fixed.cast(pl.Float64) == column).all():
            return fixed
    # Numbers that need more decimals, or are long, show what they need, and zeros up to the number of decimals.
    texts = column.cast(pl.String)
    parts = texts.str.extract_groups(r"^(-?\d+)\.(\d+)$").struct.unnest()
    whole, decimals = parts.to_series(0), parts.to_series(1)
    padded = whole + "." + decimals.str.pad_end(way.places, "0")
    return padded.zip_with(whole.is_not_null(), texts).alias(column.name)


def _grouped(numbers: pl.Series, way: Way) -> pl.Series:
    """Texts with a separator between thousands: the digits before the decimals are cut into threes from the right."""
    texts = numbers if numbers.dtype == pl.String else numbers.cast(pl.String)
    parts = texts.str.extract_groups(r"^(-?)(\d+)(?:\.(\d+))?$").struct.unnest()
    sign, whole, decimals = parts.to_series(0), parts.to_series(1), parts.to_series(2)
    longest = whole.str.len_bytes().max()
    padded = whole.str.zfill(-(-int(str(longest or 3)) // 3) * 3)
    groups = padded.str.extract_all(r"\d{3}").list.join(way.thousands)
    bare = groups.str.strip_chars_start(f"0{way.thousands}")
    shown = sign + bare.set(bare == "", "0")
    marked = (shown + way.decimal + decimals).zip_with(decimals.is_not_null(), shown)
    # Numbers with an exponent have no groups.
    return marked.zip_with(whole.is_not_null(), texts).alias(numbers.name)
