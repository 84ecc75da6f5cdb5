"""Columns as the certificate compares them: numbers, or codes of known texts, straight from a table or a frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hushwood.arrays import Array, Codes
from hushwood.tables.columns.value_texts import is_temporal
from hushwood.tables.frames.storage import TEXT_STORAGES, numbers_of, storage_name, texts_of
from hushwood.tables.recoding.cells import numeric_cells
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, missing_values

if TYPE_CHECKING:
    import polars as pl


class Compared(NamedTuple):
    """A column as a tree compares it: numbers, or codes (-1: missing), and how many are missing.

    The code after the last known one stands for all texts that are not known. `ends` are the smallest and the largest
    number of every row where numbers became ranges.
    """

    values: Array
    gaps: int
    ends: tuple[Array, Array] | None = None


def compared(table: pl.DataFrame | Table, attribute: Mapping[str, Any]) -> Compared:
    """One column of a table, as an attribute of a forest.json describes it; a Table's own codes must fit."""
    name = attribute["name"]
    if isinstance(table, Table):
        values: Array = np.asarray(table.columns[name])
    elif "ranges" in attribute and storage_name(table[name].dtype) in TEXT_STORAGES:
        return _ranges(table[name], attribute["ranges"])
    elif attribute["kind"] == "numeric":
        values = numbers_of(table[name], attribute.get("precision"))
    else:
        values = _coded(table[name], tuple(attribute.get("values", ())))
    return Compared(values, int(np.count_nonzero(missing_values(values))))


def _ranges(column: pl.Series, attribute: Attribute) -> Compared:
    """Texts of ranges as numbers inside them; any other text is a range that holds nothing."""
    low, high = attribute.low or 0.0, attribute.high or 0.0
    texts, moments = texts_of(column), attribute if is_temporal(attribute.storage) else None
    cells = numeric_cells(texts, low, high, moments=moments)
    there = ~texts.is_null().to_numpy()
    strange = there & np.isnan(cells.values)
    ends = np.where(strange, np.inf, cells.low), np.where(strange, -np.inf, cells.high)
    return Compared(np.where(strange, 0.0, cells.values), int(np.count_nonzero(~there)), ends)


def _coded(column: pl.Series, known: tuple[str, ...]) -> Codes:
    """Codes of values by their texts."""
    import polars as pl

    if isinstance(column.dtype, pl.Enum | pl.Categorical):
        return _looked_up(column, known)
    texts = texts_of(column)
    coded = texts.cast(pl.Enum(known), strict=False)
    codes = _places(coded)
    if coded.null_count() == texts.null_count():
        return codes
    return np.where(texts.is_not_null().to_numpy() & (codes < 0), np.int32(len(known)), codes)


def _looked_up(column: pl.Series, known: tuple[str, ...]) -> Codes:
    """The same for a column that holds places in a list of categories: each text is looked up once."""
    import polars as pl

    present = column.drop_nulls().unique()
    places, codes = _places(present), _coded(present.cast(pl.String), known)
    of_place = np.full(int(places.max(initial=0)) + 2, -1, np.int32)
    of_place[places] = codes
    return np.asarray(of_place[_places(column)])


def _places(column: pl.Series) -> Codes:
    """Places in the list of categories, -1 for missing."""
    import polars as pl

    places = column.to_physical().cast(pl.Int32)
    return np.asarray((places.fill_null(-1) if places.null_count() else places).to_numpy())
