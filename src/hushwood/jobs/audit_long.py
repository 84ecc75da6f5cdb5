"""Audit two files of any length: what can be counted is counted of all records, all else is measured on a sample.

Both files are read in batches. `audit` judges tables that fit into memory, and its `judge_source` the sample here.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from hushwood.arrays import Codes, Integers
from hushwood.evaluation.whole_table import LinkTally, Tallies, WholeTable
from hushwood.jobs.asked import Asked
from hushwood.jobs.audit import AUDIT_SECRET, Audit, Source, check_original, frame_of, judge_source
from hushwood.jobs.audited_release import how_to_read, links_to_count
from hushwood.jobs.folder.perturbed_sample import perturbed_sample
from hushwood.jobs.folder.release_folder import (
    ReleaseFolder,
    as_published,
    is_source,
    options_of,
    preparation_of,
)
from hushwood.jobs.inputs import check_named
from hushwood.jobs.key_order import ROW_KEY
from hushwood.jobs.long_pairing import Paired, paired_rows
from hushwood.jobs.preparing import long_links, prepared_for
from hushwood.random_streams import Streams
from hushwood.releasing.certifying.counts import Numbering
from hushwood.releasing.engines.streaming.engine import sample_places
from hushwood.releasing.fitting import keys_of
from hushwood.releasing.perturbed import Perturbed
from hushwood.segments.partition import LeafKeys
from hushwood.stages import Stage
from hushwood.tables.csv.dialect import TextForm
from hushwood.tables.csv.file import unescaped
from hushwood.tables.frames.storage import text_columns
from hushwood.tables.long.files import ParquetFiles
from hushwood.tables.long.keyed_rows import KeyedRows, RowKey
from hushwood.tables.long.spooling import spooled
from hushwood.tables.long.table import LongReading, LongTable, Looking, as_reading, read_long
from hushwood.tables.long.writing import Rows
from hushwood.tables.pairs.common_coding import in_common
from hushwood.tables.pairs.pairing import Pair, pair_up
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table

MOST_RECORDS = 250_000  # that are held in memory and judged


@dataclass(frozen=True, slots=True)
class LongPair:
    """An original and a release on disk, and how many rows of them to read at a time."""

    original: LongTable
    released: ParquetFiles
    escaped_formulas: bool
    size: int

    def frames(self) -> Iterator[pl.DataFrame]:
        """The release in batches."""
        for _, frame in self.released.frames(self.size):
            yield unescaped(frame) if self.escaped_formulas else frame

    def released_at(self, places: Integers) -> pl.DataFrame:
        """Released rows in the order of their places."""
        order = np.argsort(places)
        found = self.released.at(places[order], self.size)[np.argsort(order)]
        return unescaped(found) if self.escaped_formulas else found

    def batches(self, asked: Asked, folder: ReleaseFolder | None) -> Iterator[tuple[Pair, Table]]:
        """Both tables side by side in one coding, and the original with all its columns, until both have ended."""
        rows, labels = Rows(self.frames()), folder.labels if folder else None
        nothing = self.released.lazy().head(0).collect()
        last = None
        for _, last in self.original.batches(self.size):
            frame = rows.take(last.rows)
            yield _in_common(last, frame if frame.height else nothing, asked, labels), last
        while last is not None and not rows.done:
            none = last.take(np.empty(0, np.int64))
            yield _in_common(none, rows.take(self.size), asked, labels), none


def _in_common(original: Table, released: pl.DataFrame, asked: Asked, labels: Any) -> Pair:
    common = in_common(original, released, asked.taxonomies, None, labels)
    return Pair(common.original, common.others[0], None, generalised=common.generalised)


def audit_long(
    original: Path,
    released: Path,
    asked: Asked,
    folder: ReleaseFolder | None,
    given: Mapping[str, Any],
    stage: Stage,
) -> Audit:
    """Judge a release of a file, or of a folder of files, in bounded memory; `given` are those of `reading.read`."""
    arguments, same = how_to_read(original, folder, given)
    request = asked.request
    with tempfile.TemporaryDirectory(prefix="hushwood-audit-") as name:
        scratch = Path(name)
        stage("reading the table", 0, 1)
        long = read_long(original, scratch, arguments, _looking(asked, folder))
        check_named(long.table.schema, arguments.get("roles") or ())
        preparation, changed = preparation_of(folder, long.table.schema)
        prepared = prepared_for(preparation, as_reading(long).table)
        before = long.table.schema
        long = replace(long, table=long.table.prepared(preparation))
        links, found = links_to_count(
            request.links,
            folder,
            long.table.schema,
            lambda: long_links(request.links, long.table, before, request.memory),
        )
        read, assumed = as_published(folder, as_reading(long))
        check_original(read, asked.taxonomies)
        same = is_source(folder, read) if folder is not None and same is None else same
        stage("reading the release", 0, 1)
        tables = _tables(long, folder.released if folder else released, folder, scratch, request.memory)
        paired = paired_rows(
            tables.original, tables.released, _noted(long), asked.request.match, folder, tables.size
        )
        read = paired.with_key(read)
        frame = tables.released_at(paired.released)
        holdout = None if request.holdout is None else frame_of(request.holdout, read)
        holdout = None if holdout is None else preparation.coarse.on_frame(holdout, before)
        pair = pair_up(
            read.table,
            frame,
            Streams(AUDIT_SECRET),
            match=paired.match,
            taxonomies=asked.taxonomies,
            holdout=holdout,
            labels=folder.labels if folder else None,
        )
        pair = replace(pair, notes=(*pair.notes, *paired.notes))

        def again(folder: ReleaseFolder, table: Table) -> Perturbed | None:
            return perturbed_sample(folder, read.table, _noted(long), long.table.rows, table, request.threads)

        def count(pair: Pair, perturbed: Perturbed | None) -> WholeTable | None:
            return _counted(tables, pair, paired, asked, folder, perturbed, stage, links)

        notes = (*assumed, *changed, *found, *_said(long, tables))
        source = Source(released, folder, same, notes, again, links)
        judged = judge_source(read, pair, asked, source, stage, count)
        return replace(judged, evaluation=prepared.with_losses(judged.evaluation))


def _looking(asked: Asked, folder: ReleaseFolder | None) -> Looking:
    """How the original is looked at: the sample that is judged is noted on the way."""
    memory, threads = asked.request.memory, asked.request.threads
    return Looking(
        memory, threads, lambda rows, keyed: _places(rows, keyed, folder, threads), _row_key(folder)
    )


def _row_key(folder: ReleaseFolder | None) -> RowKey | None:
    """The column by which the release knew its rows; it helps only if the order of the released rows is known."""
    column = None if folder is None else folder.plan.get(ROW_KEY)
    if folder is None or column is None or folder.streams is None or folder.trusted_order is None:
        return None
    return RowKey(column, folder.streams)


def _places(rows: int, keyed: KeyedRows | None, folder: ReleaseFolder | None, threads: int) -> Integers:
    """The sample: of a release of our own the one that it was learnt on, whose laws can then be worked out again."""
    options = None if folder is None else options_of(folder, threads)
    streams = None if folder is None else folder.streams
    if streams is not None and options is not None and options.forest_rows <= MOST_RECORDS:
        return sample_places(rows, options, streams, keyed)
    return Streams(AUDIT_SECRET).sample("audit", "", rows, MOST_RECORDS)


def _noted(long: LongReading) -> Integers:
    return np.arange(long.table.rows) if long.table.sampled is None else long.table.sampled[0]


def _tables(
    long: LongReading, released: Path, folder: ReleaseFolder | None, scratch: Path, memory: int
) -> LongPair:
    place = Path(tempfile.mkdtemp(prefix="release-", dir=scratch))
    found = spooled(
        released,
        place,
        missing=tuple(long.form.get("missing", ())),
        form=TextForm.of(long.form).for_release(),
        as_text=text_columns(long.table.schema),
    )
    # Two tables are worked on at a time.
    size = long.table.batch_rows(memory // 2)
    return LongPair(long.table, found.files, folder is not None and folder.escaped_formulas, size)


def _said(long: LongReading, tables: LongPair) -> tuple[str, ...]:
    sample = len(_noted(long))
    if sample >= long.table.rows and tables.released.total <= MOST_RECORDS:
        return ()
    said = (
        f"The tables are long, so a random sample of {sample:,} of the original's {long.table.rows:,} records was "
        "judged; only what can be counted in passing is about all records."
    )
    return (said,)


def _counted(
    tables: LongPair,
    pair: Pair,
    paired: Paired,
    asked: Asked,
    folder: ReleaseFolder | None,
    perturbed: Perturbed | None,
    stage: Stage,
    links: LinkTally,
) -> WholeTable | None:
    """What can be counted of all records of both files, side by side; None if the sample has them all."""
    rows = tables.original.rows
    if pair.original.rows == rows and pair.released.rows == tables.released.total:
        links.add(pair.original, pair.released, pair.generalised)
        return None
    tallies = Tallies.of(
        pair.original.schema, asked.level, paired=paired.by_place and pair.partner is not None
    )
    segments = _Segments(perturbed, tables.original.schema)
    if pair.generalised:
        tallies.give_up()
    for batch, whole in tables.batches(asked, folder):
        if batch.generalised:
            tallies.give_up()
        tallies.add(batch.original, batch.released, segments.of(whole))
        links.add(batch.original, batch.released, batch.generalised)
        stage(f"counting all records ({tallies.records:,} of {rows:,})", tallies.records, rows)
    return tallies.finish()


class _Segments:
    """The segments of any records, numbered in the order in which they are met; none where they are not known."""

    def __init__(self, perturbed: Perturbed | None, schema: Schema) -> None:
        known = perturbed is not None and perturbed.paired
        self.plan = perturbed.plan if perturbed is not None and known else None
        self.keys = LeafKeys(perturbed.forest, schema) if perturbed is not None and known else None
        self.numbers = Numbering()

    def of(self, table: Table) -> Codes | None:
        if self.plan is None or self.keys is None:
            return None
        keys = keys_of(self.plan, self.keys, table.columns, table.rows).view(np.int64)
        return self.numbers.of(np.zeros(table.rows, np.int64), keys).astype(np.int32)
