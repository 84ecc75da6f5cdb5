"""Texts that a spreadsheet runs as formulas when it opens a CSV file, and the quotation mark that prevents it.

Numbers such as -5 are not formulas, nor is a sign alone. The mark can always be removed again, because a formula that
already starts with marks gets one more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import polars as pl

from hushwood.tables.coding import as_numbers
from hushwood.tables.columns.names import literal
from hushwood.tables.columns.warnings import ColumnWarning
from hushwood.tables.schema import Schema

MARK = "'"
# Spreadsheets set to East Asian languages also accept the wide forms of the signs.
_FORMULA = r"(?s)^'*[=+\-@\t\r\n＝＋－＠]."


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
