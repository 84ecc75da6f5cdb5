"""The levels of a table, households, persons and rows, perturbed one after the other, the outermost first.

A level's table holds its own columns, those of the levels above, and, where values are handed out again, hidden
columns: how many units lie below each unit, and what the columns below have in common in it. They are handed out with
the others, so that the rows of a person still resemble each other, and are gone in the release. Values of a lower level
are proposed given what is already released above, and every unit below gets a new unit above it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import polars as pl

from hushwood.arrays import Array, Integers, Words
from hushwood.random_streams import Streams
from hushwood.releasing.engines.memory import change
from hushwood.releasing.fitting import Fit, Fitting, Sample, for_free_columns
from hushwood.releasing.forest_for import sampled_rows
from hushwood.releasing.linking import in_own_columns, linked_columns, warnings_of
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.plan import Plan, Step
from hushwood.releasing.planning import for_forest
from hushwood.releasing.release_warnings import ChangeCounts, never_changed, untouched_by, warnings_about
from hushwood.segments.partition import SegmentIndex
from hushwood.segments.segments import Allowed, Segments, domain_intervals
from hushwood.stages import Stage
from hushwood.tables.links.links import Link, Order
from hushwood.tables.persons.units import UnitLevel, mean_of, most_frequent
from hushwood.tables.resampling import people_behind
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.techniques.blurring.blur import OWNER
from hushwood.techniques.protocol import Perturber
from hushwood.techniques.segment_shuffle import SegmentShuffle, ShufflePerturber
from hushwood.trees.forest import Forest

HIDDEN = "\0"  # no column that is read from a file has a name with it
BELOW = f"{HIDDEN}below"


@dataclass(frozen=True, slots=True)
class LevelTable:
    """The table of one level; `own` are the columns that are perturbed here, hidden ones included."""

    level: UnitLevel
    table: Table
    own: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the release that are perturbed here."""
        return self.level.columns

    def above(self) -> tuple[str, ...]:
        """The columns of the levels above."""
        return tuple(name for name in self.table.schema.names if name not in self.own)


def level_tables(table: Table, levels: Sequence[UnitLevel], hidden: bool) -> list[LevelTable]:
    """The tables of all levels, the outermost first; with `hidden` columns where units have several rows."""
    found: list[LevelTable] = []
    known: dict[str, Attribute] = {}
    values: dict[str, Array] = {}  # of every row
    order = {name: place for place, name in enumerate(table.schema.names)}
    for place, level in enumerate(levels):
        own = {name: table.schema[name] for name in level.columns}
        mine: dict[str, Array] = {name: table.columns[name][level.units.first] for name in own}
        if hidden and level.units.count < table.rows:
            for attribute, column in _hidden(table, levels, place):
                own[attribute.name], mine[attribute.name] = attribute, column
        known |= own
        values |= {name: column[level.units.of_row] for name, column in mine.items()}
        columns = {name: column[level.units.first] for name, column in values.items()}
        attributes = sorted(known.values(), key=lambda a: order.get(a.name, len(order)))
        schema = Schema(tuple(attributes), table.schema.main, links_within(table.schema, level.columns))
        held = Table(schema, columns, pl.DataFrame(), level.units.count)
        found.append(LevelTable(level, held, tuple(own)))
    return found


def _hidden(table: Table, levels: Sequence[UnitLevel], place: int) -> list[tuple[Attribute, Array]]:
    """The hidden columns of a level that is not the last."""
    level, below = levels[place], levels[place + 1]
    counts = below.children
    texts, codes = np.unique(counts, return_inverse=True)
    found: list[tuple[Attribute, Array]] = []
    if len(texts) > 1:
        attribute = Attribute(
            f"{BELOW} {place}", "categorical", storage="String", categories=tuple(map(str, texts.tolist()))
        )
        found.append((attribute, codes.reshape(-1).astype(np.int32)))
    for name in (name for lower in levels[place + 1 :] for name in lower.columns):
        attribute = replace(
            table.schema[name], name=f"{HIDDEN}{place} {name}", role="ordinary", bins=(), weight=False
        )
        column = table.columns[name]
        if attribute.kind == "numeric":
            found.append((replace(attribute, precision=None), mean_of(column, level.units)))
        else:
            found.append((attribute, most_frequent(column, level.units)))
    return found


def growing_table(table: Table, level: UnitLevel) -> Table:
    """The units as trees see them: their constant columns, and of a class or weight that varies the most
    frequent or the mean."""
    first = table.take(level.units.first)
    columns: dict[str, Array] = {name: first.columns[name] for name in level.columns}
    for target in table.schema.classes:
        if target.name not in columns:
            summary = mean_of if target.kind == "numeric" else most_frequent
            columns[target.name] = summary(table.columns[target.name], level.units)
    weight, weights = table.schema.weight, table.weights
    if weight is not None and weights is not None:
        columns[weight.name] = mean_of(weights, level.units)
        weight = replace(weight, kind="numeric", role="ordinary")
    attributes = (weight if weight and a.name == weight.name else a for a in table.schema.attributes)
    kept = tuple(a for a in attributes if a.name in columns)
    schema = Schema(kept, table.schema.main, links_within(table.schema, level.columns))
    return Table(schema, columns, pl.DataFrame(), level.units.count)


def links_within(schema: Schema, names: Sequence[str]) -> tuple[Link, ...]:
    """The links that are between some columns alone."""
    return tuple(link for link in schema.links if set(link.columns) <= set(names))


