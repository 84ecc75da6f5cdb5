"""The released table: every column recoded, with the schema that its new values need.

Tested columns become the parts that `recoding` found, all others one value; the response stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.random_streams import Streams
from hushwood.tables.category_labels import MISSING
from hushwood.tables.schema import Attribute
from hushwood.tables.storage import TEXT_STORAGES
from hushwood.tables.table import Table
from hushwood.tree_publishing.column_maps import ColumnMap, Part
from hushwood.tree_publishing.growth import midpoint
from hushwood.tree_publishing.hidden_mean import hidden_mean
from hushwood.tree_publishing.intervals import Floats, anchored_values, shifted_values
from hushwood.tree_publishing.recoding import Recoding
from hushwood.tree_publishing.records import Records
from hushwood.tree_publishing.value_groups import group_labels

_MISSING = -1
# Columns of these types can hold labels.
_OPEN_STORAGES = TEXT_STORAGES - {"Enum"}


@dataclass(frozen=True, slots=True)
class Column:
    """A released column: its attribute, its values, and what they stand for.

    `released_code` is the new code of every original category, in the order of the records' categories.
    """

    attribute: Attribute
    values: NDArray[Any]
    map: ColumnMap
    released_code: NDArray[np.int32] | None = None


def released_columns(
    table: Table, records: Records, recodings: Mapping[int, Recoding], anchored: bool, streams: Streams
) -> dict[str, Column]:
    """All columns but the response, recoded."""
    columns: dict[str, Column] = {}
    for a, attribute in enumerate(records.attributes):
        known, recoding = records.values[a], recodings[a]
        if known is None:
            columns[attribute.name] = _values(attribute, table, records.codes[a], recoding, streams)
        else:
            columns[attribute.name] = _numbers(
                attribute, known, records.codes[a], recoding, anchored, streams
            )
    for attribute in table.schema.inputs:
        if attribute.name not in columns:
            columns[attribute.name] = suppressed(attribute, table.columns[attribute.name], streams)
    return columns


def released_table(table: Table, columns: Mapping[str, Column]) -> Table:
    """The table with its columns and their attributes replaced."""
    schema = table.schema
    for column in columns.values():
        schema = schema.with_attribute(column.attribute)
    new = {name: column.values for name, column in columns.items()}
    return table.with_columns(new, schema)


def suppressed(attribute: Attribute, column: NDArray[Any], streams: Streams) -> Column:
    """A column that no tree tests: a number near its mean or one label for all, missing values too."""
    rows = len(column)
    if attribute.kind == "categorical":
        present, held = np.unique(column, return_counts=True)
        names = [attribute.categories[code] if code >= 0 else MISSING for code in present.tolist()]
        gone = 0 if present[0] < 0 else None
        return _recoded(attribute, names, gone, np.zeros(rows, np.int64), Recoding.untested(held))
    known = column[~np.isnan(column)]
    value = hidden_mean(known, attribute, streams)
    only = ColumnMap(attribute.name, False, len(np.unique(known)), 1, (Part(value, rows),))
    return Column(_bounded(attribute, np.array([value])), np.full(rows, value), only)


def _numbers(
    attribute: Attribute,
    known: Floats,
    ranks: NDArray[Any],
    recoding: Recoding,
    anchored: bool,
    streams: Streams,
) -> Column:
    found = recoding.intervals
    if found is None:
        return suppressed(attribute, known[ranks], streams)
    if anchored:
        new = anchored_values(found, known)
    else:
        new = shifted_values(found, recoding.boundaries, known, recoding.records, attribute)
    ends = [midpoint(float(known[i]), float(known[i + 1])) for i in found.last[:-1].tolist()]
    held = np.add.reduceat(recoding.records, found.first)
    parts = tuple(
        Part(value, count, low, high)
        for value, count, low, high in zip(
            new.tolist(), held.tolist(), [None, *ends], [*ends, None], strict=True
        )
    )
    map_ = ColumnMap(attribute.name, True, len(known), len(new), parts)
    return Column(_bounded(attribute, new), new[recoding.part_of_value][ranks], map_)


def _values(
    attribute: Attribute, table: Table, codes: NDArray[Any], recoding: Recoding, streams: Streams
) -> Column:
    original = table.schema[attribute.name]
    if not recoding.tested:
        return suppressed(original, table.columns[attribute.name], streams)
    known = len(original.categories)
    gone = known if len(attribute.categories) > known else None
    return _recoded(original, attribute.categories, gone, codes, recoding)


def _recoded(
    attribute: Attribute, names: Sequence[str], gone: int | None, codes: NDArray[Any], recoding: Recoding
) -> Column:
    """Categories as their groups' labels, `gone` being the place of the missing ones; alone these stay missing.

    Of an untested column nothing but the label is told.
    """
    groups = recoding.part_of_value
    labels, sizes = group_labels(groups, names), np.bincount(groups)
    alone = int(groups[gone]) if gone is not None and sizes[groups[gone]] == 1 else None
    told = [label for group, label in enumerate(labels) if group != alone]
    vocabulary = tuple(dict.fromkeys([*(attribute.categories if recoding.tested else ()), *told]))
    code_of_group = [
        _MISSING if group == alone else vocabulary.index(label) for group, label in enumerate(labels)
    ]
    released_code = np.array(code_of_group, np.int32)[groups]
    merged = bool((sizes > 1).any())
    storage = "String" if merged and attribute.storage not in _OPEN_STORAGES else attribute.storage
    held = np.bincount(groups, recoding.records).astype(np.int64).tolist()
    parts = tuple(
        Part(
            None if g == alone else label,
            held[g],
            values=_members(names, groups, g) if recoding.tested else (),
        )
        for g, label in enumerate(labels)
    )
    before, after = int((recoding.records > 0).sum()), sum(count > 0 for count in held)
    return Column(
        replace(attribute, storage=storage, categories=vocabulary),
        released_code[codes],
        ColumnMap(attribute.name, recoding.tested, before, after, parts),
        released_code,
    )


def _members(names: Sequence[str], groups: NDArray[np.int64], group: int) -> tuple[str, ...]:
    return tuple(name for name, own in zip(names, groups.tolist(), strict=True) if own == group)


def _bounded(attribute: Attribute, new: Floats) -> Attribute:
    """The attribute with the domain of its released values: the original's extremes are nobody's business."""
    if np.isnan(new).all():
        return attribute
    return replace(attribute, low=float(new.min()), high=float(new.max()))
