"""Release a table of any length in batches, from files or a database, never the whole in memory; and into a database.

What is measured is measured on the sample that the rules were learnt on; the certificate is about every record.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import polars as pl
from numpy.lib import format as npy

from hushwood.arrays import Integers
from hushwood.errors import HushwoodError, InputError
from hushwood.evaluation.whole_table import Tallies
from hushwood.jobs.folder.keys import Use
from hushwood.jobs.folder.made_again import ContentDigest
from hushwood.jobs.folder.release_files import RowOrder, Writer
from hushwood.jobs.folder.whole_folders import ROW_ORDER, SHARE
from hushwood.jobs.inputs import check_named
from hushwood.jobs.preparing import Prepared, prepared_long
from hushwood.jobs.release_evidence import tallies_for
from hushwood.jobs.release_ways import Written, is_shuffled, read_back
from hushwood.jobs.requests import ReleaseRequest
from hushwood.jobs.resolve import Resolved
from hushwood.releasing.certificate import Certificate, Certifying, Claims
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
    as_reading,
    long_reading,
    read_long,
    with_identifiers,
)
from hushwood.tables.long.writing import BatchWriter, Rows
from hushwood.tables.reading import Reading
from hushwood.tables.recoding.preparation import Preparation
from hushwood.tables.sql.addresses import Address, address_of
from hushwood.tables.sql.tables import rows_of_file, rows_of_frame, spooled_query, write_table
from hushwood.tables.table import Table
from hushwood.trees.model_file import forest_to_json

if TYPE_CHECKING:
    from hushwood.jobs.release import Release


Read = Callable[[Path, Mapping[str, Any], Looking], LongReading]
"""Reads and describes a table, given a scratch folder and the arguments of `reading.read`."""


class Engine(Protocol):
    """What an engine for long tables knows when it has learnt from the sample."""

    table: LongTable
    sample: Sample
    fit: Fit
    size: int
    threads: int

    def perturbed(self) -> Perturbed:
        """How the release was made."""


class Long:
    """A long table as a release sees it, whoever reads and changes it; `arguments` are those of `reading.read`."""

    def __init__(self, reads: Read, arguments: Mapping[str, Any], asked: Resolved, stage: Stage) -> None:
        self.reads, self.arguments, self.asked, self.stage = reads, arguments, asked, stage

    def read(self, scratch: Path) -> Reading:
        """Look at the table, and note its sample."""
        self.scratch = scratch
        self.stage("reading the table", 0, 1)
        self._reading = self.reads(scratch, self.arguments, self._looking)
        check_named(self._reading.table.schema, self.arguments.get("roles") or ())
        self._shown = as_reading(self._reading)
        return self._shown

    def prepare(self) -> tuple[Reading, Prepared]:
        """The sample as it was read: categories that it lacks may occur elsewhere."""
        self.table, prepared = prepared_long(self._reading.table, self.asked.request, self._reading.form)
        return self._shown, prepared

    @property
    def _looking(self) -> Looking:
        """How a release looks at its table: the keyed sample is noted on the way."""
        request, streams = self.asked.request, self.asked.streams
        return Looking(
            request.memory,
            request.options.threads,
            lambda rows, keyed: sample_places(rows, request.options, streams, keyed),
            None if request.row_key is None else RowKey(request.row_key, streams),
        )

    def judged(self, engine: Engine) -> Reading:
        """The sample, which stands for the table where it is judged."""
        drawn = engine.fit.plan.row_order == "drawn"
        own = (
            (self.table.sample or self.table.records(0, self.table.rows)) if drawn else engine.sample.records
        )
        return replace(self._shown, table=with_identifiers(own, self.table))

    def use(self, before: ContentDigest, after: ContentDigest, engine: Engine) -> Use:
        """What recognises the table, however it was prepared, and the release."""
        secret = is_shuffled(engine.fit.plan, self.asked.request)
        table, read = self.table, before
        if table.preparation is not None or engine.fit.plan.row_order == "drawn":
            as_read = table.prepared(Preparation())
            read = ContentDigest(as_read.schema)
            for _, records in as_read.batches(engine.size):
                read.add(records)
        return Use(self.asked.streams.key_id, read.digest(), after.digest() + bytes([secret]))

    def said_sample(self, sample: Sample) -> tuple[str, ...]:
        """That numbers come from a sample; the certificate does not."""
        if not sample.is_part or self.asked.request.evidence == "none":
            return ()
        said = (
            "The table is long, so what analysts keep and what an intruder learns was measured on a random sample of "
            f"{sample.records.rows:,} of its {sample.of:,} records; intervals are those of the sample. The certificate "
            "is about every record."
        )
        return (said,)


def from_files(path: Path, arguments: Mapping[str, Any], asked: Resolved, stage: Stage) -> InBatches:
    """The way for a file, or for a folder of files."""
    return InBatches(Long(partial(read_long, path), arguments, asked, stage))


class InBatches:
    """The streaming engine, for whatever can be read in batches."""

    def __init__(self, long: Long) -> None:
        self.long, self.asked, self.stage = long, long.asked, long.stage
        self._opened = ExitStack()

    def read(self, scratch: Path) -> Reading:
        """The sample of the table, noted while it is looked at."""
        return self.long.read(scratch)

    def prepare(self, checked: Reading) -> tuple[Reading, Prepared]:
        """Prepared by the sample, and by counts of all records."""
        return self.long.prepare()

    def learn(self) -> None:
        """Learn from the sample, and change what changes places."""
        request, streams, long = self.asked.request, self.asked.streams, self.long
        self.streaming = Streaming(
            long.table, request.options, streams, long.scratch, memory=request.memory, stage=self.stage
        )
        self._opened.callback(self.streaming.close)
        self.streaming.learn(self.asked.forest)

    def close(self) -> None:
        """Close the engine's files."""
        self._opened.close()

    def write(self, writer: Writer) -> Written:
        """Write the released table batch by batch, and certify the file."""
        streaming, request = self.streaming, self.asked.request
        table, plan = streaming.table, streaming.fit.plan
        paired = plan.paired
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

        people = None  # those of the table, where the release is made of drawn ones
        if plan.row_order == "drawn":
            people = (records for _, records in self.long.table.batches(streaming.size))

        def look_at(batch: ReleasedBatch) -> None:
            if table.preparation is None and people is None:
                before.add(batch.original)
            after.add(batch.released)
            order.add(batch.original)
            if tallies is not None:
                own = batch.original if people is None else next(people)
                tallies.add(own, batch.released, batch.segment_ids)

        def in_table_order() -> Iterator[_Pair]:
            # One thread, because batches are looked at in their order; meanwhile they are written here.
            with ThreadPoolExecutor(1) as looking:
                for batch in streaming.batches():
                    looked = looking.submit(look_at, batch)
                    if hidden is None:
                        moved = None if table.keyed is None else batch.places
                        yield _Pair(batch.original, batch.released, moved)
                    else:
                        hidden.add(batch)
                    looked.result()

        pairs: Iterator[_Pair] = in_table_order()
        if hidden is not None:
            list(pairs)
            kept = people is None  # nobody can be found again among the drawn
            pairs = (_Pair(b.original, b.released, b.rows if kept else None) for b in hidden.batches())
        _write_batches(writer, pairs, table.rows, request)
        self.stage("checking every record", 0, 1)
        originals = streaming.originals() if hidden is None else (b.original for b in hidden.batches())
        certificate = certificate_of(writer, originals, streaming, self.stage)
        noted = tuple(order.warnings()) if paired and hidden is None else ()
        return Written(
            self.long.judged(streaming),
            streaming.perturbed(),
            certificate,
            lambda: _frame(writer, request),
            self.long.use(before, after, streaming),
            (*noted, *self.long.said_sample(streaming.sample)),
            counted=None if tallies is None else tallies.finish(),
        )


