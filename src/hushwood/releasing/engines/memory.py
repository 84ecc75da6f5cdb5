"""The engine for tables that fit in memory: chunks of rows on a few threads, permutations on whole columns.

A row's new values depend on the key and the row alone, so chunk size and threads change nothing but the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from hushwood.ahead import ahead
from hushwood.arrays import Array, Codes, Integers
from hushwood.random_streams import Rows, Streams
from hushwood.releasing.engines.prepared_steps import PreparedStep, Progress
from hushwood.releasing.fitted import (
    FittedSteps,
    Outcomes,
    PartOutcome,
    changed,
    part_table,
    places_of,
    same_columns,
)
from hushwood.releasing.parts import Parts
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Within

DEFAULT_CHUNK_ROWS = 1 << 16


def run(
    table: Table,
    steps: Sequence[PreparedStep],
    streams: Streams,
    *,
    chunk_rows: int | None = None,
    threads: int = 1,
    progress: Progress = lambda done, total: None,
) -> dict[str, Array]:
    """New values of every perturbed column; each step reads the original records."""
    released = {
        name: np.empty_like(table.columns[name]) for step in steps for name in step.perturber.attributes
    }
    tasks = [
        (group, rows)
        for group in same_columns(steps)
        for rows in _chunks(table.rows, group, chunk_rows or DEFAULT_CHUNK_ROWS)
    ]

    def work(task: tuple[Sequence[PreparedStep], range]) -> None:
        group, rows = task
        here = slice(rows.start, rows.stop)
        columns = {name: values[here] for name, values in table.columns.items()}
        perturbers, segment_ids = [step.perturber for step in group], group[0].segment_ids[here]
        for name, values in changed([perturbers], columns, segment_ids, rows, streams).items():
            if len(rows) == table.rows:
                # A whole column is not copied a second time.
                released[name] = np.asarray(values, released[name].dtype)
            else:
                released[name][here] = values

    with ThreadPoolExecutor(max(threads, 1)) as pool:
        for done, _ in enumerate(pool.map(work, tasks), start=1):
            progress(done, len(tasks))
    return released


def run_in_parts(
    table: Table,
    fitted: FittedSteps,
    segment_ids: Codes,
    parts_of: Mapping[Within, Parts],
    row_ids: Rows,
    streams: Streams,
    *,
    chunk_rows: int | None = None,
    threads: int = 1,
    progress: Progress = lambda done, total: None,
) -> tuple[Table, Outcomes]:
    """The release of a long table: single records in chunks, and those that are changed together in parts."""
    released: dict[str, Array] = {}
    for name in fitted.columns_of("rows"):
        released[name] = np.empty_like(table.columns[name])
    outcomes, ids = Outcomes(table.schema), _as_array(row_ids)
    tasks: list[tuple[Within | None, Integers | range]] = [
        (None, range(begin, min(begin + (chunk_rows or DEFAULT_CHUNK_ROWS), table.rows)))
        for begin in range(0, table.rows if released else 0, chunk_rows or DEFAULT_CHUNK_ROWS)
    ]
    for within in fitted.layouts:
        parts = parts_of[within]
        tasks += [(within, rows) for rows in places_of(parts.of(segment_ids, ids, streams), parts.count)]

    def work(task: tuple[Within | None, Integers | range]) -> tuple[Integers, PartOutcome] | None:
        within, rows = task
        if isinstance(rows, range) or within is None:
            here = slice(rows[0], rows[-1] + 1)
            columns = {name: values[here] for name, values in table.columns.items()}
            new = fitted.change_rows(columns, segment_ids[here], ids[here], streams)
            for name, values in new.items():
                released[name][here] = values
            return None
        columns = {name: table.columns[name][rows] for name in fitted.reads(within)}
        part = part_table(table.schema, columns, len(rows))
        return rows, fitted.change_part(within, part, segment_ids[rows], ids[rows], streams)

    for done, found in enumerate(ahead(work, tasks, threads), start=1):
        progress(done, len(tasks))
        if found is not None:
            places, part = found
            for name, values in outcomes.add(part).items():
                released.setdefault(name, np.empty(table.rows, values.dtype))[places] = values
    return table.with_columns(released, outcomes.schema), outcomes


def _as_array(row_ids: Rows) -> Integers:
    return np.arange(row_ids.start, row_ids.stop) if isinstance(row_ids, range) else row_ids


def _chunks(rows: int, group: Sequence[PreparedStep], chunk_rows: int) -> list[range]:
    if any(step.perturber.whole_column for step in group):
        return [range(rows)]
    return [range(begin, min(begin + chunk_rows, rows)) for begin in range(0, rows, chunk_rows)]
