"""What a release learns from a table, or a sample of it: forest, plan, parts and techniques, for any engine.

An engine gives the records to learn from, then all segments that the table has, and gets a `Fit` that it can apply to
any records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from hushwood.arrays import Array, Codes, Integers, Words
from hushwood.errors import InputError
from hushwood.random_streams import Rows, Streams
from hushwood.releasing.fitted import FittedSteps, Outcomes, PreparedStep, fitted_step, made_ready
from hushwood.releasing.forest_for import Learning, forest_behind
from hushwood.releasing.linking import (
    check_tests,
    for_trees,
    free_segments,
    in_own_columns,
    linked_columns,
    linked_noise,
    own_schema,
    room_of,
    warnings_of,
)
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.parts import ONE_SEGMENT, Parts, part_plans
from hushwood.releasing.perturbed import Learnt, Perturbed
from hushwood.releasing.plan import Plan, Step
from hushwood.releasing.planning import columns_for, for_forest, make_plan
from hushwood.releasing.release_warnings import (
    ChangeCounts,
    never_changed,
    reach_of,
    untouched_by,
    warnings_about,
)
from hushwood.segments.partition import (
    Found,
    LeafKeys,
    SegmentIndex,
    keys_of_leaves,
    segments_at,
    whole_table,
)
from hushwood.segments.segments import Segments
from hushwood.stages import Stage, silent
from hushwood.tables.links.linked_columns import LinkedColumns
from hushwood.tables.links.numbers import StreamRows
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Perturber, Technique, Within
from hushwood.techniques.suppression import Suppression, suppressed
from hushwood.trees.forest import Forest


@dataclass(frozen=True, slots=True)
class Sample:
    """The records to learn from, a keyed sample of a table with that schema and `of` records, or all of them.

    `row_ids` are what random streams know them by.
    """

    records: Table
    schema: Schema
    of: int
    row_ids: Rows = range(0)

    @classmethod
    def at(cls, places: Integers | None, table: Table, row_ids: Rows = range(0)) -> Sample:
        """The records of a table in memory at some places, all if there are none; `row_ids` are those of the table."""
        if places is None:
            return cls(table, table.schema, table.rows, row_ids)
        ids = row_ids if len(row_ids) else range(table.rows)
        known = places if isinstance(ids, range) else ids[places]
        return cls(table.take(places), table.schema, table.rows, known)

    @property
    def is_part(self) -> bool:
        """Whether the table was too long to learn from all of it."""
        return self.records.rows < self.of


@dataclass(frozen=True)
class Fit:
    """A release that can be applied to any records: small, and sent to other processes as it is.

    `keys` are computed for any records from their columns; `steps` then take them with the numbers of their segments.
    `prepared` states the laws, for the records that the `segments` hold; they are `exact` for each of these.
    """

    schema: Schema
    options: PerturbOptions
    plan: Plan
    forest: Forest
    linked: LinkedColumns
    learnt: Learnt
    index: SegmentIndex
    segments: Segments
    prepared: tuple[PreparedStep, ...]
    steps: FittedSteps
    exact: bool
    warnings: tuple[str, ...] = ()

    @property
    def whole_table(self) -> bool:
        """Whether no tree divides the table."""
        return self.plan.over == "table"

    @property
    def leaf_keys(self) -> LeafKeys:
        """What makes keys of records."""
        return self.index.leaf_keys

    def keys(self, columns: Mapping[str, Array], rows: int) -> Words:
        """The key of every record's segment; 0 where no tree divides the table."""
        return keys_of(self.plan, self.leaf_keys, columns, rows)

    def ids(self, keys: Words) -> Codes:
        """The segment of every record, by its key."""
        return np.zeros(len(keys), np.int32) if self.whole_table else self.index.ids(keys)

    def parts(self, within: Within, keys: Words | None = None) -> Parts:
        """The parts of the segments with these keys, or of all segments."""
        if keys is None:
            keys = ONE_SEGMENT if self.whole_table else self.index.keys
        return self.steps.plans[within].for_segments(keys if within == "segment" else np.zeros_like(keys))

    def with_perturbers(self, known: Callable[[Perturber], Perturber]) -> Fit:
        """The same with perturbers that know more."""
        prepared = tuple(replace(step, perturber=known(step.perturber)) for step in self.prepared)
        steps = tuple(replace(step, perturber=known(step.perturber)) for step in self.steps.steps)
        return replace(self, prepared=prepared, steps=replace(self.steps, steps=steps))

    def taught(self, sample: Sample, streams: Streams) -> Fit:
        """The same with the models that techniques learn from the sample under the key."""
        lesson = (self.linked.free_table(sample.records).columns, sample.row_ids, streams)
        steps = tuple(step.taught(*lesson) for step in self.steps.steps)
        return replace(self, steps=replace(self.steps, steps=steps))

    def stated_for(self, table: Table, ids: Codes) -> Fit:
        """The same with laws for all records of the table, not only for those of the sample.

        Laws of values that change places name those of the whole table.
        """
        free, segments = self.linked.free_table(table), replace(self.segments, ids=ids, sampled=False)
        boxes = free_segments(segments, self.linked)
        perturbers = tuple(
            made_ready(step.technique, free, stated.perturber.attributes, boxes)
            if step.technique and step.technique.learnt_on == "sample" and stated.perturber.whole_column
            else stated.perturber
            for step, stated in zip(self.steps.steps, self.prepared, strict=True)
        )
        prepared = tuple(PreparedStep(perturber, ids) for perturber in perturbers)
        steps = tuple(
            replace(step, perturber=each) for step, each in zip(self.steps.steps, perturbers, strict=True)
        )
        fitted = replace(self.steps, boxes=replace(boxes, ids=ids[:0]), steps=steps)
        return replace(self, segments=segments, prepared=prepared, steps=fitted, exact=True)

    def released(
        self, table: Table, new: Mapping[str, Array], schema: Schema, ids: Codes, place: StreamRows
    ) -> Table:
        """Records with the free columns that were changed; links hold between them, and declared cells are blank.

        `schema` describes the free columns, in which some may have got new categories.
        """
        return self.blanked(table, self.with_links(table, new, schema, ids, place))

    def place(self, row_ids: Rows, streams: Streams) -> StreamRows:
        """Which records these are, for links that are filled at random."""
        return StreamRows(streams, row_ids, anywhere=self.plan.row_order != "kept")

    def with_links(
        self, table: Table, new: Mapping[str, Array], schema: Schema, ids: Codes, place: StreamRows
    ) -> Table:
        """Records with the free columns that were changed, and all that follows from them."""
        linked = self.linked
        if linked.any:
            new = linked.decoded(table.columns, new, room_of(self.segments, ids, linked), place)
            schema = own_schema(schema, linked)
        there = set(table.schema.names)
        schema = replace(schema, attributes=tuple(a for a in schema.attributes if a.name in there))
        return table.with_columns(new, schema)

    def blanked(self, table: Table, released: Table) -> Table:
        """Released records with declared cells blanked, if that was asked for.

        Where no record stands for an original one, its released values decide.
        """
        if not self.options.blanks_afterwards:
            return released
        every = {name: released.columns[name] for name in columns_for(table.schema, "any")}
        decides = table.columns if self.plan.paired else every
        return released.with_columns(suppressed(decides, every, table.schema, self.options.suppress))

    def perturbed(self, released: Table) -> Perturbed:
        """How a release was made, without what there is to say of its values."""
        return Perturbed(
            released,
            self.options,
            in_own_columns(self.plan, self.linked),
            self.forest,
            self.segments,
            self.prepared,
            self.learnt,
            exact_laws=self.exact and not self.linked.any,
        )

    def reported(
        self,
        records: Table,
        released: Table,
        changes: ChangeCounts,
        sizes: Integers,
        outcomes: Outcomes,
        blanked: Sequence[str] | None = None,
    ) -> Perturbed:
        """The same with warnings, for the `records` that the laws are stated for.

        `sizes` are those of all segments; `blanked` are the columns with blanked cells, any column if they are unknown.
        """
        plan = self.plan
        if self.options.blanks_afterwards:
            names = columns_for(self.schema, "any") if blanked is None else tuple(blanked)
            plan = replace(plan, steps=(*plan.steps, Step(Suppression(tuple(self.options.suppress)), names)))
        untouched = untouched_by(self.prepared, self.segments, sizes)
        share = self.learnt.of / max(records.rows, 1)
        never = never_changed(self.linked.free_table(records), self.prepared)
        untouched |= {name: round(count * share) for name, count in never.items()}
        # Parts report how their numbers were drawn; single records are all drawn as their segment was prepared.
        ways = outcomes.ways or ({} if self.learnt.sampled else self.steps.ways)
        warnings = warnings_about(replace(changes, plan=plan), untouched, outcomes.stuck, ways)
        return replace(
            replace(self, plan=plan).perturbed(released),
            warnings=(*self.warnings, *warnings),
            untouched=untouched,
            ways=ways,
            relabelled=outcomes.labels,
        )