def by_level(links: Sequence[Link], levels: Sequence[UnitLevel]) -> tuple[Link, ...]:
    """The links with every order across levels in pieces, so that its part within a level can be kept."""
    found: list[Link] = []
    place = {name: number for number, level in enumerate(levels) for name in level.columns}
    for link in links:
        if not isinstance(link, Order) or not set(link.columns) <= place.keys():
            found.append(link)
            continue
        for number in range(len(levels)):
            within = tuple(name for name in link.columns if place[name] == number)
            found += [Order(within)] if len(within) > 1 else []
        found += [Order(pair) for pair in pairwise(link.columns) if place[pair[0]] != place[pair[1]]]
    return tuple(dict.fromkeys(found))


def links_across(schema: Schema, levels: Sequence[UnitLevel]) -> list[tuple[str, ...]]:
    """The columns of links between columns of several levels."""
    kept = {a.name for a in schema.kept}
    within = [link for level in levels for link in links_within(schema, level.columns)]
    found = [tuple(n for n in link.columns if n in kept) for link in schema.links if link not in within]
    return [names for names in found if len(names) > 1]


def for_level(plan: Plan, names: Sequence[str], times: int) -> Plan:
    """The steps of a plan for some columns; leaves of proposal trees hold `times` as many of this level's records."""
    steps = []
    for step in plan.steps:
        own = tuple(name for name in step.attributes if name in names)
        technique = step.technique
        if isinstance(technique, SegmentShuffle):
            technique = replace(technique, k=technique.k * times)
            own = tuple(names)
        steps += [replace(step, technique=technique, attributes=own)] if own else []
    return replace(plan, steps=tuple(steps))


def said_of_level(plan: Plan, made: LevelTable, reported: Plan) -> tuple[Step, ...]:
    """The steps of a level as people read them: without hidden columns, and with the parameters of the release."""
    techniques = {step.technique.acronym: step.technique for step in reported.steps}
    steps = []
    for step in plan.steps:
        names = tuple(name for name in step.attributes if name in made.columns)
        technique = techniques.get(step.technique.acronym, step.technique)
        per = made.level.column
        steps += [replace(step, technique=technique, attributes=names, per=per)] if names else []
    return tuple(steps)


def children_of(made: LevelTable, released: Mapping[str, Array], below: UnitLevel) -> Integers:
    """How many units lie below each released unit."""
    name = next((name for name in made.own if name.startswith(BELOW)), None)
    if name is None:
        return below.children
    counts = np.array([int(text) for text in made.table.schema[name].categories])
    return np.asarray(counts[released[name]])


def dealt_parents(segments: Array, above: Integers, children: Integers, words: Words) -> Integers:
    """A unit above for every unit: `children` says how many each gets, all in its own segment, in random order.

    `segments` are those of the units, `above` the units above them before, `words` random numbers of the units.

    >>> segments, above, words = np.array([0, 0, 0, 1]), np.array([0, 0, 1, 2]), np.array([9, 1, 5, 0])
    >>> dealt_parents(segments, above, np.array([1, 2, 1]), words).tolist()
    [1, 0, 1, 2]
    """
    parent_segment = np.zeros(len(children), np.int64)
    parent_segment[above] = segments
    slots = np.lexsort((words, segments))
    parents = np.argsort(parent_segment, kind="stable")
    found = np.empty(len(segments), np.int64)
    found[slots] = np.repeat(parents, children[parents])
    return found


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
        dealt = self.plan.shuffled
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
            owned = replace(one, table=self._with_owners(one)) if place else one
            found = self._level(owned, above, given, chance, stage)
            done.append(found)
            given |= found.columns
        return done

    def _with_owners(self, one: LevelTable) -> Table:
        """The table of a lower level with the unit above each of its own, for techniques that ask who shares a number.

        Copies of a unit are one.
        """
        owners = one.level.above
        if self.options.drawn:
            first = np.unique(owners, return_index=True)[1]
            owners = people_behind(self.ids[one.level.units.first][first])[owners]
        own = Attribute(OWNER, "numeric", low=0.0, high=float(owners.max(initial=0)), precision=0)
        schema = replace(one.table.schema, attributes=(*one.table.schema.attributes, own))
        return one.table.with_columns({OWNER: owners.astype(np.float64)}, schema)

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


def _knowing(given: Iterable[str]) -> Callable[[Perturber], Perturber]:
    """Tells a perturber under which names it finds the released values of the columns above.

    How many units lie below others is not drawn: all of them must find a place.
    """
    names = {name: _RELEASED + name for name in given}

    def known(perturber: Perturber) -> Perturber:
        if not isinstance(perturber, ShufflePerturber):
            return perturber
        exact = frozenset(name for name in perturber.attributes if name.startswith(BELOW))
        return replace(perturber, given=names, exact=exact)

    return known


def _changes(before: Table, fit: Fit, columns: Mapping[str, Array], one: LevelTable) -> ChangeCounts:
    shown = {name: values for name, values in columns.items() if HIDDEN not in name}
    kept = tuple(a for a in before.schema.attributes if HIDDEN not in a.name and a.name not in one.above())
    changes = ChangeCounts(fit.plan, replace(before.schema, attributes=kept), fit.prepared)
    changes.add(before.columns, shown, fit.segments.ids)
    changes.same_records = 0  # they are counted over all levels
    return changes
