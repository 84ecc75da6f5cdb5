"""What the released values of a published table stand for: the owner's plan says it of numbers, the manifest of labels.

For measures of generalisation, which would otherwise take every released number for an exact one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.tables.recoding.cells import Generalised, labels_to_explain
from hushwood.tables.table import Table

if TYPE_CHECKING:
    from hushwood.tree_publishing.publish import Published

Triples = list[tuple[float, float, float]]


def intervals_behind(original: Table, published: Published) -> dict[str, Triples]:
    """By column of numbers: every released number with the smallest and the largest that it stands for.

    A column that no tree tests could be anything in its domain.
    """
    found: dict[str, Triples] = {}
    for column in published.columns:
        attribute = original.schema[column.name]
        if attribute.kind != "numeric":
            continue
        before, after = original.columns[column.name], published.table.columns[column.name]
        known = ~np.isnan(before) & ~np.isnan(after)
        values, place = np.unique(after[known], return_inverse=True)
        low, high = np.full(len(values), np.inf), np.full(len(values), -np.inf)
        np.minimum.at(low, place, before[known])
        np.maximum.at(high, place, before[known])
        if not column.tested and attribute.low is not None and attribute.high is not None:
            low[:], high[:] = attribute.low, attribute.high
        found[column.name] = list(zip(values.tolist(), low.tolist(), high.tolist(), strict=True))
    return found


def label_key(original: Table, published: Published) -> dict[str, dict[str, tuple[str, ...]]]:
    """By column, the categories that labels stand for which do not explain themselves."""
    found = {
        column.name: labels_to_explain(
            {
                part.released: part.values
                for part in column.parts
                if isinstance(part.released, str) and part.values
            },
            original.schema[column.name].categories,
        )
        for column in published.columns
    }
    return {name: key for name, key in found.items() if key}


def cells_behind(said: Mapping[str, Sequence[Sequence[float]]], released: Table) -> dict[str, Generalised]:
    """What the numbers of a released table stand for, by what the plan says of them."""
    found: dict[str, Generalised] = {}
    for name, triples in said.items():
        if not triples or name not in released.columns or released.schema[name].kind != "numeric":
            continue
        values, low, high = np.array(triples, np.float64).T
        column = np.asarray(released.columns[name], np.float64)
        place = _nearest(values, column)
        low, high = (np.where(np.isnan(column), np.nan, end[place]) for end in (low, high))
        found[name] = Generalised.of_ends(low, high, released.schema[name])
    return found


def _nearest(values: Floats, wanted: Floats) -> Integers:
    """The place of the nearest of some ascending values."""
    after = np.clip(np.searchsorted(values, wanted), 0, len(values) - 1)
    before = np.maximum(after - 1, 0)
    return np.where(np.abs(wanted - values[before]) < np.abs(values[after] - wanted), before, after)