def keys_of(plan: Plan, leaf_keys: LeafKeys, columns: Mapping[str, Array], rows: int) -> Words:
    """The key of every record's segment; 0 where no tree divides the table."""
    return np.zeros(rows, np.uint64) if plan.over == "table" else leaf_keys.of(columns, rows)


@dataclass(frozen=True)
class Fitting:
    """A forest and a plan for a table, learnt on a sample of it, or on all records."""

    sample: Sample
    options: PerturbOptions
    plan: Plan
    forest: Forest
    linked: LinkedColumns
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        sample: Sample,
        options: PerturbOptions,
        streams: Streams,
        forest: Forest | None = None,
        stage: Stage = silent,
        batches: Iterable[Mapping[str, Array]] | None = None,
    ) -> Fitting:
        """Plan the release, and grow the forest unless one is given.

        `batches` are all records, in which linked columns are looked at; without them the sample is.
        """
        stage("growing the forest", 0, 1)
        options = options.with_noise_of(sample.schema).settled(sample.records, sample.of)
        plan = make_plan(options, sample.schema, sample.of)
        columns = sample.records.columns
        linked = linked_columns(sample.schema, plan, batches or [columns], columns)
        if forest is not None:
            check_tests(forest, linked)
        testable = for_trees(sample.records, linked)
        learning = Learning(testable, sample.of, sample.row_ids if options.drawn else None)
        forest, warnings = forest_behind(learning, plan, options, streams, forest)
        return cls.with_forest(sample, options, plan, forest, linked, (*warnings, *warnings_of(linked)))

    @classmethod
    def with_forest(
        cls,
        sample: Sample,
        options: PerturbOptions,
        plan: Plan,
        forest: Forest,
        linked: LinkedColumns,
        warnings: tuple[str, ...] = (),
    ) -> Fitting:
        """The same with a forest that fits the plan."""
        plan = for_free_columns(plan, options, linked, sample.of)
        return cls(sample, options, for_forest(plan, forest, linked.free), forest, linked, warnings)

    @cached_property
    def keys(self) -> Words:
        """The keys of the sample's segments."""
        records = self.sample.records
        if self.plan.over == "table":
            return np.zeros(records.rows, np.uint64)
        return keys_of_leaves(self.leaf_keys, records, self.options.threads)

    @property
    def leaf_keys(self) -> LeafKeys:
        """What makes keys of records."""
        return LeafKeys(self.forest, self.sample.schema)

    def found(self) -> Found:
        """The segments of the sample, to which an engine adds those of all records."""
        found = Found(self.leaf_keys)
        if self.plan.over != "table":
            found.add_keys(self.keys, self.sample.records.columns)
        return found

    def fit(self, found: Found) -> Fit:
        """The techniques made ready on the sample, for the segments that were found; models are not learnt yet."""
        index, sample = found.index(), self.sample.records
        if self.plan.over == "table":
            return self.fit_in(whole_table(sample), index)
        return self.fit_in(segments_at(index, index.ids(self.keys)), index)

    def fit_in(self, segments: Segments, index: SegmentIndex) -> Fit:
        """The same in segments with boxes of their own."""
        sample, linked, options = self.sample, self.linked, self.options
        segments = replace(segments, sampled=sample.is_part)
        keys = ONE_SEGMENT if self.plan.over == "table" else index.keys
        plans = part_plans(keys, segments.sizes, sample.of, options.part_rows)
        in_parts = sample.is_part or any(plan.count > 1 for plan in plans.values())
        boxes = free_segments(segments, linked)
        plan, techniques, prepared = prepared_steps(linked.free_table(sample.records), self.plan, boxes)
        pairs = zip(techniques, prepared, strict=True)
        steps = tuple(fitted_step(technique, step.perturber, in_parts) for technique, step in pairs)
        fitted = FittedSteps(linked.free, replace(boxes, ids=np.zeros(0, np.int32)), steps, plans)
        exchanged = sample.is_part and any(step.perturber.whole_column for step in prepared)
        return Fit(
            sample.schema,
            options,
            plan,
            self.forest,
            linked,
            Learnt(sample.records.rows, sample.of, fitted.parts),
            index,
            segments,
            prepared,
            fitted,
            exact=not exchanged,
            warnings=self.warnings,
        )


