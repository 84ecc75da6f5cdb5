"""What a release of persons or households does not protect, or cannot keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from hushwood.arrays import Array, Integers
from hushwood.releasing.persons.level_tables import links_across
from hushwood.releasing.perturbed import ReleasedUnits
from hushwood.releasing.plan import Plan
from hushwood.tables.links.links import Order
from hushwood.tables.links.numbers import is_date
from hushwood.tables.persons.units import UnitLevel
from hushwood.tables.table import Table


def person_warnings(
    table: Table, released: Table, levels: Sequence[UnitLevel], held: ReleasedUnits, plan: Plan
) -> Iterator[str]:
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
    yield from _of_spans(table, released, levels, held)
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


def _of_spans(
    table: Table, released: Table, levels: Sequence[UnitLevel], held: ReleasedUnits
) -> Iterator[str]:
    """Rows of one person that overlap in time, by dates of which one is never after the other."""
    own = set(levels[-1].columns)
    after = np.arange(table.rows) if held.of_row is None else held.of_row
    for link in table.schema.links:
        first, last = link.columns[0], link.columns[-1]
        dates = all(is_date(table.schema[name]) for name in (first, last)) if {first, last} <= own else False
        if not (isinstance(link, Order) and dates):
            continue
        before = overlapping(table.columns[first], table.columns[last], levels[0].units.of_row)
        now = overlapping(released.columns[first], released.columns[last], after)
        if now > before:
            yield (
                f"{now:,} rows begin ({first}) before another row of the same {levels[0].column!r} has ended ({last}); "
                f"in the original {before:,} do. Dates of different rows are not kept apart."
            )


def overlapping(start: Array, end: Array, units: Integers) -> int:
    """Rows of a unit that begin before an earlier one has ended; those without both dates count for nothing.

    >>> overlapping(np.array([1.0, 4.0, 2.0]), np.array([3.0, 5.0, 6.0]), np.array([0, 0, 1]))
    0
    >>> overlapping(np.array([1.0, 4.0, 2.0]), np.array([3.0, 5.0, 6.0]), np.array([0, 0, 0]))
    2
    """
    known = np.flatnonzero(~(np.isnan(start) | np.isnan(end)))
    if not len(known):
        return 0
    order = known[np.lexsort((end[known], start[known], units[known]))]
    # Each unit in a span of time of its own, so that one running maximum serves all.
    apart = units[order] * (float(np.max(end[known]) - np.min(start[known])) + 1.0)
    latest = np.maximum.accumulate(end[order] + apart)
    return int((start[order][1:] + apart[1:] < latest[:-1]).sum())


def _unchanged(table: Table, released: Table, level: UnitLevel, plan: Plan) -> int:
    """How many units are released as they are; where rows have no order, they are so by chance."""
    if plan.row_order != "kept" or plan.copied(table.schema):
        return 0
    same = np.ones(table.rows, bool)
    for name, values in table.columns.items():
        new = released.columns[name]
        same &= (values == new) | ((values != values) & (new != new))
    return int((np.bincount(level.units.of_row, same) == level.units.rows).sum())
