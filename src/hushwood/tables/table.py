"""A table as arrays: the form that trees, techniques and measures work on.

A column may hold survey weights: how many people of the population each record stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats, Integers, check_indices
from hushwood.errors import InputError
from hushwood.tables.schema import Attribute, Schema

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Table:
    """Columns as arrays, in the order of the schema.

    Numeric attributes are float64 with NaN for missing; categorical ones, the class included, are int32 codes into the
    schema's categories with -1 for missing. Identifiers and ignored columns are only in `carried`. Arrays may share
    memory with the frame they came from; they are then read-only. `groups` numbers rows alike that may be one person's
    although each is said to be another person. `source` is the frame that was read, if it was not a
    file: the release is returned as the same kind of frame.
    """

    schema: Schema
    columns: Mapping[str, Array]
    carried: pl.DataFrame
    rows: int
    source: Any = field(default=None, repr=False, compare=False)
    groups: Integers | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        for attribute in self.schema.kept:
            if attribute.kind == "categorical" and attribute.name in self.columns:
                codes, known = self.columns[attribute.name], len(attribute.categories)
                check_indices(f"Codes of column {attribute.name!r}", codes, known, least=-1)

    def with_columns(self, columns: Mapping[str, Array], schema: Schema | None = None) -> Table:
        """The same table with some columns replaced; give the schema too if their categories change."""
        return replace(self, columns={**self.columns, **columns}, schema=schema or self.schema)

    def to_frame(self) -> pl.DataFrame:
        """The table as a Polars frame, identifiers included; `to_pandas()` makes it a pandas one."""
        from hushwood.tables.frames.storage import frame_from_table

        return frame_from_table(self, identifiers=True)

    def __repr__(self) -> str:
        predicted = ", ".join(repr(a.name) for a in self.schema.classes)
        of = f", class {predicted}" if predicted else ""
        return f"<Table: {self.rows:,} rows, {len(self.schema.attributes)} columns{of}>"

    if TYPE_CHECKING:  # given to it in `hushwood.notebooks`

        def plot(self, column: str = "") -> Any:
            """An Altair chart of the values of one column, or of all."""

    @property
    def weights(self) -> Floats | None:
        """The survey weight of every record, None if no column holds one; a missing weight, or one below 0, is 0."""
        attribute = self.schema.weight
        if attribute is None:
            return None
        if attribute.name in self.columns:
            column = self.columns[attribute.name]
        else:
            column = weight_numbers(self.carried[attribute.name])
        return np.asarray(np.maximum(np.nan_to_num(column, nan=0.0), 0.0), np.float64)

    def take(self, rows: Array) -> Table:
        """The chosen rows, in the order given."""
        columns = {name: values[rows] for name, values in self.columns.items()}
        carried = self.carried[rows] if self.carried.width else self.carried
        groups = None if self.groups is None else self.groups[rows]
        return replace(self, columns=columns, carried=carried, rows=len(rows), groups=groups)


def class_labels(table: Table) -> tuple[Codes, tuple[str, ...]]:
    """Class code of every record (-1: missing) and the class names; a binned class has its bins as names."""
    attribute = table.schema.class_attribute
    if attribute is None:
        raise InputError("No class column is set. Name it with --class.")
    return class_codes(attribute, table.columns[attribute.name]), label_names(attribute)


def label_names(attribute: Attribute) -> tuple[str, ...]:
    """What the codes of a labelled column stand for: its bins if it has some, else its categories."""
    if attribute.kind == "numeric" and not attribute.bins:
        return ("all",)
    return bin_names(attribute.bins) if attribute.bins else attribute.categories


def label_columns(schema: Schema, columns: Mapping[str, Array]) -> dict[str, Array]:
    """The columns as trees see them: a binned class becomes the codes of its bins; a response stays a number."""
    binned = (a for a in schema.classes if a.bins and not a.response and a.name in columns)
    return {**columns, **{a.name: class_codes(a, columns[a.name]) for a in binned}}


def class_codes(attribute: Attribute, column: Array) -> Codes:
    """The class codes of a column, -1 where the class is missing."""
    if not attribute.bins and attribute.kind == "categorical":
        return column
    if attribute.kind == "numeric":
        return np.where(np.isnan(column), -1, np.searchsorted(attribute.bins, column, side="left")).astype(
            np.int32
        )
    values = np.array([float(c) for c in attribute.categories])
    bin_of_category = np.append(np.searchsorted(attribute.bins, values, side="left"), -1).astype(np.int32)
    return bin_of_category[column]


def bin_names(bins: tuple[float, ...]) -> tuple[str, ...]:
    """Readable names of the bins below, between and above the limits.

    >>> bin_names((10.0, 20.0))
    ('<= 10', '10 - 20', '> 20')
    """
    text = [f"{limit:.15g}" for limit in bins]
    between = [f"{low} - {high}" for low, high in pairwise(text)]
    return (f"<= {text[0]}", *between, f"> {text[-1]}")


def missing_values(column: Array) -> Flags:
    """Which values of a column are missing: NaN in a numeric column, a negative code in a categorical one."""
    return np.isnan(column) if column.dtype.kind == "f" else column < 0


def with_present_categories(table: Table, attributes: Iterable[Attribute] | None = None) -> Table:
    """The same records with only the categories that occur, so that the names of absent values are not published."""
    schema, columns = table.schema, {}
    for attribute in table.schema.kept if attributes is None else attributes:
        if attribute.kind == "numeric":
            continue
        codes = table.columns[attribute.name]
        held = np.bincount(codes + 1, minlength=len(attribute.categories) + 1)[1:]
        if held.all():
            continue
        # Missing values have the code -1, which picks the last of the new codes.
        new = np.append(np.cumsum(held > 0) - 1, -1).astype(np.int32)
        categories = tuple(name for name, count in zip(attribute.categories, held, strict=True) if count)
        schema = schema.with_attribute(replace(attribute, categories=categories))
        columns[attribute.name] = new[codes]
    return table.with_columns(columns, schema)


def weight_numbers(column: pl.Series) -> Floats:
    """The weights of a column as numbers, NaN where missing; a column that is dropped may have been read as texts."""
    import polars as pl

    if not (column.dtype.is_numeric() or isinstance(column.dtype, pl.String | pl.Null)):
        raise _no_numbers(column.name, f"{column.dtype} values")
    numbers = column.cast(pl.Float64, strict=False)
    odd = column.filter(numbers.is_null() & column.is_not_null())
    if len(odd):
        raise _no_numbers(column.name, repr(odd[0]))
    return np.array(numbers.fill_null(np.nan), np.float64)


def check_weights(column: pl.Series) -> None:
    """Refuse weights that are not numbers, below 0, or all 0; missing ones count as 0."""
    numbers = weight_numbers(column)
    known = numbers[~np.isnan(numbers)]
    if not np.isfinite(known).all():
        raise InputError(f"Column {column.name!r} contains infinite weights. Correct them.")
    if (known < 0).any():
        raise InputError(
            f"Column {column.name!r} contains the weight {known.min():g}, and no record can stand for fewer than 0 "
            "people. Correct it, or name another column with --weight."
        )
    if not (known > 0).any():
        raise InputError(
            f"Column {column.name!r} has no weight above 0, so no record counts. Name another column with --weight."
        )


def _no_numbers(name: str, found: str) -> InputError:
    return InputError(
        f"Column {name!r} is declared as the weight, but contains {found}. Weights are numbers; name another column "
        "with --weight."
    )
