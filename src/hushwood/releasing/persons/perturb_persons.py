"""A table in which several rows belong to one person, perturbed level by level.

Households or persons, whichever are outermost, are the records that trees are grown on: they test only columns that
are constant there, so all rows of a unit are in one segment. Every column is perturbed on the table of the highest
level at which it is constant, and copied to the rows below. Where values are handed out again, columns of a lower level
are proposed given those already released above, and numbers of rows are handed out too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from hushwood.arrays import Array, Integers
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.releasing.forest_for import Learning, forest_behind, sampled_rows
from hushwood.releasing.linking import check_tests, for_trees, linked_columns
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.persons.levels import (
    PURPOSE,
    LevelRelease,
    LevelWork,
    for_level,
    growing_table,
    level_tables,
    links_across,
    said_of_level,
)
from hushwood.releasing.perturbed import Learnt, Perturbed, ReleasedUnits
from hushwood.releasing.plan import Plan
from hushwood.releasing.planning import for_forest, make_plan
from hushwood.segments.partition import (
    Found,
    LeafKeys,
    SegmentIndex,
    reached,
    segments_at,
    tested_columns,
    whole_table,
)
from hushwood.segments.segments import Segments
from hushwood.stages import Stage, silent
from hushwood.tables.links.links import Order
from hushwood.tables.links.numbers import is_date
from hushwood.tables.persons.units import UnitLevel, levels_of
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest


def perturb_persons(
    table: Table,
    options: PerturbOptions,
    streams: Streams,
    forest: Forest | None = None,
    stage: Stage = silent,
    row_ids: Integers | None = None,
) -> Perturbed:
    """Perturb a table whose persons or households are its records."""
    levels = levels_of(table)
    units = levels[0].units
    options = options.with_noise_of(table.schema).settled(table, units.count)
    options = replace(options, k=options.smallest_segment(units.count))
    plan = make_plan(options, table.schema, units.count)
    ids = np.arange(table.rows) if row_ids is None else row_ids
    stage("growing the forest", 0, 1)
    forest, warnings = _forest(table, levels[0], plan, options, streams, forest, ids)
    plan = for_forest(plan, forest, table.schema)
    segments, index = _segments(table, plan, forest, options)
    work = LevelWork(table, options, plan, forest, segments, index, ids, units.count)
    made = work.all_levels(levels, streams, stage)
    released, held = _put_together(table, levels, made, streams, ids)
    steps = tuple(step for one in made for step in one.said)
    said = [sentence for one in made for sentence in one.warnings]
    said += person_warnings(table, released, levels, held, plan)
    learnt = made[0].fit.learnt if made[0].fit else Learnt(units.count, units.count)
    return Perturbed(
        released,
        options,
        replace(plan, steps=steps, links=tuple(link for one in made for link in one.links)),
        forest,
        segments,
        tuple(replace(s, segment_ids=segments.ids) for one in made if one.fit for s in one.fit.prepared),
        learnt,
        warnings=tuple(dict.fromkeys((*warnings, *said))),
        untouched={name: count for one in made for name, count in one.untouched.items()},
        exact_laws=False,
        units=held,
    )


def made_again(table: Table, released: Table, options: PerturbOptions, forest: Forest) -> Perturbed:
    """How a release was made, as far as it is known without the key; nothing is known of single rows."""
    levels = levels_of(table)
    units = levels[0].units
    plan = for_forest(make_plan(options, table.schema, units.count), forest, table.schema)
    tables = level_tables(table, levels, hidden=False)
    steps = [step for one in tables for step in said_of_level(for_level(plan, one.own, 1), one, plan)]
    segments, held = _segments(table, plan, forest, options)[0], ReleasedUnits(levels[0].column, units)
    learnt = Learnt(units.count, units.count)
    plan = replace(plan, steps=tuple(steps))
    return Perturbed(released, options, plan, forest, segments, (), learnt, exact_laws=False, units=held)


def _forest(
    table: Table,
    level: UnitLevel,
    plan: Plan,
    options: PerturbOptions,
    streams: Streams,
    forest: Forest | None,
    ids: Integers,
) -> tuple[Forest, tuple[str, ...]]:
    """The forest on units, which tests only columns that are constant in them."""
    growing = growing_table(table, level)
    if not growing.schema.kept:
        raise InputError(
            f"No column is the same in all rows of every {level.column!r}, and no class is named, so there is nothing "
            "to learn rules from; name the class with --class."
        )
    sample = sampled_rows(ids[level.units.first], options.forest_rows, streams)
    growing = growing if sample is None else growing.take(sample)
    drawn = ids[level.units.first] if options.drawn else None
    known_by = drawn if drawn is None or sample is None else drawn[sample]
    own = for_level(plan, level.columns, 1)
    linked = linked_columns(growing.schema, own, [growing.columns], growing.columns)
    if forest is None:
        learning = Learning(for_trees(growing, linked), level.units.count, known_by)
        return forest_behind(learning, plan, options, streams, None)
    check_tests(forest, linked)
    varying = sorted(tested_columns(forest, table.columns).keys() - set(level.columns))
    if varying:
        raise InputError(
            f"The forest tests {varying[0]!r}, which differs between rows of one {level.column!r}, so their rows would "
            "be split between segments; grow a new forest."
        )
    return forest_behind(Learning(growing, level.units.count, known_by), plan, options, streams, forest)


def _segments(
    table: Table, plan: Plan, forest: Forest, options: PerturbOptions
) -> tuple[Segments, SegmentIndex]:
    if plan.over == "table":
        return whole_table(table), Found(LeafKeys(forest, table.schema)).index()
    keys, index = reached(table, forest, options.threads)
    return segments_at(index, index.ids(keys)), index


def _put_together(
    table: Table, levels: tuple[UnitLevel, ...], made: list[LevelRelease], streams: Streams, ids: Integers
) -> tuple[Table, ReleasedUnits]:
    """The released rows, with a fresh number for every person and household; and the outermost units."""
    import polars as pl

    columns: dict[str, Array] = {}
    carried = table.carried
    of_row: Integers = np.arange(table.rows)
    numbers: Integers = of_row
    for level, one in zip(reversed(levels), reversed(made), strict=True):
        columns |= {name: one.columns[name][of_row] for name in level.columns}
        if level.column:
            order = streams.order(PURPOSE, f"numbers of {level.column}", ids[level.units.first])
            numbers = np.empty(level.units.count, np.int64)
            numbers[order] = np.arange(1, level.units.count + 1)
            fresh = pl.Series(level.column, numbers[of_row])
            text = carried[level.column].dtype == pl.String
            carried = carried.with_columns(fresh.cast(pl.String) if text else fresh)
        if level is not levels[0]:
            of_row = one.above[of_row]
    units = ReleasedUnits(levels[0].column, levels[0].units, of_row, numbers)
    return replace(table.with_columns(columns), carried=carried), units


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
