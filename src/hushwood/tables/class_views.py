"""A table seen with another class: one of several that are declared, or a column that nobody declared as one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hushwood.tables.columns.class_column import RESPONSE_BINS, equal_bins
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table


def schema_for_class(table: Table, name: str) -> Schema:
    """The schema in which the named column is the class that is looked at; a column of numbers becomes a response."""
    attribute = table.schema[name]
    if attribute.role == "class":
        return replace(table.schema, main=name)
    bins: tuple[float, ...] = ()
    if attribute.kind == "numeric":
        values = np.asarray(table.columns[name], np.float64)
        bins = equal_bins(values[~np.isnan(values)], RESPONSE_BINS)
    return replace(table.schema.with_attribute(replace(attribute, role="class", bins=bins)), main=name)


def for_class(table: Table, name: str) -> Table:
    """The same records with the named column as the class that is looked at."""
    return replace(table, schema=schema_for_class(table, name))