def for_free_columns(plan: Plan, options: PerturbOptions, linked: LinkedColumns, rows: int) -> Plan:
    """The plan for free columns; the same if no columns are linked."""
    if not linked.any:
        return plan
    try:
        return make_plan(linked_noise(options, linked), linked.free, rows).with_trees(plan.trees)
    except InputError as nothing_left:
        raise InputError(
            f"{nothing_left} Columns that follow from others are computed from them; --links none changes every column "
            "on its own."
        ) from nothing_left


def prepared_steps(
    table: Table, plan: Plan, segments: Segments
) -> tuple[Plan, tuple[Technique, ...], tuple[PreparedStep, ...]]:
    """The perturbers with their techniques, and the plan without columns in which a technique finds nothing to do."""
    ready: list[tuple[Technique, PreparedStep]] = []
    steps: list[Step] = []
    for step in plan.steps:
        groups = [step.attributes] if step.technique.jointly else [(name,) for name in step.attributes]
        made = [
            PreparedStep(made_ready(step.technique, table, names, segments), segments.ids) for names in groups
        ]
        busy = [
            prepared for prepared in made if any(reach.any() for _, reach in reach_of(prepared, segments))
        ]
        ready += [(step.technique, prepared) for prepared in busy]
        names = tuple(name for prepared in busy for name in prepared.perturber.attributes)
        steps += [replace(step, attributes=names)] if names else []
    if not ready:
        raise InputError(
            f"The technique {plan.recipe!r} finds nothing to change in this table; choose another one."
        )
    techniques, prepared = zip(*ready, strict=True)
    return replace(plan, steps=tuple(steps)), techniques, prepared
