"""Release a table of any length in batches, never the whole in memory.

What is measured is measured on the sample that the rules were learnt on; the certificate is about every record.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.evaluation.whole_table import Tallies
from hushwood.jobs.folder.keys import Use
from hushwood.jobs.folder.made_again import ContentDigest
from hushwood.jobs.folder.release_files import RowOrder, Writer
from hushwood.jobs.inputs import check_named
from hushwood.jobs.preparing import Prepared, prepared_reading
from hushwood.jobs.release_evidence import tallies_for
from hushwood.jobs.release_ways import Written, certificate_of, is_shuffled
from hushwood.jobs.requests import ReleaseRequest
from hushwood.jobs.resolve import Resolved
from hushwood.releasing.engines.streaming.engine import Streaming, sample_places
from hushwood.releasing.engines.streaming.exchange import ReleasedBatch, SecretOrder
from hushwood.releasing.fitting import Fit, Sample
from hushwood.releasing.linking import own_schema
from hushwood.releasing.perturbed import Perturbed
from hushwood.stages import Stage
from hushwood.tables.long.keyed_rows import RowKey
from hushwood.tables.long.table import (
    LongReading,
    LongTable,
    Looking,
    read_long,
    with_identifiers,
)
from hushwood.tables.long.writing import BatchWriter
from hushwood.tables.reading import Reading
from hushwood.tables.recoding.preparation import Preparation
from hushwood.tables.table import Table

Read = Callable[[Path, Mapping[str, Any], Looking], LongReading]
"""Reads and describes a table, given a scratch folder and the arguments of `reading.read`."""

_Ordered = tuple[Table, Integers | None]
"""Records as they go out, and their rows in the source if these are in another order."""


class Engine(Protocol):
    """What an engine for long tables knows when it has learnt from the sample."""

    table: LongTable
    sample: Sample
    fit: Fit
    size: int
    threads: int

    def perturbed(self) -> Perturbed:
        """How the release was made."""


class InBatches:
    """The streaming engine, for whatever can be read in batches; `arguments` are those of `reading.read`."""

    def __init__(self, reads: Read, arguments: Mapping[str, Any], asked: Resolved, stage: Stage) -> None:
        self.reads, self.arguments, self.asked, self.stage = reads, arguments, asked, stage
        self.opened = ExitStack()

    def read(self, scratch: Path) -> Reading:
        """The sample of the table, noted while it is looked at."""
        self.scratch = scratch
        self.stage("reading the table", 0, 1)
        self.reading = self.reads(scratch, self.arguments, self._looking)
        check_named(self.reading.table.schema, self.arguments.get("roles") or ())
        return self.reading

    @property
    def _looking(self) -> Looking:
        request, streams = self.asked.request, self.asked.streams
        return Looking(
            request.memory,
            request.options.threads,
            lambda rows, keyed: sample_places(rows, request.options, streams, keyed),
            None if request.row_key is None else RowKey(request.row_key, streams),
        )

    def prepare(self, checked: Reading) -> tuple[Reading, Prepared]:
        """Prepared by the sample as it was read, and by counts of all records."""
        reading, prepared = prepared_reading(self.reading, self.asked.request)
        self.table = reading.records
        return self.reading, prepared

    def learn(self) -> None:
        """Learn from the sample, and change what changes places."""
        request, streams = self.asked.request, self.asked.streams
        self.streaming = Streaming(
            self.table, request.options, streams, self.scratch, memory=request.memory, stage=self.stage
        )
        self.opened.callback(self.streaming.close)
        self.streaming.learn(self.asked.forest)

    def write(self, writer: Writer) -> Written:
        """Write the released table batch by batch, and certify the file."""
        streaming, request = self.streaming, self.asked.request
        table, plan = streaming.table, streaming.fit.plan
        paired, drawn = plan.paired, plan.row_order == "drawn"
        tallies: Tallies | None = None
        if streaming.sample.is_part:  # what is judged is counted of all records on the way
            options, policy = request.options, self.asked.policy
            tallies = tallies_for(table.schema, request.evidence, options, policy, paired=paired)
        new = own_schema(streaming.outcomes.schema, streaming.fit.linked)
        before, after = ContentDigest(table.schema), ContentDigest(new)
        order = RowOrder()
        hidden = None
        if is_shuffled(plan, request):
            hidden = SecretOrder(streaming.scratch, table.rows, streaming.size, streaming.streams)
            streaming.until_closed(hidden)

        people = (records for _, records in self.table.batches(streaming.size)) if drawn else None

        def look_at(batch: ReleasedBatch) -> None:
            original = batch.original if people is None else next(people)
            if table.preparation is None:
                before.add(original)
            after.add(batch.released)
            order.add(original)
            if tallies is not None:
                tallies.add(original, batch.released, batch.segment_ids)

        def in_table_order() -> Iterator[_Ordered]:
            # One thread, because batches are looked at in their order; meanwhile they are written here.
            with ThreadPoolExecutor(1) as looking:
                for batch in streaming.batches():
                    looked = looking.submit(look_at, batch)
                    if hidden is None:
                        yield batch.released, None if table.keyed is None else batch.places
                    else:
                        hidden.add(batch)
                    looked.result()

        released = in_table_order()
        if hidden is not None:
            deque(released, maxlen=0)
            released = ((batch.released, None if drawn else batch.rows) for batch in hidden.batches())
        _write_batches(writer, released, table.rows, request)
        self.stage("checking every record", 0, 1)
        originals = streaming.originals() if hidden is None else (b.original for b in hidden.batches())
        written = self.certified(
            writer, streaming, originals, (before, after), lambda: _frame(writer, request)
        )
        noted = order.warnings() if paired and hidden is None else ()
        counted = None if tallies is None else tallies.finish()
        return replace(written, noted=(*noted, *written.noted), counted=counted)

    def certified(
        self,
        writer: Writer,
        engine: Engine,
        originals: Iterator[Table],
        digests: tuple[ContentDigest, ContentDigest],
        make_frame: Callable[[], Any],
    ) -> Written:
        """What was written, with its certificate; `digests` of the table and the release are complete afterwards.

        The sample stands for the table where it is judged.
        """
        perturbed, claimed = engine.perturbed(), engine.fit.plan.keeps_segments
        certificate = certificate_of(
            writer, originals, engine.table, perturbed, claimed, engine.size, self.stage
        )
        sample = engine.sample.records
        if perturbed.plan.row_order == "drawn":  # people of the table, not those that were drawn from it
            sample = self.table.sample or self.table.records(0, self.table.rows)
        return Written(
            replace(self.reading, table=with_identifiers(sample, self.table)),
            perturbed,
            certificate,
            make_frame,
            self._use(*digests, engine),
            self._said_sample(engine.sample),
        )

    def _use(self, before: ContentDigest, after: ContentDigest, engine: Engine) -> Use:
        """What recognises the table, however it was prepared, and the release."""
        secret = is_shuffled(engine.fit.plan, self.asked.request)
        table, read = self.table, before
        if table.preparation is not None:
            as_read = table.prepared(Preparation())
            read = ContentDigest(as_read.schema)
            for _, records in as_read.batches(engine.size):
                read.add(records)
        return Use(self.asked.streams.key_id, read.digest(), after.digest() + bytes([secret]))

    def _said_sample(self, sample: Sample) -> tuple[str, ...]:
        """That numbers come from a sample; the certificate does not."""
        if not sample.is_part or self.asked.request.evidence == "none":
            return ()
        said = (
            "The table is long, so what analysts keep and what an intruder learns was measured on a random sample of "
            f"{sample.records.rows:,} of its {sample.of:,} records; intervals are those of the sample. The certificate "
            "is about every record."
        )
        return (said,)

    def close(self) -> None:
        """Close what the engine has opened."""
        self.opened.close()


def _write_batches(writer: Writer, batches: Iterator[_Ordered], rows: int, request: ReleaseRequest) -> None:
    dialect = writer.reading.dialect
    with ExitStack() as opened:
        out = opened.enter_context(
            BatchWriter(writer.released, dialect=dialect, escape_formulas=request.escape_formulas)
        )
        note = None
        for released, places in batches:
            out.write(released)
            if places is not None:
                note = note or opened.enter_context(writer.row_order(rows))
                note(places)


def _frame(writer: Writer, request: ReleaseRequest) -> pl.DataFrame:
    """The released table, read from the folder it lies in."""
    from hushwood.tables.formats.files import read_frame

    return read_frame(where_released(writer, request), form=writer.reading.released_form)


def where_released(writer: Writer, request: ReleaseRequest) -> Path:
    """The released table in the folder that it was to go to."""
    if request.output is None:
        raise InputError("The release was not kept; name a folder for it with output=.")
    for part in ("share", "not-cleared"):
        path = request.output / part / writer.released.name
        if path.exists():
            return path
    raise InputError(f"There is no release in {request.output} any more; make it again.")


def from_files(path: Path, arguments: Mapping[str, Any], asked: Resolved, stage: Stage) -> InBatches:
    """The way for a file, or for a folder of files."""
    return InBatches(partial(read_long, path), arguments, asked, stage)
