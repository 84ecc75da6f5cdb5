"""A table perturbed by a plan: forest, segments, prepared techniques, engine.

Nothing here touches files; `jobs` writes what comes out, and `certificate` checks it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Array, Integers, Words
from hushwood.errors import InputError
from hushwood.random_streams import Rows, Streams
from hushwood.releasing.engines import memory
from hushwood.releasing.engines.prepared_steps import PreparedStep, Progress
from hushwood.releasing.fitted import FittedSteps, fitted_step, made_ready, stuck_in, ways_of
from hushwood.releasing.forest_for import builder_of, forest_behind, sampled_rows
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
from hushwood.releasing.parts import PartPlan, Parts
from hushwood.releasing.perturbed import Learnt, Perturbed
from hushwood.releasing.plan import Plan, Step
from hushwood.releasing.planning import columns_for, make_plan
from hushwood.releasing.release_warnings import Changes, never_changed, reach_of, untouched_by, warnings_about
from hushwood.releasing.released_tables import released_table
from hushwood.segments.partition import reached, segments_at, whole_table
from hushwood.segments.segments import Segments
from hushwood.stages import Stage, silent
from hushwood.tables.links.linked_columns import LinkedColumns
from hushwood.tables.links.numbers import Place
from hushwood.tables.persons.units import unit_columns
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Technique, Within
from hushwood.techniques.suppression import Suppression, suppressed
from hushwood.trees.forest import Forest

__all__ = ["PerturbOptions", "Perturbed", "laid_out", "perturb"]

ONE_SEGMENT = np.zeros(1, np.uint64)  # the key of the only segment of a table that no tree divides


def perturb(
    table: Table,
    options: PerturbOptions,
    streams: Streams,
    forest: Forest | None = None,
    stage: Stage = silent,
    row_ids: Integers | None = None,
) -> Perturbed:
    """Learn the rules, cut the table into segments, and perturb every column by the plan.

    `row_ids`, ascending, identify the rows of a table that has no order of its own.
    """
    if unit_columns(table.schema):
        from hushwood.releasing.persons.perturb_persons import perturb_persons

        return perturb_persons(table, options, streams, forest, stage, row_ids)
    options = options.with_noise_of(table.schema)
    plan = options.plan(table)
    ids: Rows = range(table.rows) if row_ids is None else row_ids
    sample = sampled_rows(ids, options.forest_rows, streams)
    learning = table if sample is None else table.take(sample)
    linked = linked_columns(table.schema, plan, [table.columns], learning.columns)
    stage("growing the forest", 0, 1)
    if forest is not None:
        check_tests(forest, linked)
    testable = for_trees(learning, linked)
    forest, warnings = forest_behind(testable, table.rows, plan, options, streams, forest)
    return_freed_memory()
    laid = laid_out(table, plan, forest, options, stage, sample, linked)

    def progress(done: int, total: int) -> None:
        stage("changing the values", done, total)

    free = linked.free_table(table)
    made = engaged(free, laid, options, streams, ids, progress)
    changes = Changes(made.plan or laid.plan, free.schema, laid.prepared)
    changes.add(free.columns, made.columns, laid.segments.ids)
    made = with_links(table, made, laid, ids, streams)
    return_freed_memory()
    if options.blanks_afterwards:
        made = _suppressed(table, made, laid.plan, options.suppress)
        changes.plan = made.plan or laid.plan
    done = Perturbed(
        made.table,
        options,
        in_own_columns(made.plan or laid.plan, linked),
        forest,
        laid.segments,
        laid.prepared,
        builder_of(forest, laid.plan, options.builder(table.rows)),
        laid.learnt,
        untouched=untouched_by(laid.prepared, laid.segments, laid.segments.sizes)
        | never_changed(free, laid.prepared),
        ways=made.ways,
        relabelled=made.labels,
        exact_laws=not linked.any,
    )
    found = warnings_about(changes, done.untouched, made.stuck, done.ways)
    return replace(done, warnings=(*warnings, *warnings_of(linked), *found))


@dataclass(frozen=True, slots=True)
class LaidOut:
    """Everything about a release but the key: the plan for its forest, the segments, and the prepared techniques.

    `sample` are the rows that techniques were prepared on, None for all; `keys` are those of the segments.
    """

    plan: Plan
    segments: Segments
    keys: Words
    techniques: tuple[Technique, ...]
    prepared: tuple[PreparedStep, ...]
    sample: Integers | None
    plans: Mapping[Within, PartPlan]
    linked: LinkedColumns

    @property
    def learnt(self) -> Learnt:
        """How much was learnt from, and in how many parts values change places."""
        rows = len(self.segments.ids)
        sampled = rows if self.sample is None else len(self.sample)
        by_part = self.fitted_steps(None).layouts
        return Learnt(sampled, rows, max((self.plans[within].count for within in by_part), default=1))

    @property
    def parts(self) -> dict[Within, Parts]:
        """The parts of every segment."""
        return parts_of(self.plans, self.keys)

    def fitted_steps(self, learning: tuple[Table, Rows, Streams] | None) -> FittedSteps:
        """The steps for any records; models are learnt from the table, or a sample of it, under the key."""
        lesson = None if learning is None else (learning[0].columns, learning[1], learning[2])
        steps = tuple(
            fitted_step(technique, step.perturber, self.in_parts, lesson)
            for technique, step in zip(self.techniques, self.prepared, strict=True)
        )
        schema = Schema(()) if learning is None else learning[0].schema
        boxes = free_segments(replace(self.segments, ids=np.zeros(0, np.int32)), self.linked)
        return FittedSteps(schema, boxes, steps, self.plans)

    @property
    def in_parts(self) -> bool:
        """Whether the table is too long to be learnt from, or changed, as a whole."""
        return self.sample is not None or any(plan.count > 1 for plan in self.plans.values())


def parts_of(plans: Mapping[Within, PartPlan], keys: Words) -> dict[Within, Parts]:
    """The parts of the segments with these keys, within segments and in the table as a whole."""
    nothing = np.zeros(len(keys), np.uint64)
    return {
        "segment": plans["segment"].for_segments(keys),
        "table": plans["table"].for_segments(nothing),
    }


def part_plans(keys: Words, sizes: Integers, rows: int, most: int) -> dict[Within, PartPlan]:
    """How a table of that many rows falls into parts, given the segments of its sample and their sizes there."""
    there = sizes > 0
    return {
        "segment": PartPlan.of(keys[there], sizes[there], rows, most),
        "table": PartPlan.of(ONE_SEGMENT, np.array([sizes.sum()]), rows, most),
    }


def laid_out(
    table: Table,
    plan: Plan,
    forest: Forest,
    options: PerturbOptions,
    stage: Stage = silent,
    sample: Integers | None = None,
    linked: LinkedColumns | None = None,
) -> LaidOut:
    """The plan for this forest, its segments, and the prepared techniques: everything but the key.

    The same table, plan, forest and sample always give the same laws, so an audit can read them long after the
    release. Techniques are prepared for the free columns of a table whose columns are linked.
    """
    stage("finding the segments", 0, 1)
    if linked is None:
        seen = table.columns if sample is None else table.take(sample).columns
        linked = linked_columns(table.schema, plan, [table.columns], seen)
    plan = for_free_columns(plan, options, linked, table.rows)
    plan = for_forest(plan, forest, linked.free)
    if plan.over == "table":
        segments, keys = whole_table(table), ONE_SEGMENT
    else:
        found, index = reached(table, forest, options.threads)
        segments, keys = segments_at(index, index.ids(found)), index.keys
    return made_ready_in(table, plan, options, segments, keys, sample, linked, stage)


def made_ready_in(
    table: Table,
    plan: Plan,
    options: PerturbOptions,
    segments: Segments,
    keys: Words,
    sample: Integers | None,
    linked: LinkedColumns,
    stage: Stage = silent,
) -> LaidOut:
    """The techniques prepared in segments that are known, with their keys."""
    sizes = segments.sizes if sample is None else np.bincount(segments.ids[sample], minlength=segments.count)
    plans = part_plans(keys, sizes, table.rows, options.part_rows)
    stage("preparing the technique", 0, 1)
    free = linked.free_table(table)
    boxes = free_segments(segments, linked)
    learning, here = free, boxes
    if sample is not None:
        learning, here = free.take(sample), replace(boxes, ids=boxes.ids[sample], sampled=True)
    plan, techniques, steps = prepared_steps(learning, plan, here)
    steps = tuple(replace(step, segment_ids=segments.ids) for step in steps)
    if sample is not None:
        steps = tuple(
            replace(step, perturber=made_ready(technique, free, step.perturber.attributes, boxes))
            if technique.learnt_on == "sample" and step.perturber.whole_column
            else step
            for technique, step in zip(techniques, steps, strict=True)
        )
    return LaidOut(plan, segments, keys, techniques, steps, sample, plans, linked)


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


def for_forest(plan: Plan, forest: Forest, schema: Schema) -> Plan:
    """The plan with the number of trees that there are; without a class, what they predict is treated like one."""
    plan = plan.with_trees(len(forest.trees))
    if schema.classes:
        return plan
    kept = {attribute.name for attribute in schema.kept}
    predicted = dict.fromkeys(target.name for target in forest.predicts)
    return plan.predicting([name for name in predicted if name in kept])


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


@dataclass(frozen=True, slots=True)
class Made:
    """What an engine made: the released table, the columns that were to change, and what there is to report."""

    table: Table
    columns: Mapping[str, Array]
    stuck: Mapping[str, int]
    ways: Mapping[str, tuple[int, int]]
    labels: Mapping[str, Mapping[str, Sequence[str]]]
    plan: Plan | None = None


def engaged(
    table: Table,
    laid: LaidOut,
    options: PerturbOptions,
    streams: Streams,
    ids: Rows,
    progress: Progress,
) -> Made:
    """The release of a table in memory, as a whole or in parts."""
    chunk_rows, threads = options.chunk_rows, options.threads
    if not laid.in_parts and isinstance(ids, range):
        columns = memory.run(
            table, laid.prepared, streams, chunk_rows=chunk_rows, threads=threads, progress=progress
        )
        used = [step.perturber for step in laid.prepared]
        return Made(released_table(table, used, columns), columns, stuck_in(used), ways_of(used), {})
    sample = laid.sample
    known = ids if sample is None else (np.arange(table.rows) if isinstance(ids, range) else ids)[sample]
    fitted = laid.fitted_steps((table if sample is None else table.take(sample), known, streams))
    released, outcomes = memory.run_in_parts(
        table,
        fitted,
        laid.segments.ids,
        laid.parts,
        ids,
        streams,
        chunk_rows=chunk_rows,
        threads=threads,
        progress=progress,
    )
    names = [name for step in laid.prepared for name in step.perturber.attributes]
    columns = {name: released.columns[name] for name in dict.fromkeys(names)}
    return Made(released, columns, outcomes.stuck, outcomes.ways, outcomes.labels)


def with_links(table: Table, made: Made, laid: LaidOut, ids: Rows, streams: Streams) -> Made:
    """The released columns of the table, given those of the free columns."""
    linked = laid.linked
    if not linked.any:
        return made
    room = room_of(laid.segments, laid.segments.ids, linked)
    place = Place(streams, ids, anywhere=laid.plan.row_order != "kept")
    columns = linked.decoded(table.columns, made.columns, room, place)
    schema = own_schema(made.table.schema, linked)
    return replace(made, table=table.with_columns(columns, schema), columns=columns)


def _suppressed(table: Table, made: Made, plan: Plan, rules: Sequence[str]) -> Made:
    """Blank declared cells of a perturbed table, and add that to the plan.

    Where no record stands for an original one, its own released values say what is to be blanked.
    """
    technique = Suppression(tuple(rules))
    every = {name: made.table.columns[name] for name in columns_for(table.schema, "any")}
    decides = every if plan.row_order == "none" else table.columns
    blanked = suppressed(decides, every, table.schema, rules)
    names = tuple(n for n, values in blanked.items() if not np.array_equal(values, every[n], equal_nan=True))
    new = {name: blanked[name] for name in names}
    plan = replace(plan, steps=(*plan.steps, Step(technique, names)))
    return replace(made, table=made.table.with_columns(new), columns={**made.columns, **new}, plan=plan)


def return_freed_memory() -> None:
    """Ask glibc to return free memory; other C libraries do so by themselves or cannot be asked.

    Growing a forest and adding noise free many middle-sized arrays; kept by the allocator they would make a release
    of a large table look, and count, a quarter larger than it is.
    """
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return
    trim(0)
