"""Two tables of an audit that are read in batches: a sample is judged; what can be counted is counted of all records.

It answers the same questions as tables in memory, so that `audit` has one road.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from hushwood.arrays import Codes, Integers
from hushwood.errors import unknown_name
from hushwood.evaluation.whole_table import LinkTally, Tallies, WholeTable
from hushwood.jobs.audited_release import Released, SideBySide
from hushwood.jobs.folder.release_folder import ReleaseFolder, is_source, options_of, perturbed_sample
from hushwood.jobs.inputs import check_named
from hushwood.jobs.judging import AUDIT_SECRET, AuditPlan
from hushwood.jobs.key_order import ROW_KEY
from hushwood.random_streams import Streams
from hushwood.releasing.certifying.counts import Numbering
from hushwood.releasing.engines.streaming.engine import sample_places
from hushwood.releasing.fitting import keys_of
from hushwood.releasing.perturbed import Perturbed
from hushwood.segments.partition import LeafKeys
from hushwood.stages import Stage
from hushwood.tables.csv.dialect import TextForm
from hushwood.tables.csv.file import unescaped
from hushwood.tables.frames.storage import text_columns, texts_of
from hushwood.tables.long.files import spooled
from hushwood.tables.long.keyed_rows import KeyedRows, RowKey
from hushwood.tables.long.table import Looking, read_long
from hushwood.tables.long.writing import Rows
from hushwood.tables.pairs.common_coding import in_common
from hushwood.tables.pairs.pairing import NONE, ROWS, Pair, not_by_place, unpaired_note
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table

MOST_RECORDS = 250_000  # that are held in memory and judged


class TablesOnDisk:
    """Two tables of any length, read in batches: a sample is judged, and what can be counted is counted of all."""

    def __init__(
        self, original: Path, release: Released, asked: AuditPlan, given: Mapping[str, Any], scratch: Path
    ) -> None:
        self.asked, self.folder, self.scratch = asked, release.folder, scratch
        request = asked.request
        arguments, self.same = release.how_to_read(original, given)
        looking = Looking(request.memory, request.threads, self._sample, _row_key(release.folder))
        self.read = read_long(original, scratch, arguments, looking)
        check_named(self.read.table.schema, arguments.get("roles") or ())
        if self.folder is not None and self.same is None:
            self.same = is_source(self.folder, self.read)

    def side_by_side(self, release: Released) -> SideBySide:
        """The released rows that belong to the sample."""
        found = spooled(
            Path(str(release.table)),
            Path(tempfile.mkdtemp(prefix="release-", dir=self.scratch)),
            missing=tuple(self.read.form.get("missing", ())),
            form=TextForm.of(self.read.form).for_release(),
            as_text=text_columns(self.read.records.schema),
        )
        self.released = found.files
        # Two tables are worked on at a time.
        self.size = self.read.records.batch_rows(self.asked.request.memory // 2)
        self.by_place = False
        places, match, notes = self._partners(release)
        order = np.argsort(places)
        frame = self._as_written(self.released.at(places[order], self.size)[np.argsort(order)])
        return SideBySide(frame, match, notes=notes)

    def made_again(self, folder: ReleaseFolder, released: Table) -> Perturbed | None:
        """How the release was made, worked out again for the sample."""
        threads = self.asked.request.threads
        return perturbed_sample(
            folder, self.read.table, self._sampled, self.read.records.rows, released, threads
        )

    def count(
        self, pair: Pair, perturbed: Perturbed | None, links: LinkTally, stage: Stage
    ) -> WholeTable | None:
        """Count what can be counted of all records, side by side; None if the sample has them all."""
        rows = self.read.records.rows
        if pair.original.rows == rows and pair.released.rows == self.released.total:
            links.add(pair.original, pair.released, pair.generalised)
            return None
        paired = self.by_place and pair.partner is not None
        tallies = Tallies.of(pair.original.schema, self.asked.level, paired=paired)
        segments = _Segments(perturbed, self.read.records.schema)
        if pair.generalised:
            tallies.give_up()
        for batch, records in self._batches():
            if batch.generalised:
                tallies.give_up()
            tallies.add(batch.original, batch.released, segments.of(records))
            links.add(batch.original, batch.released, batch.generalised)
            stage(f"counting all records ({tallies.records:,} of {rows:,})", tallies.records, rows)
        return tallies.finish()

    @property
    def notes(self) -> tuple[str, ...]:
        """That only a sample was judged."""
        sample, rows = len(self._sampled), self.read.records.rows
        if sample >= rows and self.released.total <= MOST_RECORDS:
            return ()
        said = (
            f"The tables are long, so a random sample of {sample:,} of the original's {rows:,} records was judged; "
            "only what can be counted in passing is about all records."
        )
        return (said,)

    @property
    def _sampled(self) -> Integers:
        """The places of the records that are judged."""
        table = self.read.records
        return np.arange(table.rows) if table.sampled is None else table.sampled[0]

    def _sample(self, rows: int, keyed: KeyedRows | None) -> Integers:
        """The sample: of a release of our own the one that it was learnt on; its laws can then be worked out again."""
        options = None if self.folder is None else options_of(self.folder, self.asked.request.threads)
        streams = None if self.folder is None else self.folder.streams
        if streams is not None and options is not None and options.forest_rows <= MOST_RECORDS:
            return sample_places(rows, options, streams, keyed)
        return Streams(AUDIT_SECRET).sample("audit", "", rows, MOST_RECORDS)

    def _partners(self, release: Released) -> tuple[Integers, str | None, tuple[str, ...]]:
        """The released rows: found by the private map, by position, or by a column; or some of their own drawn."""
        original, places = self.read.records, self._sampled
        before, after, wanted = original.rows, self.released.total, self.asked.request.match
        match, order = release.match_of(wanted), release.order_for(wanted)
        if order is not None and len(order) == before == after:
            partner = np.empty(before, np.int64)
            partner[order] = np.arange(after)
            source = places if original.keyed is None else original.keyed.places_at(0, before)[places]
            return partner[source], ROWS, ()
        if match in {None, ROWS} and before == after:
            self.by_place = True
            return places, match, ()
        if match == ROWS:
            raise not_by_place(before, after)
        if match not in {None, NONE}:
            return self._by_key(str(match)), match, ()
        # As in a pair that is sampled in memory.
        drawn = Streams(AUDIT_SECRET).sample("pairing", "released", after, max(len(places), 1))
        return drawn, NONE, () if match == NONE else (unpaired_note(before, after),)

    def _by_key(self, name: str) -> Integers:
        """The released rows with the keys of the sample; a key that occurs twice is found out when they are paired."""
        files = self.read.records.files
        for columns in (files.schema.names(), self.released.schema.names()):
            if name not in columns:
                raise unknown_name("column to match by", name, columns)
        key = files.at(self._sampled, self.size, [name])[name]
        wanted = texts_of(key).drop_nulls().alias("key").to_frame()
        places = []
        for first, frame in self.released.frames(self.size, [name]):
            texts = texts_of(frame[name]).alias("key").to_frame().with_row_index("row")
            places.append(
                texts.join(wanted.unique(), on="key", how="semi")["row"].to_numpy() + np.int64(first)
            )
        table = self.read.table
        if name not in table.columns:  # a column that names people is not read otherwise
            carried = {column.name: column for column in table.carried} | {name: key}
            self.read = replace(self.read, table=replace(table, carried=pl.DataFrame(carried)))
        return np.sort(np.concatenate(places))

    def _as_written(self, released: pl.DataFrame) -> pl.DataFrame:
        return unescaped(released) if self.folder and self.folder.escaped_formulas else released

    def _batches(self) -> Iterator[tuple[Pair, Table]]:
        """Both tables side by side in one coding, and the original with all its columns, until both have ended."""
        rows = Rows(self._as_written(frame) for _, frame in self.released.frames(self.size))
        nothing = self.released.lazy().head(0).collect()
        records = None
        for _, records in self.read.records.batches(self.size):
            frame = rows.take(records.rows)
            yield self._in_common(records, frame if frame.height else nothing), records
        while records is not None and not rows.done:
            records = records.take(np.empty(0, np.int64))
            yield self._in_common(records, rows.take(self.size)), records

    def _in_common(self, original: Table, released: pl.DataFrame) -> Pair:
        labels = self.folder.labels if self.folder else None
        common = in_common(original, released, self.asked.taxonomies, None, labels)
        return Pair(common.original, common.others[0], None, generalised=common.generalised)


def _row_key(folder: ReleaseFolder | None) -> RowKey | None:
    """The column by which the release knew its rows; it helps only if the order of the released rows is known."""
    column = None if folder is None else folder.plan.get(ROW_KEY)
    if folder is None or column is None or folder.streams is None or folder.trusted_order is None:
        return None
    return RowKey(column, folder.streams)


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
