"""Release a table of any length from its files, in batches: the same steps as `release`, and never the whole in memory.

What is measured is measured on the sample that the rules were learnt on; the certificate is about every record.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import polars as pl
from numpy.lib import format as npy

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.evaluation.whole_table import Tallies
from hushwood.jobs.folder.exchange import held_signals
from hushwood.jobs.folder.keys import Use, booked, check_other_table, noticed, seed_warnings
from hushwood.jobs.folder.made_again import ContentDigest
from hushwood.jobs.folder.release_files import RowOrder, Writer
from hushwood.jobs.folder.whole_folders import ROW_ORDER, whole_folder
from hushwood.jobs.inputs import check_named
from hushwood.jobs.key_order import with_row_key
from hushwood.jobs.preparing import prepared_long
from hushwood.jobs.release import Release, Written, checked, is_shuffled, published
from hushwood.jobs.release_evidence import tallies_for
from hushwood.jobs.requests import ReleaseRequest
from hushwood.jobs.resolve import Resolved, resolve
from hushwood.policies.policy import Policy
from hushwood.random_streams import Streams
from hushwood.releasing.certificate import Certificate, Certifying
from hushwood.releasing.engines.output_order import SecretOrder
from hushwood.releasing.engines.streaming import ReleasedBatch, Streaming, sample_places
from hushwood.releasing.fitting import Fit, Sample
from hushwood.releasing.linking import own_schema
from hushwood.releasing.perturbed import Perturbed
from hushwood.stages import Stage, silent
from hushwood.tables.formats.files import BatchesOnDisk
from hushwood.tables.frames.storage import text_columns
from hushwood.tables.long.keyed_rows import RowKey
from hushwood.tables.long.table import (
    LongReading,
    LongTable,
    Looking,
    as_reading,
    read_long,
    with_identifiers,
)
from hushwood.tables.long.writing import BatchWriter, Rows
from hushwood.tables.recoding.preparation import Preparation
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_to_json

SCRATCH = "scratch"


class Engine(Protocol):
    """What an engine for long tables knows when it has learnt from the sample."""

    table: LongTable
    sample: Sample
    fit: Fit
    size: int
    threads: int

    def perturbed(self) -> Perturbed:
        """How the release was made."""

    def close(self) -> None:
        """Close its files."""


class Way(Protocol):
    """How a long table is read, changed and written: in batches here, or by others."""

    def read(
        self, scratch: Path, arguments: Mapping[str, Any], request: ReleaseRequest, streams: Streams
    ) -> LongReading:
        """Look at the table, and note its sample; `scratch` is removed in the end."""

    def fit(self, table: LongTable, request: ReleaseRequest, forest: Forest | None) -> Engine:
        """Learn from the sample."""

    def write(self, writer: Writer, request: ReleaseRequest, policy: Policy) -> tuple[Written, Use]:
        """Write the released table and certify it; also what recognises the table and the release."""


Read = Callable[[Path, Mapping[str, Any], Looking], LongReading]
"""Reads and describes a table, given a scratch folder and the arguments of `reading.read`."""


def release_long(
    path: Path, arguments: Mapping[str, Any], request: ReleaseRequest | Resolved, stage: Stage = silent
) -> Release:
    """Make a release of a file, or of a folder of files, in batches; nothing is left behind if any part of it fails.

    `arguments` are those of `reading.read`.
    """
    asked = resolve(request, path, arguments)
    return released_by(InBatches(partial(read_long, path), stage), arguments, asked, stage)


def released_by(way: Way, arguments: Mapping[str, Any], asked: Resolved, stage: Stage) -> Release:
    """Make a release of a table that is not held in memory."""
    request, policy, streams = asked.request, asked.policy, asked.streams
    arguments = with_row_key(arguments, request.row_key)
    with ExitStack() as until_shown, whole_folder(request.output, request.force) as aside:
        scratch = aside / "private" / SCRATCH
        scratch.mkdir(mode=0o700)
        stage("reading the table", 0, 1)
        long = way.read(scratch, arguments, request, streams)
        check_named(long.table.schema, arguments.get("roles") or ())
        shown = as_reading(long)
        checked(shown, request)
        if request.key_has_a_past:
            check_other_table(streams, shown, request.output, request.seed_file)
        table, prepared = prepared_long(long.table, request, long.form)
        with closing(way.fit(table, request, asked.forest)) as engine:
            reading = replace(shown, table=with_identifiers(engine.sample.records, table))
            writer = Writer(aside, shown, streams, request.escape_formulas)
            made, use = way.write(writer, request, policy)
            perturbed = engine.perturbed()
        noted = (
            *seed_warnings(streams, request.seed),
            *shown.notes,
            *noticed(request.ledger, use, request.reuse_key),
            *made.noted,
        )
        shutil.rmtree(scratch)
        made = replace(made, noted=noted)
        done = published(writer, reading, request, policy, perturbed, prepared, made, stage)
        ledger = None if request.dry_run else request.ledger
        # A signal after the exchange must not keep the release out of the ledger.
        until_shown.enter_context(held_signals())
        use = replace(use, held=request.output is not None and not done.cleared)
        trouble = until_shown.enter_context(booked(ledger, use, request.reuse_key))
    return replace(done, warnings=tuple(dict.fromkeys((*done.warnings, *trouble))))


def _tallies(streaming: Streaming, request: ReleaseRequest, policy: Policy) -> Tallies | None:
    """What is counted of all records on the way, if only a sample is judged."""
    if not streaming.sample.is_part:
        return None
    schema, paired = streaming.table.schema, streaming.fit.plan.row_order != "none"
    return tallies_for(schema, request.evidence, request.options, policy, paired=paired)


def looking_for(request: ReleaseRequest, streams: Streams) -> Looking:
    """How a release looks at its table: the keyed sample is noted on the way."""
    return Looking(
        request.memory,
        request.options.threads,
        lambda rows, keyed: sample_places(rows, request.options, streams, keyed),
        None if request.row_key is None else RowKey(request.row_key, streams),
    )


class InBatches:
    """The streaming engine, for whatever can be read in batches."""

    def __init__(self, reads: Read, stage: Stage) -> None:
        self.reads, self.stage = reads, stage

    def read(
        self, scratch: Path, arguments: Mapping[str, Any], request: ReleaseRequest, streams: Streams
    ) -> LongReading:
        """Look at the table, and note its sample."""
        self.scratch, self.streams = scratch, streams
        return self.reads(scratch, arguments, looking_for(request, streams))

    def fit(self, table: LongTable, request: ReleaseRequest, forest: Forest | None) -> Streaming:
        """Learn from the sample."""
        self.streaming = Streaming(
            table, request.options, self.streams, self.scratch, memory=request.memory, stage=self.stage
        )
        with ExitStack() as unless_fitted:
            unless_fitted.callback(self.streaming.close)
            self.streaming.learn(forest)
            unless_fitted.pop_all()
        return self.streaming

    def write(self, writer: Writer, request: ReleaseRequest, policy: Policy) -> tuple[Written, Use]:
        """Write the released table and certify it."""
        tallies = _tallies(self.streaming, request, policy)
        return _written(writer, self.streaming, request, self.stage, tallies)


@dataclass(frozen=True, slots=True)
class _Pair:
    """Records as they were and as they go out, in the order of the release; `rows` if that is another than before."""

    original: Table
    released: Table
    rows: Integers | None = None


def _written(
    writer: Writer,
    streaming: Streaming,
    request: ReleaseRequest,
    stage: Stage,
    tallies: Tallies | None,
) -> tuple[Written, Use]:
    """Write the released table batch by batch, and certify the file; also what recognises the table and the release."""
    table, plan = streaming.table, streaming.fit.plan
    new = own_schema(streaming.outcomes.schema, streaming.fit.linked)
    before, after = ContentDigest(table.schema), ContentDigest(new)
    order = RowOrder()
    secret = is_shuffled(plan, request)
    hidden = None
    if secret:
        hidden = SecretOrder(streaming.scratch, table.rows, streaming.size, streaming.streams)
        streaming.until_closed(hidden)

    def look_at(batch: ReleasedBatch) -> None:
        if table.preparation is None:
            before.add(batch.original)
        after.add(batch.released)
        order.add(batch.original)
        if tallies is not None:
            tallies.add(batch.original, batch.released, batch.segment_ids)

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
        pairs = (_Pair(b.original, b.released, b.rows) for b in hidden.batches())
    _write_batches(writer, pairs, table.rows, request)
    stage("checking every record", 0, 1)
    originals = streaming.originals() if hidden is None else (b.original for b in hidden.batches())
    certificate = certificate_of(writer, originals, streaming, stage)
    if hidden is not None:
        hidden.close()
    read = before.digest() if table.preparation is None else digest_as_read(table, streaming.size)
    use = Use(streaming.streams.key_id, read, after.digest() + bytes([secret]))
    paired = plan.row_order != "none"
    noted = tuple(order.warnings()) if paired and not secret else ()
    sampled = said_sample(streaming, request)
    counted = None if tallies is None else tallies.finish()
    return Written(certificate, lambda: _frame(writer, request), (*noted, *sampled), counted=counted), use


def digest_as_read(table: LongTable, size: int) -> bytes:
    """What recognises a table however it was prepared, so that a second release of it is noticed."""
    as_read = table.prepared(Preparation())
    found = ContentDigest(as_read.schema)
    for _, records in as_read.batches(size):
        found.add(records)
    return found.digest()


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
    back = BatchesOnDisk(
        writer.released,
        form=writer.reading.released_form,
        as_text=text_columns(schema),
        escaped_formulas=writer.escape_formulas,
    )
    certifying = Certifying(
        schema,
        engine.table.rows,
        json.loads(json.dumps(forest_to_json(engine.fit.forest))),
        plan.keeps_segments,
        own.promises(schema),
        paired=plan.row_order != "none",
        threads=engine.threads,
        typed=back.typed,
        kept_links=own.links,
    )
    rows, done = Rows(back.batches(engine.size)), 0
    for count in certifying.add((original, rows.take(original.rows)) for original in originals):
        done += count
        stage(f"checking every record ({done:,} of {engine.table.rows:,})", done, engine.table.rows)
    if not rows.done:
        raise InputError(f"{writer.released} has more records than were written; nothing was released.")
    return certifying.finish()


def said_sample(engine: Engine, request: ReleaseRequest) -> tuple[str, ...]:
    """That numbers come from a sample; the certificate does not."""
    sample = engine.sample
    if not sample.is_part or request.evidence == "none":
        return ()
    said = (
        "The table is long, so what analysts keep and what an intruder learns was measured on a random sample of "
        f"{sample.records.rows:,} of its {sample.of:,} records; intervals are those of the sample. The certificate "
        "is about every record."
    )
    return (said,)


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
