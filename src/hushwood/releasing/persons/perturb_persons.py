"""A table in which several rows belong to one person, perturbed level by level.

Households or persons, whichever are outermost, are the records that trees are grown on: they test only columns that
are constant there, so all rows of a unit are in one segment. Every column is perturbed on the table of the highest
level at which it is constant, and copied to the rows below. Where values are handed out again, columns of a lower level
are proposed given those already released above, and numbers of rows are handed out too.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hushwood.arrays import Array, Integers
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.releasing.fitting import for_forest
from hushwood.releasing.forest_for import forest_behind, sampled_rows
from hushwood.releasing.linking import check_tests, for_trees, linked_columns
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.persons.level_tables import for_level, growing_table, level_tables, said_of_level
from hushwood.releasing.persons.person_warnings import person_warnings
from hushwood.releasing.persons.perturb_levels import PURPOSE, LevelRelease, LevelWork
from hushwood.releasing.perturbed import Learnt, Perturbed, ReleasedUnits
from hushwood.releasing.plan import Plan
from hushwood.releasing.recipes import make_plan
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
    options = options.with_noise_of(table.schema)
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
    own = for_level(plan, level.columns, 1)
    linked = linked_columns(growing.schema, own, [growing.columns], growing.columns)
    if forest is None:
        return forest_behind(for_trees(growing, linked), level.units.count, plan, options, streams, None)
    check_tests(forest, linked)
    varying = sorted(tested_columns(forest, table.columns).keys() - set(level.columns))
    if varying:
        raise InputError(
            f"The forest tests {varying[0]!r}, which differs between rows of one {level.column!r}, so their rows would "
            "be split between segments; grow a new forest."
        )
    return forest_behind(growing, level.units.count, plan, options, streams, forest)


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
