"""Rows that a key column identifies: their roles, their order, and what is said of them in a release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hushwood.arrays import Integers
from hushwood.random_streams import Rows, Streams
from hushwood.releasing.forest_for import sampled_rows
from hushwood.tables.frames.storage import column_of
from hushwood.tables.reading import Reading, declared_columns
from hushwood.tables.row_keys import check_there, row_ids
from hushwood.tables.table import Table

ROW_KEY = "row_key"


@dataclass(frozen=True, slots=True)
class InKeyOrder:
    """A table in the order of its rows' ids, and the place of every row before; None if positions identify rows."""

    reading: Reading
    ids: Integers | None = None
    places: Integers | None = None

    @property
    def row_ids(self) -> Rows:
        """What random streams know the rows by."""
        return range(self.reading.table.rows) if self.ids is None else self.ids

    def original_rows(self, order: Integers | None) -> Integers | None:
        """The original row of every row that is released in this order; None if that is the original's order."""
        if self.places is None:
            return order
        return self.places if order is None else self.places[order]


def in_key_order(reading: Reading, row_key: str | None, streams: Streams) -> InKeyOrder:
    """The table in the order of the ids that its key column gives the rows; as it is without one."""
    if row_key is None:
        return InKeyOrder(reading)
    ids, places = _ids_and_places(reading.table, row_key, streams)
    return InKeyOrder(replace(reading, table=reading.table.take(places)), ids, places)


def _ids_and_places(table: Table, row_key: str, streams: Streams) -> tuple[Integers, Integers]:
    check_there(row_key, table.schema.names)
    ids = row_ids(column_of(table, table.schema[row_key]).alias(row_key), streams)
    places = np.argsort(ids)
    return ids[places], places


def sampled_by_key(table: Table, row_key: str | None, most: int, streams: Streams) -> Integers | None:
    """The rows that a release learnt from, in the order in which it did; None for all rows in their order."""
    if row_key is None:
        return sampled_rows(range(table.rows), most, streams)
    ids, places = _ids_and_places(table, row_key, streams)
    sample = sampled_rows(ids, most, streams)
    return places if sample is None else places[sample]


def with_row_key(arguments: Mapping[str, Any], row_key: str | None) -> dict[str, Any]:
    """The arguments of `reading.read`; the key column identifies people, unless it is given another role."""
    if row_key is None:
        return dict(arguments)
    target = arguments.get("target") or ()
    roles = dict(arguments.get("roles") or {})
    declared = declared_columns(arguments.get("schema")).get(row_key, {})
    if row_key not in ((target,) if isinstance(target, str) else target) and "role" not in declared:
        roles.setdefault(row_key, "identifier")
    return {**arguments, "roles": roles}


def named_key(row_key: str | None) -> dict[str, Any]:
    """What the private plan says of the key column."""
    return {} if row_key is None else {ROW_KEY: row_key}


def said_of_key(row_key: str | None) -> dict[str, Any]:
    """What the manifest says: that there is a key column, but not which; its name may describe people."""
    return {} if row_key is None else {"rows_identified_by": "a key column"}
