"""Files of other programs as frames, and back: spreadsheets, and files of Stata, SPSS and SAS.

Of a spreadsheet one sheet is read. In files of statistics packages value labels are categories, and their codes come
back in the release.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl

from hushwood.errors import InputError, unknown_name
from hushwood.tables.extras import library
from hushwood.tables.formats.input_files import check_ratio, check_size
from hushwood.tables.frames.table_frames import with_plain_categories

_LOCKED = b"\xd0\xcf\x11\xe0"  # how a workbook with a password begins
_MADE = datetime(2000, 1, 1)  # instead of the time, so that equal tables give equal bytes
_WIDEST_SHEET, _LONGEST_SHEET = 16_384, 1_048_576
_FIRST_YEAR = 1899
_LONGEST_NAME = 31  # of a sheet
_SHEET = re.compile(rb'<sheet [^>]*?name="([^"]*)"[^>]*?r:id="([^"]*)"')
_TARGET = re.compile(rb"<Relationship [^>]*>")
_READERS = {
    ".dta": "read_dta",
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
_PACKAGES = {".dta": "Stata", ".sav": "SPSS", ".zsav": "SPSS", ".sas7bdat": "SAS", ".xpt": "SAS"}
_XPT_TIME = re.compile(rb"\d\d[A-Z]{3}\d\d:\d\d:\d\d:\d\d")
_DTA_TIME = re.compile(rb"<timestamp>\x11.{17}")
_SAV_TIME = slice(92, 109)  # day and time in the header
_MOST_CELLS_PER_BYTE = 200  # in packed SPSS files of zeros
Code = int | float | str


def read_spreadsheet(path: Path, raw: bytes, sheet: str | None = None) -> tuple[pl.DataFrame, str]:
    """A sheet with a header row, and its name; without a name the file must have only one sheet with cells."""
    if raw.startswith(_LOCKED):
        raise InputError(f"{path} is protected by a password. Save it without one, or as CSV.")
    fastexcel = library("fastexcel", f"{path.suffix} files", "files")
    _check_unpacked(path, raw)
    try:
        book = fastexcel.read_excel(raw)
        chosen = _chosen(book, path, sheet)
        _refuse_merged(path, raw, chosen)
        frame = pl.read_excel(
            io.BytesIO(raw),
            sheet_name=chosen,
            engine="calamine",
            infer_schema_length=None,
            raise_if_empty=False,
        )
    except InputError:
        raise
    except (Exception, pl.exceptions.PanicException) as fault:  # noqa: BLE001 - a damaged file fails in many ways
        reason = (str(fault).splitlines() or [type(fault).__name__])[0].removeprefix("calamine error: ")
        raise InputError(
            f"{path} cannot be read as a spreadsheet ({reason}). Save it again, or as CSV."
        ) from None
    unnamed = [name for name in frame.columns if not name.strip() or name.startswith("__UNNAMED__")]
    if unnamed:
        place = frame.columns.index(unnamed[0]) + 1
        raise InputError(
            f"{path}: column {place} of sheet {chosen!r} has no name. The first row must name every column."
        )
    return frame.with_columns(_times(column) for column in frame), chosen


def _times(column: pl.Series) -> pl.Series:
    """Times of day, which a spreadsheet knows as moments of its first day."""
    if not isinstance(column.dtype, pl.Datetime) or not column.count():
        return column
    return column.dt.time() if (column.dt.year() == _FIRST_YEAR).all() else column


def write_spreadsheet(frame: pl.DataFrame, path: Path, sheet: str = "") -> None:
    """Write a frame as the only sheet of a workbook; texts are never formulas there."""
    xlsxwriter = library("xlsxwriter", f"{path.suffix} files", "files")
    if frame.width > _WIDEST_SHEET or frame.height >= _LONGEST_SHEET:
        raise InputError(
            f"A spreadsheet holds {_LONGEST_SHEET - 1:,} records and {_WIDEST_SHEET:,} columns at most. Give the table "
            "as CSV or Parquet, and the release will be that too."
        )
    unwritable = [name for name, dtype in frame.schema.items() if dtype.is_nested() or dtype == pl.Duration]
    if unwritable:
        raise InputError(
            f"Column {unwritable[0]!r} cannot be written to a spreadsheet. Write Parquet instead."
        )
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(str(path), plain) as book:
        book.set_properties({"created": _MADE})
        _write(with_plain_categories(frame), book, (sheet or "released")[:_LONGEST_NAME])


def _write(frame: pl.DataFrame, book: Any, sheet: str) -> None:
    """Column by column, so that numbers keep all their digits and dates look like dates."""
    page = book.add_worksheet(sheet)
    styles = {
        pl.Date: book.add_format({"num_format": "yyyy-mm-dd"}),
        pl.Datetime: book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"}),
        pl.Time: book.add_format({"num_format": "hh:mm:ss"}),
    }
    for place, column in enumerate(frame):
        page.write_string(0, place, column.name)
        page.write_column(1, place, column.to_list(), styles.get(column.dtype.base_type()))


def _chosen(book: Any, path: Path, sheet: str | None) -> str:
    names: list[str] = list(book.sheet_names)
    if sheet is not None:
        if sheet not in names:
            raise unknown_name(f"sheet in {path}", sheet, names)
        return sheet
    filled = [name for name in names if book.load_sheet(name, header_row=None, n_rows=1).width]
    if len(filled) > 1:
        raise InputError(
            f"{path} has several sheets ({', '.join(map(repr, filled))}). Name one with --sheet."
        )
    if not filled:
        raise InputError(f"{path} is empty. A table needs a header row and at least one record.")
    return filled[0]


def _check_unpacked(path: Path, raw: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            size = sum(each.file_size for each in archive.infolist())
        check_size(path, size)
        check_ratio(path, size)
    except InputError:
        raise
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        raise InputError(
            f"{path} is not a spreadsheet, or a damaged one. Save it again, or as CSV."
        ) from None


def _refuse_merged(path: Path, raw: bytes, sheet: str) -> None:
    """Cells that were merged have a value in one of them only: the others would count as missing."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        merged = _merged_in_ods(archive, sheet) if path.suffix.lower() == ".ods" else _merged(archive, sheet)
    if merged:
        raise InputError(
            f"{path}: sheet {sheet!r} has merged cells, so it is not clear which records a value belongs to. Split "
            "them and fill every cell."
        )


