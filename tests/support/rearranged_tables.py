"""The same table written differently: rows or columns in another order, numbers in another unit, arrays locked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from hushwood.arrays import Array
from hushwood.tables.domains import from_steps, to_steps
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table


def shuffled_rows(table: Table, seed: int) -> Table:
    return table.take(np.random.default_rng(seed).permutation(table.rows))


def shuffled_columns(table: Table, seed: int) -> Table:
    order = np.random.default_rng(seed).permutation(len(table.schema.attributes))
    attributes = tuple(table.schema.attributes[i] for i in order)
    columns = {a.name: table.columns[a.name] for a in attributes if a.name in table.columns}
    return replace(table, schema=Schema(attributes), columns=columns)


def column_by_column_shuffled(table: Table, seed: int) -> Table:
    """Every column in an order of its own: nothing goes together any more."""
    draw = np.random.default_rng(seed)
    return table.with_columns({name: draw.permutation(values) for name, values in table.columns.items()})


def in_another_unit(table: Table, factor: float, offset: float) -> Table:
    """All numeric columns times a factor plus an offset, and their domains with them; grids stay as they are."""

    def moved(values: Array, precision: int | None) -> Array:
        return values * factor + offset

    return _moved(table, moved, 0)


def in_tenths(table: Table) -> Table:
    """All numeric columns divided by ten, with one decimal more: the same grid in a unit ten times as large."""

    def moved(values: Array, precision: int | None) -> Array:
        if precision is None:
            return values / 10
        return from_steps(to_steps(values, precision), precision + 1)

    return _moved(table, moved, 1)


def _moved(table: Table, moved: Callable[[Array, int | None], Array], decimals: int) -> Table:
    schema, columns = table.schema, dict(table.columns)
    for attribute in schema.attributes:
        if attribute.kind == "numeric":
            ends = np.sort(moved(np.array([attribute.low, attribute.high], np.float64), attribute.precision))
            precision = None if attribute.precision is None else attribute.precision + decimals
            schema = schema.with_attribute(
                replace(attribute, low=float(ends[0]), high=float(ends[1]), precision=precision)
            )
            columns[attribute.name] = moved(columns[attribute.name], attribute.precision)
    return replace(table, schema=schema, columns=columns)


def locked(table: Table) -> Table:
    """A copy whose arrays cannot be written to."""
    columns = {name: values.copy() for name, values in table.columns.items()}
    for values in columns.values():
        values.flags.writeable = False
    return replace(table, columns=columns)
