"""What a release learns from the sample of a table: forest, plan, parts and techniques, for whatever engine changes it.

An engine gives the sample, then all segments that the table has, and gets a `Fit` that it can apply to any records.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Array, Codes, Integers, Words
from hushwood.random_streams import Rows, Streams
from hushwood.releasing.engines.prepared_steps import PreparedStep
from hushwood.releasing.fitted import FittedSteps, Outcomes, fitted_step
from hushwood.releasing.forest_for import builder_of, forest_behind
from hushwood.releasing.linking import (
    check_tests,
    for_trees,
    free_segments,
    in_own_columns,
    linked_columns,
    own_schema,
    room_of,
    warnings_of,
)
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.parts import PartPlan, Parts
from hushwood.releasing.perturb import for_forest, for_free_columns, part_plans, parts_of, prepared_steps
from hushwood.releasing.perturbed import Learnt, Perturbed
from hushwood.releasing.plan import Plan, Step
from hushwood.releasing.recipes import columns_for, make_plan
from hushwood.releasing.release_warnings import Changes, never_changed, untouched_by, warnings_about
from hushwood.segments.partition import (
    Found,
    LeafKeys,
    SegmentIndex,
    segments_at,
    tested_columns,
    whole_table,
)
from hushwood.segments.segments import Segments
from hushwood.stages import Stage, silent
from hushwood.tables.links.linked_columns import LinkedColumns
from hushwood.tables.links.numbers import Place
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Technique, Within
from hushwood.techniques.suppression import Suppression, suppressed
from hushwood.trees.forest import Forest


@dataclass(frozen=True)
class Fit:
    """A release that can be applied to any records: small, and sent to other processes as it is.

    `keys` are computed for any records from their columns; `steps` then take them with the numbers of their segments.
    """

    plan: Plan
    forest: Forest
    leaf_keys: LeafKeys
    index: SegmentIndex
    segments: Segments
    techniques: tuple[Technique, ...]
    prepared: tuple[PreparedStep, ...]
    steps: FittedSteps

    def keys(self, columns: Mapping[str, Array], rows: int) -> Words:
        """The key of every record's segment."""
        return keys_of(self.plan, self.leaf_keys, columns, rows)

    def ids(self, keys: Words) -> Codes:
        """The segment of every record, by its key."""
        return np.zeros(len(keys), np.int32) if self.plan.over == "table" else self.index.ids(keys)


def keys_of(plan: Plan, leaf_keys: LeafKeys, columns: Mapping[str, Array], rows: int) -> Words:
    """The key of every record's segment; 0 where no tree divides the table."""
    return np.zeros(rows, np.uint64) if plan.over == "table" else leaf_keys.of(columns, rows)


