"""The engine for tables of any length: files in batches, in bounded memory, with the values of every other engine.

The table is read several times: a keyed sample to learn from; the segments of all records, while values that change
places are brought together on disk; and the batches, changed one by one. `certificate` then reads both files again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np

from hushwood.ahead import ahead
from hushwood.arrays import Array, Codes, Integers, Words
from hushwood.random_streams import Streams
from hushwood.releasing.engines.streaming.exchange import (
    ID,
    KEY,
    ROW,
    BatchSpool,
    Exchange,
    Packed,
    ReleasedBatch,
    smallest,
    write_all,
)
from hushwood.releasing.fitted import Outcomes, PartOutcome, joined, part_table
from hushwood.releasing.fitting import Fit, Fitting, Sample
from hushwood.releasing.forest_for import sampled_chunks
from hushwood.releasing.linking import linked_names
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturbed import Perturbed
from hushwood.releasing.release_warnings import ChangeCounts
from hushwood.segments.partition import Found, distinct
from hushwood.stages import Stage, silent
from hushwood.tables.long.keyed_rows import KeyedRows
from hushwood.tables.long.table import LongTable
from hushwood.tables.resampling import drawn_on_disk
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Within
from hushwood.trees.forest import Forest

_IDS_AT_A_TIME = 1 << 22


class _Closes(Protocol):
    def close(self) -> None: ...


Closed = TypeVar("Closed", bound=_Closes)


class Streaming:
    """One release of a long table; `scratch` is a folder of its own, which the caller removes.

    with closing(Streaming(table, options, streams, scratch, memory=2 << 30)) as streaming:
        streaming.learn()
        for batch in streaming.batches(): ...
        streaming.perturbed()
    """

    def __init__(
        self,
        table: LongTable,
        options: PerturbOptions,
        streams: Streams,
        scratch: Path,
        *,
        memory: int,
        stage: Stage = silent,
    ) -> None:
        self.table, self.options, self.streams, self.scratch = table, options, streams, scratch
        self.size, self.threads = options.chunk_rows or table.batch_rows(memory), options.threads
        self._watch = _Watch(stage, table.rows, self.size)
        self._opened = ExitStack()
        self.fit: Fit

    def until_closed(self, opened: Closed) -> Closed:
        """Something that is closed with the release, if not before."""
        self._opened.callback(opened.close)
        return opened

    def close(self) -> None:
        """Give all disk space back; a file that is open takes space even where it is no longer listed."""
        self._opened.close()

    def learn(self, forest: Forest | None = None) -> None:
        """Learn the rules and the noise on a keyed sample, find the segments of all records, and change the parts."""
        if self.options.drawn:
            self._watch.stage("drawing the people", 0, 1)
            self.table = drawn_on_disk(self.table, self.streams, self.scratch, self.size)
        self.places, self.sample = sample_of(self.table, self.options, self.streams, self.size)
        batches = self.table.batches(self.size, linked_names(self.table.schema))
        columns = (batch.columns for _, batch in batches)
        fitting = Fitting.of(self.sample, self.options, self.streams, forest, self._watch.stage, columns)
        self._watch.stage("preparing the technique", 0, 1)
        found = fitting.found()
        self.fit = fitting.fit(found)
        self.outcomes = Outcomes(self.fit.linked.free)
        self._gather(found)
        if found.index().count > self.fit.index.count:  # some segments have no record in the sample
            self.fit = fitting.fit(found)
        self._watch.stage("learning what goes together", 0, 1)
        self.fit = self.fit.taught(self.sample, self.streams)
        self._change_parts()

    def _gather(self, found: Found) -> None:
        """Note the segment of every record, and bring those together whose values change places."""
        self._keys_file = self.until_closed((self.scratch / "segments").open("w+b", buffering=0))
        self._exchanges = {
            within: self.until_closed(
                Exchange(self.scratch / f"parts-{within}", self.fit.steps.plans[within].count)
            )
            for within in self.fit.steps.layouts
        }
        reads = {within: self.fit.steps.reads(within) for within in self._exchanges}
        self._spool = self.until_closed(BatchSpool(self.scratch / "table"))

        def work(batch: tuple[int, Table]) -> tuple[Table, Words, dict[Within, Packed]]:
            first, table = batch
            keys = self.fit.keys(table.columns, table.rows)
            packed = {within: self._packed(within, reads[within], first, table, keys) for within in reads}
            return table, keys, packed

        batches = ahead(work, self.table.batches(self.size), self.threads)
        for done, (table, keys, packed) in enumerate(batches, start=1):
            self._watch.rows("finding the segments", done)
            self._spool.add(table)
            if not self.fit.whole_table:
                found.add_keys(keys, table.columns)
                write_all(self._keys_file, keys.tobytes())
            for within, batch in packed.items():
                self._exchanges[within].add(batch)

    def _packed(self, within: Within, names: Sequence[str], first: int, table: Table, keys: Words) -> Packed:
        """The columns that a part needs, by part."""
        ids = self.table.row_ids(first, table.rows)
        own, inverse = distinct(keys, self.fit.leaf_keys.combinations)
        buckets = self.fit.parts(within, own).of(inverse, ids, self.streams)
        columns: dict[str, Array] = {ROW: np.arange(first, first + table.rows), KEY: keys}
        columns |= {} if self.table.keyed is None else {ID: ids}
        linked = self.fit.linked
        for name, values in linked.encoded(table.columns, names).items():
            categories = linked.free[name].categories
            columns[name] = values if values.dtype.kind == "f" else smallest(values, len(categories))
        return self._exchanges[within].packed(columns, buckets)

    def _change_parts(self) -> None:
        """Change the records that were brought together, and send them back to their batches."""
        steps, plans = self.fit.steps, self.fit.steps.plans
        self._returned = self.until_closed(
            Exchange(self.scratch / "changed", -(-self.table.rows // self.size))
        )
        tasks = [(within, part) for within in self._exchanges for part in range(plans[within].count)]

        def work(task: tuple[Within, int]) -> tuple[Integers, PartOutcome | None]:
            within, number = task
            columns = self._exchanges[within].bucket(number)
            rows, segments = columns.pop(ROW), self.fit.ids(columns.pop(KEY))
            row_ids = columns.pop(ID, rows)
            if not len(rows):
                return rows, None
            kept = {n: v if v.dtype.kind == "f" else v.astype(np.int32) for n, v in columns.items()}
            part = part_table(self.fit.linked.free, kept, len(rows))
            return rows, steps.change_part(within, part, segments, row_ids, self.streams)

        for done, (rows, outcome) in enumerate(ahead(work, tasks, self.threads), start=1):
            self._watch.parts(done, len(tasks))
            if outcome is not None:
                columns = {ROW: rows, **self.outcomes.add(outcome)}
                self._returned.add(self._returned.packed(columns, rows // self.size))
        for exchange in self._exchanges.values():
            exchange.close()

    def batches(self) -> Iterator[ReleasedBatch]:
        """All records before and after, batch by batch, in the order of the table."""
        self.changes = ChangeCounts(self.fit.plan, self.fit.linked.free, self.fit.prepared)
        self.sizes = np.zeros(self.fit.segments.count, np.int64)
        after: list[Table] = []
        every = range(-(-self.table.rows // self.size))
        for done, (batch, ids, counted) in enumerate(ahead(self._changed, every, self.threads), start=1):
            self._watch.rows("changing the values", done)
            self.changes.merge(counted)
            self.sizes += np.bincount(ids, minlength=len(self.sizes))
            begin, end = np.searchsorted(self.places, [batch.first, batch.first + batch.released.rows])
            after.append(batch.released.take(self.places[begin:end] - batch.first))
            yield batch
        self.released_sample = joined(after)
        self._returned.close()
        self._keys_file.close()

    def originals(self) -> Iterator[Table]:
        """The table as it was read, batch by batch."""
        for number in range(-(-self.table.rows // self.size)):
            yield self._spool.batch(number)

    def _changed(self, number: int) -> tuple[ReleasedBatch, Codes, ChangeCounts]:
        first, table = number * self.size, self._spool.batch(number)
        rows = self.table.row_ids(first, table.rows)
        ids = self.fit.ids(self._read_keys(first, table.rows))
        free = self.fit.linked.encoded(table.columns)
        new = self.fit.steps.change_rows(free, ids, rows, self.streams)
        new |= self._returned_columns(first, table.rows)
        counted = ChangeCounts(self.fit.plan, self.fit.linked.free, self.fit.prepared)
        counted.add(free, new, ids)
        place = self.fit.place(rows, self.streams)
        released = self.fit.released(table, new, self.outcomes.schema, ids, place)
        places = self.table.row_places(first, table.rows)
        return ReleasedBatch(first, rows, places, table, released, ids), ids, counted

    def _read_keys(self, first: int, rows: int) -> Words:
        if self.fit.whole_table:
            return np.zeros(rows, np.uint64)
        return np.frombuffer(os.pread(self._keys_file.fileno(), 8 * rows, 8 * first), np.uint64)

    def _returned_columns(self, first: int, rows: int) -> dict[str, Array]:
        """What became of the batch's records in the parts they were in."""
        found = self._returned.bucket(first // self.size)
        if ROW not in found:
            return {}
        places = found.pop(ROW) - first
        new: dict[str, Array] = {}
        for name, values in found.items():
            new[name] = np.empty(rows, values.dtype)
            new[name][places] = values
        return new

    def perturbed(self) -> Perturbed:
        """How the release was made, with the sample in the place of the table; when all batches were taken."""
        return self.fit.reported(
            self.sample.records, self.released_sample, self.changes, self.sizes, self.outcomes
        )


@dataclass(slots=True)
class _Watch:
    """Progress by records, with the time that is left once there is something to judge it by."""

    stage: Stage
    total: int
    size: int
    began: float = 0.0

    def rows(self, what: str, batches: int) -> None:
        done = min(batches * self.size, self.total)
        now = time.monotonic()
        self.began = now if batches == 1 else self.began
        left = ""
        if batches > 1 and done < self.total:
            each = (now - self.began) / (batches - 1)
            left = f", {_time((self.total - done) / self.size * each)} left"
        self.stage(f"{what} ({done:,} of {self.total:,} records{left})", done, self.total)

    def parts(self, done: int, total: int) -> None:
        self.stage(f"exchanging values (part {done:,} of {total:,})", done, total)


def sample_places(
    rows: int, options: PerturbOptions, streams: Streams, keyed: KeyedRows | None = None
) -> Integers:
    """Where the keyed sample lies that rules and noise are learnt from; everywhere, in a short table."""
    chunks = (
        range(first, min(first + _IDS_AT_A_TIME, rows))
        if keyed is None
        else keyed.ids_at(first, min(_IDS_AT_A_TIME, rows - first))
        for first in range(0, rows, _IDS_AT_A_TIME)
    )
    return sampled_chunks(chunks, rows, options.forest_rows, streams)


def sample_of(
    table: LongTable, options: PerturbOptions, streams: Streams, size: int
) -> tuple[Integers, Sample]:
    """Where the records to learn from are, unless they were noted while the table was read, and these records."""
    noted = table.sampled
    places = sample_places(table.rows, options, streams, table.keyed) if noted is None else noted[0]
    return places, Sample(table.at(places, size), table.schema, table.rows, table.row_ids_at(places, size))


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
