"""The levels of a table perturbed one after the other, the outermost first.

Where values are handed out again, those of a lower level are proposed given what is already released above, and how
many rows a person has is handed out too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Array, Integers
from hushwood.random_streams import Streams
from hushwood.releasing.engines.memory import change
from hushwood.releasing.fitting import Fit, Fitting, Sample, for_forest, for_free_columns
from hushwood.releasing.forest_for import sampled_rows
from hushwood.releasing.linking import in_own_columns, linked_columns, warnings_of
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.persons.dealing import children_of, dealt_parents
from hushwood.releasing.persons.level_tables import HIDDEN, LevelTable, for_level, level_tables, said_of_level
from hushwood.releasing.plan import Plan, Step
from hushwood.releasing.release_warnings import Changes, never_changed, untouched_by, warnings_about
from hushwood.segments.partition import SegmentIndex
from hushwood.segments.segments import Allowed, Segments, domain_intervals
from hushwood.stages import Stage
from hushwood.tables.links.links import Link
from hushwood.tables.persons.units import UnitLevel
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.blurring.blur import OWNER
from hushwood.techniques.protocol import Perturber
from hushwood.techniques.segment_shuffle import ShufflePerturber
from hushwood.trees.forest import Forest

PURPOSE = "persons"
_RELEASED = f"{HIDDEN}released "


@dataclass(frozen=True, slots=True)
class LevelRelease:
    """What became of a level: its released columns, and the unit above every released unit."""

    of: LevelTable
    columns: Mapping[str, Array]
    above: Integers
    fit: Fit | None
    said: tuple[Step, ...]
    links: tuple[Link, ...]
    untouched: Mapping[str, int]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LevelWork:
    """What is the same for all levels; segments and ids are those of the rows, `units` counts the outermost."""

    table: Table
    options: PerturbOptions
    plan: Plan
    forest: Forest
    segments: Segments
    index: SegmentIndex
    ids: Integers
    units: int

    def all_levels(self, levels: tuple[UnitLevel, ...], streams: Streams, stage: Stage) -> list[LevelRelease]:
        """Perturb level after level, the outermost first."""
        dealt = self.plan.row_order == "secret"
        done: list[LevelRelease] = []
        given: dict[str, Array] = {}  # released values of the levels above, for every unit of the one before
        for place, one in enumerate(level_tables(self.table, levels, dealt)):
            first = one.level.units.first
            above = one.level.above
            if place and dealt and np.ptp(one.level.children) > 0:
                own = Streams(streams.derive(PURPOSE, "dealt", place)).words(PURPOSE, "", 0, self.ids[first])
                children = children_of(done[-1].of, done[-1].columns, one.level)
                above = dealt_parents(self.segments.ids[first], above, children, own)
            given = {name: values[above] for name, values in given.items()}
            chance = streams if place == 0 else Streams(streams.derive(PURPOSE, "level", place))
            owned = replace(one, table=_with_owners(one)) if place else one
            found = self._level(owned, above, given, chance, stage)
            done.append(found)
            given |= found.columns
        return done

    def _level(
        self, one: LevelTable, above: Integers, given: Mapping[str, Array], streams: Streams, stage: Stage
    ) -> LevelRelease:
        first, table = one.level.units.first, one.table
        times = -(-table.rows // self.units)
        plan = for_level(self.plan, one.own, times)
        if not plan.steps:
            own = {name: table.columns[name] for name in one.own}
            return LevelRelease(one, own, above, None, (), table.schema.links, {}, ())
        ids = self.ids[first]
        sample = sampled_rows(ids, self.options.forest_rows, streams)
        given = {} if plan.row_order == "kept" else given
        held = _with_given(table, given)
        learning = Sample.at(sample, held, ids)
        linked = linked_columns(held.schema, plan, [held.columns], learning.records.columns)
        if linked.any:
            others = {OWNER, *one.above(), *(_RELEASED + name for name in given)}
            free = [a.name for a in linked.free.kept if a.name not in others]
            plan = for_free_columns(plan, self.options, linked, table.rows)
            plan = for_level(for_forest(plan, self.forest, linked.free), free, times)
        here = _boxes_for(self.segments, table, first)
        stage("preparing the technique", 0, 1)
        fitting = Fitting(learning, self.options, plan, self.forest, linked)
        fit = fitting.fit_in(here if sample is None else replace(here, ids=here.ids[sample]), self.index)
        fit = (fit if sample is None else fit.stated_for(held, here.ids)).with_perturbers(_knowing(given))

        def progress(done: int, total: int) -> None:
            stage("changing the values", done, total)

        before = linked.free_table(held)
        changed = change(before, fit.taught(learning, streams), ids, streams, progress)
        changes = _changes(before, fit, changed.columns, one)
        place = fit.place(ids, streams)
        released = fit.with_links(held, changed.columns, changed.outcomes.schema, here.ids, place).columns
        columns = {name: released[name] for name in one.own}
        untouched = untouched_by(fit.prepared, here, here.sizes) | never_changed(before, fit.prepared)
        untouched = {name: count for name, count in untouched.items() if HIDDEN not in name}
        outcomes = changed.outcomes
        stuck = {name: count for name, count in outcomes.stuck.items() if HIDDEN not in name}
        said = (*warnings_of(linked), *warnings_about(changes, untouched, stuck, outcomes.ways))
        own_plan = in_own_columns(fit.plan, linked)
        steps = said_of_level(own_plan, one, self.plan)
        return LevelRelease(one, columns, above, fit, steps, own_plan.links, untouched, said)


def _boxes_for(segments: Segments, table: Table, first: Integers) -> Segments:
    """The segments of a level's units, with boxes for hidden columns: nothing is known of them."""
    intervals, allowed, influential = (
        dict(segments.intervals),
        dict(segments.allowed),
        dict(segments.influential),
    )
    nowhere = np.zeros(segments.count, bool)
    for attribute in table.schema.kept:
        if HIDDEN not in attribute.name:
            continue
        influential[attribute.name] = nowhere
        if attribute.kind == "numeric":
            intervals[attribute.name] = domain_intervals(attribute, segments.count)
        else:
            every = np.ones((1, len(attribute.categories) + 1), bool)
            allowed[attribute.name] = Allowed(every, np.zeros(segments.count, np.int32))
    return replace(
        segments, ids=segments.ids[first], intervals=intervals, allowed=allowed, influential=influential
    )


