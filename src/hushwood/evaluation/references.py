"""What a release is compared with: the untouched table and pure noise.

Every number of a report stands beside what these two would score.
"""

from __future__ import annotations

from hushwood.random_streams import Streams
from hushwood.tables.even_draws import evenly_drawn
from hushwood.tables.table import Table, missing_values


def noise_table(original: Table, streams: Streams) -> Table:
    """A table of the same form whose values were drawn evenly from each column's domain: it knows nobody.

    A column without any value stays so.
    """
    schema = original.schema
    drawn = {
        name: evenly_drawn(schema[name], len(values), streams, "pure noise")
        for name, values in original.columns.items()
        if not missing_values(values).all()
    }
    return original.with_columns(drawn)