def _merged(archive: zipfile.ZipFile, sheet: str) -> bool:
    from xml.sax.saxutils import unescape

    names = set(archive.namelist())
    if not {"xl/workbook.xml", "xl/_rels/workbook.xml.rels"} <= names:
        return False
    ids = {
        unescape(n.decode(), {"&quot;": '"'}): i for n, i in _SHEET.findall(archive.read("xl/workbook.xml"))
    }
    targets = {}
    for found in _TARGET.findall(archive.read("xl/_rels/workbook.xml.rels")):
        parts = dict(re.findall(rb'(\w+)="([^"]*)"', found))
        targets[parts.get(b"Id", b"")] = parts.get(b"Target", b"").decode()
    target = targets.get(ids.get(sheet, b"?"), "")
    place = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    return place in names and b"<mergeCell " in archive.read(place)


def _merged_in_ods(archive: zipfile.ZipFile, sheet: str) -> bool:
    content = archive.read("content.xml") if "content.xml" in archive.namelist() else b""
    begin = content.find(f'table:name="{sheet}"'.encode())
    own = content[max(begin, 0) : content.find(b"</table:table>", max(begin, 0))]
    return re.search(rb'table:number-(columns|rows)-spanned="(?!1")', own) is not None


@dataclass(frozen=True, slots=True)
class Labels:
    """What a statistics package says about columns: questions, and the code of every category."""

    questions: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[str, Mapping[str, Code]] = field(default_factory=dict)


