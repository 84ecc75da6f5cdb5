"""The engine for tables that fit in memory: chunks of rows on a few threads, permutations on whole columns.

A row's new values depend on the key and the row alone, so chunk size and threads change nothing but the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from hushwood.arrays import Array
from hushwood.random_streams import Streams
from hushwood.releasing.engines.protocol import PreparedStep, Progress
from hushwood.tables.table import Table

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
        for group in _same_columns(steps)
        for rows in _chunks(table.rows, group, chunk_rows or DEFAULT_CHUNK_ROWS)
    ]

    def work(task: tuple[Sequence[PreparedStep], range]) -> None:
        group, rows = task
        for name, values in _perturbed(table, group, rows, streams).items():
            if len(rows) == table.rows:
                # A whole column is not copied a second time.
                released[name] = np.asarray(values, released[name].dtype)
            else:
                released[name][rows.start : rows.stop] = values

    with ThreadPoolExecutor(max(threads, 1)) as pool:
        for done, _ in enumerate(pool.map(work, tasks), start=1):
            progress(done, len(tasks))
    return released


def _same_columns(steps: Sequence[PreparedStep]) -> list[list[PreparedStep]]:
    """Steps grouped by shared columns: each step handles its own segments of a column."""
    groups: list[list[PreparedStep]] = []
    for step in steps:
        names = set(step.perturber.attributes)
        apart: list[list[PreparedStep]] = []
        together: list[PreparedStep] = []
        for group in groups:
            if any(names.intersection(other.perturber.attributes) for other in group):
                together += group
            else:
                apart.append(group)
        groups = [*apart, [*together, step]]
    return groups


def _chunks(rows: int, group: Sequence[PreparedStep], chunk_rows: int) -> list[range]:
    if any(step.perturber.whole_column for step in group):
        return [range(rows)]
    return [range(begin, min(begin + chunk_rows, rows)) for begin in range(0, rows, chunk_rows)]


def _perturbed(
    table: Table, group: Sequence[PreparedStep], rows: range, streams: Streams
) -> dict[str, Array]:
    original = {name: values[rows.start : rows.stop] for name, values in table.columns.items()}
    new: dict[str, Array] = {name: original[name] for step in group for name in step.perturber.attributes}
    for step in group:
        segment_ids = step.segment_ids[rows.start : rows.stop]
        for name, values in step.perturber.perturb(original, segment_ids, rows, streams).items():
            covered = step.perturber.covers(name)
            new[name] = values if covered is None else np.where(covered[segment_ids], values, new[name])
    return new
