"""A released table read as its tree file describes it: columns, kinds and values.

`tables.reading` infers what columns are; here the tree file says it, and a column that does not fit is refused by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hushwood.arrays import Array, Codes, Floats
from hushwood.errors import InputError
from hushwood.tables.frames.storage import literal
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest

if TYPE_CHECKING:
    import polars as pl

_NAMED = 3
# Numbers without a grid may have gone through single precision and texts since they were published.
_RELATIVE = 1e-7


def read_released(forest: Forest, released: object) -> Table:
    """The columns that the tree file describes, coded by its values, from a file or a frame."""
    frame, typed = _frames(forest, released)
    if not frame.height:
        raise _refused("The released table has no records")
    _check_columns(forest, frame.columns)
    described = (*forest.attributes, _response(forest, typed[forest.class_name]))
    columns: dict[str, Array] = {}
    for attribute in described:
        texts, values = literal(frame[attribute.name]), literal(typed[attribute.name])
        _check_complete(values, attribute)
        if attribute.kind == "numeric":
            columns[attribute.name] = _numbers(values, attribute)
        else:
            columns[attribute.name] = _codes(texts, values, attribute.categories)
    return Table(Schema(described), columns, frame.select([]), frame.height)


def _frames(forest: Forest, released: object) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The table with the categories as the texts that are written, and with the types they look like."""
    import polars as pl

    from hushwood.tables.csv.types import typed_column
    from hushwood.tables.formats.files import read_frame
    from hushwood.tables.frames.any_frame import to_polars
    from hushwood.tables.frames.table_frames import frame_from_table

    if not isinstance(released, str | Path):
        frame = frame_from_table(released) if isinstance(released, Table) else to_polars(released)
        return frame, frame
    names = [a.name for a in forest.attributes if a.kind == "categorical"]
    texts = read_frame(
        Path(released),
        as_text=[*names, forest.class_name],
        escaped_formulas=bool(forest.grown.get("escaped_formulas")),
    )
    written = [
        name
        for name in (*names, forest.class_name)
        if name in texts.columns and texts[name].dtype == pl.String
    ]
    return texts, texts.with_columns(typed_column(texts[name]) for name in written)


def _check_columns(forest: Forest, found: Sequence[str]) -> None:
    """Refuse a table whose columns are not those that the tree file names."""
    expected = [
        *(a.name for a in forest.attributes),
        *(str(name) for name in forest.grown["other_columns"]),
        forest.class_name,
    ]
    lacking = [name for name in expected if name not in found]
    strange = [name for name in found if name not in expected]
    if lacking or strange:
        said = [f"it has no {_listed(lacking)}"] if lacking else []
        said += [f"the tree file does not know {_listed(strange)}"] if strange else []
        raise _refused(f"The released table has other columns than the tree file: {' and '.join(said)}")


def _listed(names: Sequence[str]) -> str:
    rest = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(map(repr, names[:_NAMED])) + rest


def _response(forest: Forest, typed: pl.Series) -> Attribute:
    """The class as the tree file has it: its classes, a number, or a number in groups."""
    from hushwood.tables.columns.precision import precision_of
    from hushwood.tables.frames.storage import categories_of

    name, bins = forest.class_name, tuple(map(float, forest.grown.get("class_bins", ())))
    if forest.classes and not bins:
        return Attribute(name, "categorical", "class", "String", categories=forest.classes)
    if not typed.dtype.is_numeric():
        raise InputError(
            f"The class {name!r} holds no numbers in the released table, but the tree file needs some."
        )
    if not forest.classes:
        return Attribute(name, "numeric", "class", precision=precision_of(typed))
    return Attribute(name, "categorical", "class", categories=categories_of(typed), bins=bins)


def _check_complete(column: pl.Series, attribute: Attribute) -> None:
    """Refuse missing classes, and missing numbers in columns that the tree may test."""
    gaps = column.null_count() + (int(column.is_nan().sum()) if column.dtype.is_float() else 0)
    if gaps == len(column) and attribute.role != "class":
        return
    if gaps and attribute.role == "class":
        raise _refused(f"The class {attribute.name!r} of the released table lacks {gaps:,} values")
    if gaps and attribute.kind == "numeric":
        raise _refused(f"Column {attribute.name!r} of the released table lacks {gaps:,} numbers")


def _numbers(column: pl.Series, attribute: Attribute) -> Floats:
    from hushwood.tables.columns.inference import finite
    from hushwood.tables.frames.storage import default_kind, numbers_of

    if default_kind(column.dtype) != "numeric" and column.null_count() < len(column):
        raise _refused(
            f"Column {attribute.name!r} of the released table holds {column.drop_nulls()[0]!r}, but the tree file "
            "has numbers there"
        )
    numbers = numbers_of(finite(column, "refuse"), attribute.precision)
    _check_known(numbers, column, attribute)
    return numbers


def _check_known(numbers: Floats, column: pl.Series, attribute: Attribute) -> None:
    """Refuse numbers outside the range that the tree file gives."""
    low, high, precision = attribute.low, attribute.high, attribute.precision
    if low is None or high is None:
        return
    slack = _RELATIVE * max(abs(low), abs(high)) if precision is None else 10.0**-precision / 2
    strange = np.flatnonzero((numbers < low - slack) | (numbers > high + slack))
    if len(strange):
        raise _unknown(attribute.name, str(column[int(strange[0])]))


def _unknown(name: str, value: str) -> InputError:
    return _refused(
        f"Column {name!r} of the released table holds values that the tree file does not know, such as {value}"
    )


def _refused(why: str) -> InputError:
    return InputError(f"{why}; give the table that was released with this tree.")


def _codes(texts: pl.Series, typed: pl.Series, categories: Sequence[str]) -> Codes:
    """Codes of the values as they are written or, if those are unknown, as texts of their type."""
    import polars as pl

    from hushwood.tables.frames.storage import texts_of

    known = pl.Series(categories, dtype=pl.String)
    for column in (texts_of(texts), texts_of(typed)):
        strange = column.filter(column.is_not_null() & ~column.is_in(known.implode()))
        if strange.is_empty():
            codes = column.cast(pl.Enum(categories)).to_physical().cast(pl.Int32).fill_null(-1)
            return np.asarray(codes.to_numpy(), np.int32)
    raise _unknown(texts.name, repr(strange.sort()[0]))
