"""Spreadsheets as frames: one sheet of an .xlsx or .ods file, and a frame as an .xlsx file."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import unescape

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
        raise InputError(f"{path} is no spreadsheet, or a damaged one. Save it again, or as CSV.") from None


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
