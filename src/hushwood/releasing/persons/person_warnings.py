"""What a release of persons or households does not protect, or cannot keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from hushwood.releasing.persons.level_tables import links_across
from hushwood.releasing.plan import Plan
from hushwood.tables.persons.units import Level
from hushwood.tables.table import Table


def person_warnings(table: Table, released: Table, levels: Sequence[Level], plan: Plan) -> Iterator[str]:
    """The sentences."""
    top, name = levels[0], levels[0].column
    if not [a for a in table.schema.inputs if a.name in top.columns]:
        yield (
            f"No column is the same in all rows of every {name!r}, so no rule can keep its rows together and the whole "
            "table is one segment."
        )
    for names in links_across(table.schema, levels):
        yield (
            f"The link between {', '.join(names)} cannot be kept, because some of them are the same in all rows of a "
            "person or household and others are not."
        )
    rows = top.units.rows
    largest = int(rows.max(initial=1))
    if plan.row_order == "kept" and rows.min(initial=largest) < largest:
        yield (
            f"How many rows each {name!r} has is released as it is ({int(rows.min())} to {largest}), and some may be "
            "recognised by it; segment-shuffle hands these numbers out again too."
        )
    if largest > table.rows / 2 and top.units.count > 1:
        yield (
            f"One {name!r} has {largest:,} of the {table.rows:,} rows, so most of what the rows say is about it alone; "
            "leave it out, or release it by itself."
        )
    same = _unchanged(table, released, top, plan)
    if same:
        yield (
            f"{same:,} of {top.units.count:,} {name!r} are released unchanged in every row and column; a larger "
            "--min-leaf leaves fewer unchanged."
        )


def _unchanged(table: Table, released: Table, level: Level, plan: Plan) -> int:
    """How many units are released as they are; where rows have no order, they are so by chance."""
    if plan.row_order != "kept" or plan.copied(table.schema):
        return 0
    same = np.ones(table.rows, bool)
    for name, values in table.columns.items():
        new = released.columns[name]
        same &= (values == new) | ((values != values) & (new != new))
    return int((np.bincount(level.units.of_row, same) == level.units.rows).sum())