@dataclass(frozen=True)
class Fitting:
    """A forest and a plan for a table of `rows` records, learnt on a sample of them, or on all.

    `row_ids` are those of the sample; `plans` say into how many parts the table falls.
    """

    schema: Schema
    rows: int
    options: PerturbOptions
    streams: Streams
    sample: Table
    row_ids: Integers
    plan: Plan
    forest: Forest
    keys: Words
    plans: Mapping[Within, PartPlan]
    linked: LinkedColumns
    warnings: tuple[str, ...]

    @classmethod
    def of(
        cls,
        schema: Schema,
        rows: int,
        options: PerturbOptions,
        streams: Streams,
        sample: Table,
        row_ids: Integers,
        forest: Forest | None = None,
        stage: Stage = silent,
        batches: Iterable[Mapping[str, Array]] | None = None,
    ) -> Fitting:
        """Grow the forest, unless one is given, and lay out the parts.

        `batches` are all records, in which linked columns are looked at; without them the sample is.
        """
        stage("growing the forest", 0, 1)
        options = options.with_noise_of(schema)
        plan = make_plan(options, schema, rows)
        linked = linked_columns(schema, plan, batches or [sample.columns], sample.columns)
        if forest is not None:
            check_tests(forest, linked)
        testable = for_trees(sample, linked)
        forest, warnings = forest_behind(testable, rows, plan, options, streams, forest)
        said = (*warnings, *warnings_of(linked))
        return cls.with_forest(rows, options, streams, sample, row_ids, plan, forest, schema, said, linked)

    @classmethod
    def with_forest(
        cls,
        rows: int,
        options: PerturbOptions,
        streams: Streams,
        sample: Table,
        row_ids: Integers,
        plan: Plan,
        forest: Forest,
        schema: Schema,
        warnings: tuple[str, ...] = (),
        linked: LinkedColumns | None = None,
    ) -> Fitting:
        """The same with a forest that fits the plan."""
        if linked is None:
            linked = linked_columns(schema, plan, [sample.columns], sample.columns)
        plan = for_free_columns(plan, options, linked, rows)
        plan = for_forest(plan, forest, linked.free)
        keys = keys_of(plan, LeafKeys(forest, schema), sample.columns, sample.rows)
        there, sizes = np.unique(keys, return_counts=True)
        plans = part_plans(there, sizes, rows, options.part_rows)
        return cls(
            schema, rows, options, streams, sample, row_ids, plan, forest, keys, plans, linked, warnings
        )

    @property
    def leaf_keys(self) -> LeafKeys:
        """What makes keys of records."""
        return LeafKeys(self.forest, self.schema)

    @property
    def sampled(self) -> bool:
        """Whether the table was too long to learn from all of it."""
        return self.sample.rows < self.rows

    @property
    def in_parts(self) -> bool:
        """Whether the table is too long to be learnt from, or changed, as a whole."""
        return self.sampled or any(plan.count > 1 for plan in self.plans.values())

    @property
    def tested(self) -> frozenset[str]:
        """The columns that decide in which segment a record is."""
        if self.plan.over == "table":
            return frozenset()
        return frozenset(tested_columns(self.forest, dict.fromkeys(self.schema.names, np.zeros(0))))

    def parts(self, within: Within, keys: Words) -> Parts:
        """The parts of the segments with these keys."""
        return parts_of(self.plans, keys)[within]

    def found(self) -> Found:
        """The segments of the sample, to which an engine adds those of all records."""
        found = Found(self.leaf_keys)
        if self.plan.over != "table":
            found.add_keys(self.keys, self.sample.columns)
        return found

    def fit(self, found: Found) -> Fit:
        """The techniques made ready on the sample, for the segments that were found; models are not learnt yet."""
        index = found.index()
        whole = self.plan.over == "table"
        segments = whole_table(self.sample) if whole else segments_at(index, index.ids(self.keys))
        segments = replace(segments, sampled=self.sampled)
        free, room = self.linked.free_table(self.sample), free_segments(segments, self.linked)
        plan, techniques, prepared = prepared_steps(free, self.plan, room)
        pairs = zip(techniques, prepared, strict=True)
        steps = tuple(fitted_step(technique, step.perturber, self.in_parts) for technique, step in pairs)
        boxes = replace(room, ids=np.zeros(0, np.int32))
        fitted = FittedSteps(self.linked.free, boxes, steps, self.plans)
        return Fit(plan, self.forest, self.leaf_keys, index, segments, techniques, prepared, fitted)

    def learnt(self, fit: Fit) -> Fit:
        """The same with the models that techniques learn from the sample under the key."""
        lesson = (self.linked.free_table(self.sample).columns, self.row_ids, self.streams)
        steps = tuple(
            fitted_step(step.technique, step.perturber, self.in_parts, lesson) for step in fit.steps.steps
        )
        return replace(fit, steps=replace(fit.steps, steps=steps))

    def released(
        self, fit: Fit, table: Table, new: Mapping[str, Array], schema: Schema, ids: Codes, rows: Rows
    ) -> Table:
        """Records with the free columns that were changed; links hold between them, and declared cells are blank.

        `schema` describes the free columns, in which some may have got new categories.
        """
        linked = self.linked
        if linked.any:
            place = Place(self.streams, rows, anywhere=fit.plan.row_order != "kept")
            new = linked.decoded(table.columns, new, room_of(fit.segments, ids, linked), place)
            schema = own_schema(schema, linked)
        there = set(table.schema.names)
        schema = replace(schema, attributes=tuple(a for a in schema.attributes if a.name in there))
        return self._blanked(table, table.with_columns(new, schema))

    def _blanked(self, table: Table, released: Table) -> Table:
        """Released records with declared cells blanked, if that was asked for.

        Where no record stands for an original one, its released values decide.
        """
        if not self.options.blanks_afterwards:
            return released
        every = {name: released.columns[name] for name in columns_for(table.schema, "any")}
        decides = every if self.plan.row_order == "none" else table.columns
        return released.with_columns(suppressed(decides, every, table.schema, self.options.suppress))

    def perturbed(
        self, fit: Fit, released_sample: Table, changes: Changes, sizes: Integers, outcomes: Outcomes
    ) -> Perturbed:
        """How the release was made, with the sample in the place of the table; `sizes` are those of all segments."""
        plan = fit.plan
        if self.options.blanks_afterwards:
            names = columns_for(self.schema, "any")
            plan = replace(plan, steps=(*plan.steps, Step(Suppression(tuple(self.options.suppress)), names)))
        untouched = untouched_by(fit.prepared, fit.segments, sizes)
        share = self.rows / max(self.sample.rows, 1)
        free = self.linked.free_table(self.sample)
        untouched |= {n: round(c * share) for n, c in never_changed(free, fit.prepared).items()}
        found = warnings_about(replace(changes, plan=plan), untouched, outcomes.stuck, outcomes.ways)
        parts = max((self.plans[within].count for within in fit.steps.layouts), default=1)
        return Perturbed(
            released_sample,
            self.options,
            in_own_columns(plan, self.linked),
            self.forest,
            fit.segments,
            fit.prepared,
            builder_of(self.forest, plan, self.options.builder(self.rows)),
            Learnt(self.sample.rows, self.rows, parts),
            warnings=(*self.warnings, *found),
            untouched=untouched,
            ways=outcomes.ways,
            relabelled=outcomes.labels,
            exact_laws=self.exact_laws(fit),
        )

    def exact_laws(self, fit: Fit) -> bool:
        """Whether the steps' laws are those of the table.

        Not where values are exchanged that the sample lacks, nor where they are about other columns.
        """
        exchanged = self.sampled and any(step.perturber.whole_column for step in fit.prepared)
        return not (exchanged or self.linked.any)


def joined(tables: Sequence[Table]) -> Table:
    """Records of one table, put together again."""
    import polars as pl

    first = tables[0]
    return replace(
        first,
        columns={name: np.concatenate([t.columns[name] for t in tables]) for name in first.columns},
        carried=pl.concat([t.carried for t in tables]) if first.carried.width else first.carried,
        rows=sum(t.rows for t in tables),
    )