def _with_given(table: Table, given: Mapping[str, Array]) -> Table:
    """The table with released values of the columns above, under names of their own."""
    if not given:
        return table
    attributes: list[Attribute] = [
        replace(table.schema[name], name=_RELEASED + name, role="ordinary", bins=(), weight=False)
        for name in given
    ]
    schema = replace(table.schema, attributes=(*table.schema.attributes, *attributes))
    return table.with_columns({_RELEASED + name: values for name, values in given.items()}, schema)


def _with_owners(one: LevelTable) -> Table:
    """The table of a lower level with the unit above each of its own, for techniques that ask who shares a number."""
    own = Attribute(OWNER, "numeric", low=0.0, high=float(one.table.rows), precision=0)
    schema = replace(one.table.schema, attributes=(*one.table.schema.attributes, own))
    return one.table.with_columns({OWNER: one.level.above.astype(np.float64)}, schema)


def _knowing(given: Iterable[str]) -> Callable[[Perturber], Perturber]:
    """Tells a perturber under which names it finds the released values of the columns above."""
    names = {name: _RELEASED + name for name in given}

    def known(perturber: Perturber) -> Perturber:
        return replace(perturber, given=names) if isinstance(perturber, ShufflePerturber) else perturber

    return known


def _changes(before: Table, fit: Fit, columns: Mapping[str, Array], one: LevelTable) -> Changes:
    shown = {name: values for name, values in columns.items() if HIDDEN not in name}
    kept = tuple(a for a in before.schema.attributes if HIDDEN not in a.name and a.name not in one.above())
    changes = Changes(fit.plan, replace(before.schema, attributes=kept), fit.prepared)
    changes.add(before.columns, shown, fit.segments.ids)
    changes.same_records = 0  # they are counted over all levels
    return changes
