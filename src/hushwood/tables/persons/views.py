"""One record for every person or household: what an intruder knows who knows all rows of one.

Columns that are constant in the original are the record's own. Of the others it has summaries: of numbers and dates the
mean, the smallest and the largest, of categories the most frequent and how many different ones; and the number of rows.
Where a release varies what was constant, the mean or the most frequent value stands for it: averages undo noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from hushwood.arrays import Array, Integers
from hushwood.tables.pairs.pairing import Pair
from hushwood.tables.persons.units import (
    Units,
    constant_columns,
    different,
    differing,
    largest_of,
    mean_of,
    most_frequent,
    smallest_of,
)
from hushwood.tables.schema import Attribute, Role, Schema
from hushwood.tables.table import Table

ROWS = "number of rows"


@dataclass(frozen=True, slots=True)
class View:
    """How units of a table are seen as records; `constant` are the columns that have one value in each."""

    schema: Schema
    constant: frozenset[str]
    varying: tuple[str, ...]
    rows: str

    @classmethod
    def of(cls, original: Table, units: Units) -> View:
        """The view of a table and of whatever is released of it."""
        schema = original.schema
        names = [a.name for a in schema.kept]
        constant = frozenset(constant_columns(original.columns, names, units))
        attributes: list[Attribute] = []
        for attribute in schema.kept:
            attributes.append(attribute)
            if attribute.name not in constant:
                attributes[-1] = _main(attribute)
                attributes += [] if attribute.role == "class" else _others(attribute, names)
        rows = unused(ROWS, names)
        if len(np.unique(units.rows)) > 1:
            role: Role = "quasi-identifier" if schema.in_role("quasi-identifier") else "ordinary"
            most = float(units.rows.max())
            attributes.append(Attribute(rows, "numeric", role, "Int64", 1.0, most, 0))
        varying = tuple(name for name in names if name not in constant)
        return cls(Schema(tuple(attributes), schema.main), constant, varying, rows)

    def on(self, table: Table, units: Units) -> Table:
        """The units of a table in the form of the original's."""
        columns: dict[str, Array] = {}
        for name in (*self.constant, *self.varying):
            column = table.columns[name]
            columns[name] = _value(column, units)
            if name in self.varying:
                columns |= dict(
                    zip(_names(name, list(table.columns)), _summaries(column, units), strict=True)
                )
        columns[self.rows] = units.rows.astype(np.float64)
        held = {name: columns[name] for name in self.schema.names}
        return Table(self.schema, held, pl.DataFrame(height=units.count), units.count)


def unit_pair(
    pair: Pair, original: Units, released: Units, partner: Integers | None, holdout: Units | None = None
) -> Pair:
    """Two tables as records of units; `partner` is the released unit of every original one."""
    view = View.of(pair.original, original)
    outside = None if pair.holdout is None or holdout is None else view.on(pair.holdout, holdout)
    return Pair(
        view.on(pair.original, original),
        view.on(pair.released, released),
        partner,
        pair.match,
        outside,
        left_out=pair.left_out,
        notes=pair.notes,
        made_up=pair.made_up,
    )


def _value(column: Array, units: Units) -> Array:
    """The value of every unit; where it has several, the mean or the most frequent one."""
    first = column[units.first]
    varies = np.zeros(units.count, bool)
    varies[units.of_row[differing(column, units)]] = True
    if not varies.any():
        return first
    summary = mean_of if column.dtype.kind == "f" else most_frequent
    return np.where(varies, summary(column, units), first).astype(column.dtype)


def _main(attribute: Attribute) -> Attribute:
    """The mean or the most frequent value, under the name of the column."""
    if attribute.kind == "categorical":
        return attribute
    return replace(attribute, storage="Float64", precision=None)


def _others(attribute: Attribute, taken: Sequence[str]) -> list[Attribute]:
    """The other summaries of a column."""
    names = _names(attribute.name, taken)
    if attribute.kind == "numeric":
        return [replace(attribute, name=name, weight=False) for name in names[:2]]
    most = float(max(len(attribute.categories), 1))
    return [Attribute(names[2], "numeric", attribute.role, "Int64", 0.0, most, 0)]


def _names(name: str, taken: Sequence[str]) -> list[str]:
    return [unused(f"{name} ({what})", taken) for what in ("smallest", "largest", "different")]


def _summaries(column: Array, units: Units) -> list[Array]:
    if column.dtype.kind == "f":
        return [smallest_of(column, units), largest_of(column, units), np.zeros(units.count)]
    return [np.zeros(0), np.zeros(0), different(column, units)]


def unused(name: str, taken: Sequence[str]) -> str:
    """A name that no column has.

    >>> unused("rows", ["rows", "age"])
    'rows '
    """
    while name in taken:
        name += " "
    return name
