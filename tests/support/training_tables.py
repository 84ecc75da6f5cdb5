"""Tables in the oracles' form and in the product's form, and the comparison of their trees node for node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hushwood.arrays import Array, Codes
from hushwood.tables.schema import Attribute
from oracles.small_table import Column, Table

Nodes = Sequence[Mapping[str, Any]]


def attributes_of(table: Table) -> tuple[Attribute, ...]:
    """The columns as the product's attributes."""
    return tuple(_attribute(table, position) for position in range(len(table.columns)))


def _attribute(table: Table, position: int) -> Attribute:
    name, values = table.columns[position]
    if values is not None:
        return Attribute(name, "categorical", storage="String", categories=values)
    known = [number for row in table.rows if (number := row[position]) is not None]
    return Attribute(name, "numeric", low=float(min(known, default=0)), high=float(max(known, default=0)))


def columns_of(table: Table) -> list[Array]:
    """The columns as the product's arrays."""
    return [
        np.array([np.nan if row[i] is None else row[i] for row in table.rows], dtype=np.float64)
        if column.values is None
        else np.array([-1 if row[i] is None else row[i] for row in table.rows], dtype=np.int32)
        for i, column in enumerate(table.columns)
    ]


def class_codes_of(table: Table) -> Codes:
    """The class of every row, -1 where it has none."""
    return np.array([-1 if label is None else label for label in table.labels], dtype=np.int32)


def small_table(
    attributes: Sequence[Attribute],
    columns: Sequence[Array],
    labels: Codes,
    classes: Sequence[str],
) -> Table:
    """The product's arrays as plain rows for the oracles."""
    plain = [
        [None if np.isnan(value) else float(value) for value in column.tolist()]
        if attribute.kind == "numeric"
        else [None if code < 0 else int(code) for code in column.tolist()]
        for attribute, column in zip(attributes, columns, strict=True)
    ]
    return Table(
        tuple(Column(a.name, None if a.kind == "numeric" else a.categories) for a in attributes),
        tuple(zip(*plain, strict=True)),
        tuple(None if label < 0 else int(label) for label in labels.tolist()),
        tuple(classes),
    )


def assert_same_nodes(found: Nodes, wanted: Nodes, tolerance: float = 1e-6) -> None:
    """Node for node: what `wanted` says of tests, branches, labels, and class weights."""
    for ours, theirs in zip(found, wanted, strict=False):
        for key in ("id", "test", "children", "missing_to", "label"):
            if key in theirs or key in {"test", "children"}:
                assert ours.get(key) == theirs.get(key), f"{key} of node {theirs['id']}: {ours} for {theirs}"
        if "counts" in theirs:
            np.testing.assert_allclose(ours["counts"], theirs["counts"], rtol=0, atol=tolerance)
    assert len(found) == len(wanted)
