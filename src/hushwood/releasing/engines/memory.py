"""The engine for tables that fit in memory: chunks of rows on a few threads, permutations on whole columns.

A row's new values depend on the key and the row alone, so chunk size and threads change nothing but the time.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hushwood.ahead import ahead
from hushwood.arrays import Array, Codes, Integers
from hushwood.random_streams import Rows, Streams
from hushwood.releasing.fitted import (
    FittedStep,
    FittedSteps,
    Outcomes,
    PartOutcome,
    PreparedStep,
    Progress,
    part_table,
    places_of,
    same_columns,
)
from hushwood.releasing.fitting import Fit, Fitting, Sample
from hushwood.releasing.forest_for import sampled_rows
from hushwood.releasing.linking import linked_columns
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturbed import Perturbed
from hushwood.releasing.plan import Plan
from hushwood.releasing.planning import columns_for
from hushwood.releasing.release_warnings import ChangeCounts
from hushwood.segments.partition import keys_of_leaves, tested_columns
from hushwood.segments.segments import Segments
from hushwood.stages import Stage, silent
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Within
from hushwood.trees.forest import Forest

DEFAULT_CHUNK_ROWS = 1 << 16
NOWHERE = Segments(np.zeros(0, np.int32), 0, {}, {}, {})


class InMemory:
    """One release of a table in memory; `row_ids`, ascending, identify the rows of a table without an order of its own.

    in_memory = InMemory(table, options, streams)
    in_memory.learn()
    in_memory.change()
    in_memory.perturbed()
    """

    def __init__(
        self,
        table: Table,
        options: PerturbOptions,
        streams: Streams,
        row_ids: Integers | None = None,
        stage: Stage = silent,
    ) -> None:
        self.table, self.options, self.streams, self.stage = table, options, streams, stage
        self.row_ids: Rows = range(table.rows) if row_ids is None else row_ids

    def learn(self, forest: Forest | None = None) -> None:
        """Learn the rules and the noise on a keyed sample, and find the segments of all records."""
        places = sampled_rows(self.row_ids, self.options.forest_rows, self.streams)
        self.sample = Sample.at(places, self.table, self.row_ids)
        columns = [self.table.columns]
        fitting = Fitting.of(self.sample, self.options, self.streams, forest, self.stage, columns)
        return_freed_memory()
        self.stage("finding the segments", 0, 1)
        fit = fitted_to(self.table, fitting, self.stage)
        self.fit = fit.taught(self.sample, self.streams)

    def change(self) -> None:
        """Change all records."""
        table, fit, ids = self.table, self.fit, self.fit.segments.ids
        free = fit.linked.free_table(table)

        def progress(done: int, total: int) -> None:
            self.stage("changing the values", done, total)

        changed = change(free, fit, self.row_ids, self.streams, progress)
        self.changes = ChangeCounts(fit.plan, free.schema, fit.prepared)
        self.changes.add(free.columns, changed.columns | changed.numbers, ids)
        self.outcomes = changed.outcomes
        place = fit.place(self.row_ids, self.streams)
        released = fit.with_links(table, changed.columns, changed.outcomes.schema, ids, place)
        return_freed_memory()
        self.released = fit.blanked(table, released)
        every = columns_for(table.schema, "any") if fit.options.blanks_afterwards else ()
        before, after = released.columns, self.released.columns
        self.blanked = [
            name for name in every if not np.array_equal(before[name], after[name], equal_nan=True)
        ]

    def perturbed(self) -> Perturbed:
        """How the release was made, and the released table."""
        sizes = self.fit.segments.sizes
        return self.fit.reported(self.table, self.released, self.changes, sizes, self.outcomes, self.blanked)


def laid_out(
    table: Table, plan: Plan, forest: Forest, options: PerturbOptions, sample: Sample | None = None
) -> Fit:
    """The segments and the laws of a release for this plan and forest: everything but the key.

    The same table, plan, forest and sample always give the same laws, so an audit can read them long after the
    release. Techniques are prepared for the free columns of a table whose columns are linked.
    """
    sample = sample or Sample.at(None, table)
    linked = linked_columns(table.schema, plan, [table.columns], sample.records.columns)
    return fitted_to(table, Fitting.with_forest(sample, options, plan, forest, linked))


def fitted_to(table: Table, fitting: Fitting, stage: Stage = silent) -> Fit:
    """The fit for all records of a table, whose laws are stated for all of them."""
    # Also all of its records are other records than the table where a key column gave them another order.
    others, divided = fitting.sample.records is not table, fitting.plan.over != "table"
    found = fitting.found()
    keys = fitting.keys
    if others and divided:
        keys = keys_of_leaves(fitting.leaf_keys, table, fitting.options.threads)
        found.add_keys(keys, tested_columns(fitting.forest, table.columns))
    stage("preparing the technique", 0, 1)
    fit = fitting.fit(found)
    if not others:
        return fit
    return fit.stated_for(table, fit.ids(keys if divided else np.zeros(table.rows, np.uint64)))


class Task(NamedTuple):
    """Some rows of a table, the segment of every record of the table, and the steps that change these rows.

    They are changed one by one, or together if these are all rows of a part `within` segments or the table.
    """

    steps: FittedSteps
    within: Within | None
    rows: range | Integers
    segments: Codes


@dataclass(frozen=True, slots=True)
class Changed:
    """New columns of all records, the numbers inside of those that are released as ranges, and what is reported."""

    columns: dict[str, Array]
    numbers: dict[str, Array]
    outcomes: Outcomes


def change(
    table: Table, fit: Fit, row_ids: Rows, streams: Streams, progress: Progress = lambda done, total: None
) -> Changed:
    """New values of the free columns of a table: single records in chunks, and those that change places in parts."""
    options, ids, steps = fit.options, fit.segments.ids, fit.steps
    tasks = [
        Task(group, None, rows, ids)
        for group in steps.one_by_one("rows")
        for rows in _chunks(table.rows, options.chunk_rows)
    ]
    for within in steps.layouts:
        parts = fit.parts(within)
        if parts.count == 1:
            tasks += [Task(group, within, range(table.rows), ids) for group in steps.one_by_one(within)]
        else:
            places = places_of(parts.of(ids, row_ids, streams), parts.count)
            tasks += [Task(steps, within, rows, ids) for rows in places]
    return _carried_out(tasks, table, row_ids, streams, options.threads, progress)


def run(
    table: Table,
    steps: Sequence[PreparedStep],
    streams: Streams,
    *,
    chunk_rows: int | None = None,
    threads: int = 1,
    progress: Progress = lambda done, total: None,
) -> dict[str, Array]:
    """New values of the columns of some steps, each with segments of its own, outside of any release.

    Of columns that would be released as ranges, the numbers inside.
    """
    tasks = []
    for group in same_columns(steps):
        whole = any(step.perturber.whole_column for step in group)
        within: Within | None = "segment" if whole else None
        fitted = tuple(FittedStep(step.perturber, within or "rows") for step in group)
        alone = FittedSteps(table.schema, NOWHERE, fitted, {})
        chunks = [range(table.rows)] if whole else _chunks(table.rows, chunk_rows)
        tasks += [Task(alone, within, rows, group[0].segment_ids) for rows in chunks]
    changed = _carried_out(tasks, table, range(table.rows), streams, threads, progress)
    return changed.columns | changed.numbers


def _chunks(rows: int, most: int | None) -> list[range]:
    chunk = most or DEFAULT_CHUNK_ROWS
    return [range(begin, min(begin + chunk, rows)) for begin in range(0, rows, chunk)]


def _carried_out(
    tasks: Sequence[Task], table: Table, row_ids: Rows, streams: Streams, threads: int, progress: Progress
) -> Changed:
    """What becomes of the columns of a table."""
    changed = Changed({}, {}, Outcomes(table.schema))
    chunked = [name for task in tasks if task.within is None for name in task.steps.columns_of("rows")]
    for name in chunked:
        changed.columns[name] = np.empty_like(table.columns[name])

    def work(task: Task) -> PartOutcome | None:
        rows, ids = task.rows, _ids_at(row_ids, task.rows)
        here = slice(rows.start, rows.stop) if isinstance(rows, range) else rows
        names = table.columns if task.within is None else task.steps.reads(task.within)
        columns, segments = {name: table.columns[name][here] for name in names}, task.segments[here]
        if task.within is not None:
            part = part_table(table.schema, columns, len(rows))
            return task.steps.change_part(task.within, part, segments, ids, streams)
        for name, values in task.steps.change_rows(columns, segments, ids, streams).items():
            if len(rows) == table.rows:
                # A whole column is not copied a second time.
                changed.columns[name] = np.asarray(values, changed.columns[name].dtype)
            else:
                changed.columns[name][here] = values
        return None

    with ThreadPoolExecutor(max(threads, 1)) as pool:
        # Parts are put into the table one after the other, and few of them wait for that.
        parts = any(not isinstance(task.rows, range) for task in tasks)
        outcomes = ahead(work, tasks, threads) if parts else pool.map(work, tasks)
        for done, (task, outcome) in enumerate(zip(tasks, outcomes, strict=True), start=1):
            progress(done, len(tasks))
            if outcome is not None:
                _put(changed.outcomes.add(outcome), task.rows, table.rows, changed.columns)
                _put(outcome.numbers, task.rows, table.rows, changed.numbers)
    return changed


def _ids_at(row_ids: Rows, rows: range | Integers) -> Rows:
    if isinstance(rows, range):
        return row_ids[rows.start : rows.stop]
    return rows + row_ids.start if isinstance(row_ids, range) else row_ids[rows]


def _put(values: Mapping[str, Array], rows: range | Integers, count: int, into: dict[str, Array]) -> None:
    """The new values of some rows into whole columns."""
    for name, new in values.items():
        new = new.astype(np.float64 if new.dtype.kind == "f" else np.int32, copy=False)
        if len(rows) == count:
            into[name] = new
        else:
            into.setdefault(name, np.empty(count, new.dtype))[rows] = new


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