@dataclass(frozen=True, slots=True)
class _Pair:
    """Records as they were and as they go out, in the order of the release; `rows` if that is another than before."""

    original: Table
    released: Table
    rows: Integers | None = None


def _write_batches(writer: Writer, pairs: Iterator[_Pair], rows: int, request: ReleaseRequest) -> None:
    dialect = writer.reading.dialect
    path = writer.private / ROW_ORDER
    with ExitStack() as opened:
        out = opened.enter_context(
            BatchWriter(writer.released, dialect=dialect, escape_formulas=request.escape_formulas)
        )
        order = None
        for pair in pairs:
            out.write(pair.released)
            if pair.rows is not None:
                if order is None:
                    order = opened.enter_context(path.open("wb"))
                    head = {"descr": "<i8", "fortran_order": False, "shape": (rows,)}
                    npy.write_array_header_1_0(order, head)
                order.write(np.asarray(pair.rows, np.int64).tobytes())


def certificate_of(writer: Writer, originals: Iterator[Table], engine: Engine, stage: Stage) -> Certificate:
    """Read the file back from disk and send both tables through the forest as it is written."""
    schema, plan, own = engine.table.schema, engine.fit.plan, engine.perturbed().plan
    back = read_back(writer, schema)
    certifying = Certifying(
        schema,
        engine.table.rows,
        json.loads(json.dumps(forest_to_json(engine.fit.forest))),
        Claims(plan.keeps_segments, own.promises(schema), plan.paired, own.links),
        threads=engine.threads,
        typed=back.typed,
    )
    rows, done = Rows(back.batches(engine.size)), 0
    for count in certifying.add((original, rows.take(original.rows)) for original in originals):
        done += count
        stage(f"checking every record ({done:,} of {engine.table.rows:,})", done, engine.table.rows)
    if not rows.done:
        raise InputError(f"{writer.released} has more records than were written; nothing was released.")
    return certifying.finish()


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


def from_database(address: str, arguments: Mapping[str, Any], asked: Resolved, stage: Stage) -> InBatches:
    """The way for a table in a database."""
    reads = partial(_read, address_of(address), asked.request.query)
    return InBatches(Long(reads, arguments, asked, stage))


def _read(
    address: Address, query: str | None, scratch: Path, arguments: Mapping[str, Any], looking: Looking
) -> LongReading:
    place = Path(tempfile.mkdtemp(prefix="spool-", dir=scratch))
    as_text = [] if looking.row_key is None else [looking.row_key.column]
    found = spooled_query(address, query, place, arguments.get("missing") or (), as_text)
    return long_reading(found, None, place, arguments, looking)


def _rows(done: Release, released: Path) -> Any:
    """The released rows, as they are in the file; a text file has no types."""
    return (
        rows_of_file(released) if released.suffix == ".parquet" else rows_of_frame(pl.DataFrame(done.frame))
    )


def sent(done: Release, request: ReleaseRequest) -> tuple[str, ...]:
    """Write a release that was cleared into its database; the sentences say where it is, or why it is not."""
    if request.to is None or done.folder is None:
        return ()
    target = address_of(request.to)
    if not done.cleared:
        return (
            f"The release was not written to {target.place}, because it is not cleared; nothing there has changed.",
        )
    released = done.folder / SHARE / str(done.manifest["output"]["file"])
    try:
        write_table(target, lambda: _rows(done, released), request.force)
    except HushwoodError as fault:
        raise InputError(
            f"The release in {done.folder} is complete, but not in the database. {fault}"
        ) from None
    return ()
