"""Files of Stata, SPSS and SAS as frames, and back: value labels are categories, and their codes come back."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from hushwood.errors import InputError
from hushwood.tables.extras import library
from hushwood.tables.formats.input_files import check_size

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
