"""Texts that a spreadsheet runs as formulas when it opens a CSV file, and the quotation mark that stops it.

Numbers such as -5 are no formulas, and a sign alone is none. The mark can be taken away again without a doubt: also a
formula that has marks of its own gets one more. `csv_file` writes and reads such files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from hushwood.tables.categories import as_numbers
from hushwood.tables.column_names import literal
from hushwood.tables.column_warnings import ColumnWarning
from hushwood.tables.schema import Schema

if TYPE_CHECKING:
    import polars as pl

MARK = "'"
# Wide forms of the signs count too where spreadsheets are set to East Asian languages.
_FORMULA = r"(?s)^'*[=+\-@\t\r\n＝＋－＠]."


def formulas(texts: pl.Series) -> pl.Series:
    """Which texts a spreadsheet would run, marks before them not counted.

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
    """The frame with a mark before every text and every name of a column that a spreadsheet would run."""
    return _changed(frame, _marked)


def unescaped(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame as it was before `escaped`."""
    return _changed(frame, _unmarked)


def formula_warnings(frame: pl.DataFrame, schema: Schema) -> Iterator[ColumnWarning]:
    """A doubt about every column that goes into a CSV file and in which a spreadsheet would run something."""
    import polars as pl

    for attribute in schema.attributes:
        if attribute.role == "identifier":
            continue
        name, texts = attribute.name, pl.Series(attribute.categories, dtype=pl.String)
        if attribute.carried and _is_text(frame[name]):
            texts = literal(frame[name])
        found = texts.filter(formulas(texts))
        if formulas(pl.Series([name])).any():
            sentence = "is called as if it were a formula, which a spreadsheet would run"
        elif len(found):
            sentence = f"holds texts that a spreadsheet would run as formulas, such as {found[0]!r}"
        else:
            continue
        what = f"Column {name!r} {sentence}; --escape-formulas puts a quotation mark before them."
        yield ColumnWarning(name, "formula", what)


def _changed(frame: pl.DataFrame, change: Callable[[pl.Series], pl.Series]) -> pl.DataFrame:
    import polars as pl

    names = change(pl.Series(frame.columns, dtype=pl.String)).to_list()
    columns = [change(literal(column).cast(pl.String)) if _is_text(column) else column for column in frame]
    return pl.DataFrame(dict(zip(names, columns, strict=True)))


def _marked(texts: pl.Series) -> pl.Series:
    return (MARK + texts).zip_with(formulas(texts), texts)


def _unmarked(texts: pl.Series) -> pl.Series:
    return texts.str.strip_prefix(MARK).zip_with(formulas(texts), texts)


def _is_text(column: pl.Series) -> bool:
    import polars as pl

    return isinstance(column.dtype, pl.String | pl.Categorical | pl.Enum)
