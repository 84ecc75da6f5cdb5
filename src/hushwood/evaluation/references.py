"""Pure noise, which every release is compared with in addition to the untouched table."""

from __future__ import annotations

from hushwood.random_streams import Streams
from hushwood.tables.domains import evenly_drawn
from hushwood.tables.table import Table, missing_values


def noise_table(original: Table, streams: Streams) -> Table:
    """A table of the same form with values drawn evenly from each column's domain, so that it contains no person.

    A column without any value stays empty.
    """
    schema = original.schema
    drawn = {
        name: evenly_drawn(schema[name], len(values), streams, "pure noise")
        for name, values in original.columns.items()
        if not missing_values(values).all()
    }
    return original.with_columns(drawn)
