"""A table as arrays: the one form that trees, techniques and measures work on.

Files and frames become tables, and tables become files and frames again, in `files` and `frames`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.kernel_doors import check_indices
from hushwood.tables.schema import Schema

if TYPE_CHECKING:
    import polars as pl

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Table:
    """Columns as arrays, in the order of the schema.

    Numeric attributes are float64 with NaN for missing; categorical ones, the class among them, are int32
    codes into the schema's categories with -1 for missing. Identifiers and ignored columns are only in
    `carried`. Arrays may share memory with the frame they came from and then are read-only. `source` is the
    frame that was read, if it was not a file: a release goes out as the same kind of frame.
    """

    schema: Schema
    columns: Mapping[str, Array]
    carried: pl.DataFrame
    rows: int
    source: Any = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        for attribute in self.schema.kept:
            if attribute.kind == "categorical" and attribute.name in self.columns:
                codes, known = self.columns[attribute.name], len(attribute.categories)
                check_indices(f"Codes of column {attribute.name!r}", codes, known, least=-1)

    def with_columns(self, columns: Mapping[str, Array], schema: Schema | None = None) -> Table:
        """The same table with some columns replaced, and the schema too if they have other categories."""
        return replace(self, columns={**self.columns, **columns}, schema=schema or self.schema)

    def take(self, rows: Array) -> Table:
        """The chosen rows, in the order given."""
        columns = {name: values[rows] for name, values in self.columns.items()}
        carried = self.carried[rows] if self.carried.width else self.carried
        return replace(self, columns=columns, carried=carried, rows=len(rows))


def class_labels(table: Table) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Class code of every record (-1: missing) and the class names; a binned class gives its bins."""
    attribute = table.schema.class_attribute
    if attribute is None:
        raise InputError("No class column is set; name it with --class (or target= in Python).")
    names = bin_names(attribute.bins) if attribute.bins else attribute.categories
    return label_columns(table.schema, table.columns)[attribute.name], names


def label_columns(schema: Schema, columns: Mapping[str, Array]) -> dict[str, Array]:
    """The same columns, with a binned class as the codes of its bins: what trees see."""
    attribute = schema.class_attribute
    if attribute is None or not attribute.bins or attribute.name not in columns:
        return dict(columns)
    values = np.array([float(c) for c in attribute.categories])
    bin_of_category = np.append(np.searchsorted(attribute.bins, values, side="left"), -1).astype(np.int32)
    return {**columns, attribute.name: bin_of_category[columns[attribute.name]]}


def bin_names(bins: tuple[float, ...]) -> tuple[str, ...]:
    """Readable names of the groups below, between and above the limits.

    >>> bin_names((10.0, 20.0))
    ('<= 10', '10 - 20', '> 20')
    """
    text = [f"{limit:.15g}" for limit in bins]
    between = [f"{low} - {high}" for low, high in pairwise(text)]
    return (f"<= {text[0]}", *between, f"> {text[-1]}")


def missing_values(column: Array) -> NDArray[np.bool_]:
    """Which values of a column are missing: NaN in a numeric one, a negative code in a categorical one."""
    return np.isnan(column) if column.dtype.kind == "f" else column < 0