def read_statistics(path: Path, raw: bytes) -> tuple[pl.DataFrame, Labels]:
    """The table, with texts for codes that all have a label, and what is needed to write it back."""
    pyreadstat = library("pyreadstat", f"{path.suffix} files", "files")
    suffix = path.suffix.lower()
    read = getattr(pyreadstat, _READERS[suffix])
    try:
        _, head = read(io.BytesIO(raw), output_format="dict", metadataonly=True)
        _check_claim(path, len(raw), (head.number_rows or 0) * (head.number_columns or 0))
        frame, about = read(io.BytesIO(raw), output_format="polars")
    except InputError:
        raise
    except (Exception, pl.exceptions.PanicException) as fault:  # noqa: BLE001 - a damaged file fails in many ways
        reason = str(fault).splitlines()[0] if str(fault) else type(fault).__name__
        raise InputError(
            f"{path} cannot be read as a {_PACKAGES[suffix]} file ({reason}). Save it in an older version, or as CSV."
        ) from None
    frame = frame.with_columns(_without_empty(column) for column in frame)
    codes: dict[str, Mapping[str, Code]] = {}
    for name, labels in about.variable_value_labels.items():
        named = _labelled(frame[name], labels)
        if named is not None:
            frame = frame.with_columns(named)
            codes[name] = {str(label): code for code, label in labels.items()}
    questions = {name: text for name, text in about.column_names_to_labels.items() if text}
    return frame, Labels(questions, codes)


def _check_claim(path: Path, size: int, cells: int) -> None:
    """Refuse a damaged header that claims more cells than the file could hold: room is made for all of them."""
    if cells > _MOST_CELLS_PER_BYTE * size:
        raise InputError(
            f"{path} claims to hold {cells:,} values in {size:,} bytes. Write or download it again."
        )
    check_size(path, 8 * cells)


def _without_empty(column: pl.Series) -> pl.Series:
    """These packages have no missing texts, so an empty one stands for it."""
    if column.dtype != pl.String:
        return column
    return column.set(column == "", None)


def _labelled(column: pl.Series, labels: Mapping[Code, str]) -> pl.Series | None:
    """The column as categories in the order of their codes; None if some value has no label of its own."""
    texts = [str(text) for text in labels.values()]
    known = column.drop_nulls().unique()
    if len(set(texts)) < len(texts) or not set(known.to_list()) <= set(labels):
        return None
    return column.replace_strict(
        list(labels),
        texts,
        default=None,
        return_dtype=pl.Enum([str(labels[code]) for code in sorted(labels)]),
    ).alias(column.name)


def write_statistics(frame: pl.DataFrame, path: Path, labels: Labels | None = None) -> None:
    """Write a frame with the codes and questions that it was read with; equal tables give equal bytes."""
    pyreadstat = library("pyreadstat", f"{path.suffix} files", "files")
    suffix, about = path.suffix.lower(), labels or Labels()
    values: dict[str, dict[Code, str]] = {}
    columns = []
    for column in frame:
        codes = about.codes.get(column.name)
        texts = column.cast(pl.String) if isinstance(column.dtype, pl.Enum | pl.Categorical) else column
        present = set(texts.drop_nulls().unique().to_list()) if codes is not None else set()
        if codes is not None and present <= set(codes):
            # No label that nobody in the release has.
            values[column.name] = {code: text for text, code in codes.items() if text in present}
            coded = pl.Series(list(codes.values()), strict=False)
            texts = texts.replace_strict(list(codes), coded, default=None, return_dtype=coded.dtype)
        columns.append(_plain(texts.alias(column.name)))
    made = pl.DataFrame(columns)
    questions = {name: about.questions.get(name) for name in made.columns}
    how: dict[str, Any] = {"column_labels": questions}
    if suffix == ".xpt":
        pyreadstat.write_xport(made, str(path), **how)
    else:
        write = pyreadstat.write_dta if suffix == ".dta" else pyreadstat.write_sav
        packed = {"compress": True} if suffix == ".zsav" else {}
        write(made, str(path), variable_value_labels=values, **how, **packed)
    _forget_the_time(path, suffix)


def _plain(column: pl.Series) -> pl.Series:
    """Whole numbers in the widest type that Stata has for them, whose largest values stand for missing ones."""
    fits = column.dtype == pl.Int64 and column.is_between(-(2**31) + 1, 2**31 - 28).all()
    return column.cast(pl.Int32) if fits else column


def _forget_the_time(path: Path, suffix: str) -> None:
    """The header of these files says when they were written."""
    data = bytearray(path.read_bytes())
    if suffix == ".dta":
        data[:800] = _DTA_TIME.sub(b"<timestamp>\x1101 Jan 2000 00:00", bytes(data[:800]))
    elif suffix == ".xpt":
        head = _XPT_TIME.sub(b"01JAN00:00:00:00", bytes(data[:800]))
        data[:800] = head
    else:
        data[_SAV_TIME] = b"01 Jan 0000:00:00"
    path.write_bytes(data)
