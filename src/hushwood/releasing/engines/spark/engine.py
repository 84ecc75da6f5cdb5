"""The engine for clusters: the fitted release goes to every worker, and each block of the table is changed there.

The driver learns from the keyed sample, as every engine does. Workers look at the table (its columns, then its
segments), exchange what changes places, and write the released blocks. So values are those of the other engines.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from hushwood.arrays import Integers
from hushwood.random_streams import Streams
from hushwood.releasing.engines.spark.exchange import Block, blocks_of, buckets_of
from hushwood.releasing.engines.spark.session import Cluster
from hushwood.releasing.engines.spark.tasks import (
    BACK,
    THERE,
    TIMES,
    ChangeRecords,
    Done,
    DrawPeople,
    Find,
    Look,
    OrderRecords,
    files_of,
    frames_in,
    keys_file,
    places_file,
)
from hushwood.releasing.engines.streaming.engine import sample_of
from hushwood.releasing.fitted import Outcomes, PartOutcome
from hushwood.releasing.fitting import Fit, Fitting
from hushwood.releasing.linking import linked_names, own_schema
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturbed import Perturbed
from hushwood.releasing.release_warnings import ChangeCounts
from hushwood.segments.partition import columns_tested
from hushwood.stages import Stage, silent
from hushwood.tables.frames.table_frames import table_from_frame
from hushwood.tables.long.describing import Described
from hushwood.tables.long.files import ParquetFiles
from hushwood.tables.long.table import LongTable
from hushwood.tables.resampling import IDS, table_of_drawn, times_drawn
from hushwood.tables.schema import Schema
from hushwood.trees.forest import Forest


@dataclass(frozen=True, slots=True)
class Ordered:
    """Original and released records in the order in which they go out, and files that say where each of them was."""

    originals: LongTable
    released: ParquetFiles
    places: list[Path]


class OnSpark:
    """One release of a table in files that all workers see; `scratch` is a folder of its own, which the caller removes.

    on_spark = OnSpark(cluster, options, streams, scratch)
    long = read_long(path, scratch, arguments, Looking(describe=on_spark.describe))
    on_spark.learn(long.records)
    on_spark.change(folder)
    on_spark.perturbed()
    """

    def __init__(
        self,
        cluster: Cluster,
        options: PerturbOptions,
        streams: Streams,
        scratch: Path,
        stage: Stage = silent,
    ) -> None:
        self.cluster, self.options, self.streams, self.scratch = cluster, options, streams, scratch
        self.stage, self.threads = stage, options.threads
        for name in ("sample", "keys", "released-sample", THERE, BACK):
            (scratch / name).mkdir()

    def describe(
        self,
        files: ParquetFiles,
        carried: frozenset[str],
        classes: frozenset[str],
        size: int,
        threads: int,
        places: Integers | None = None,
    ) -> Described:
        """Look at all rows once; rows at `places` are kept, and `size` is that of a block."""
        self.size = self.options.chunk_rows or size
        self.blocks: list[Block] = blocks_of(files, self.size)
        wanted = np.zeros(0, np.int64) if places is None else places
        folder = self.scratch / "sample"
        first, *others = self.cluster.each(Look(files, carried, classes, wanted, folder), self.blocks)
        for other in others:
            first.merge(other)
        return replace(first.described(), sample=None if places is None else frames_in(folder))

    def learn(self, table: LongTable, forest: Forest | None = None) -> None:
        """Learn the rules and the noise on the sample, and find the segments of all records."""
        if self.options.drawn:
            table = self._drawn(table)
        self.table, self.sent = table, replace(table, counts={}, sampled=None)
        self.places, self.sample = sample_of(table, self.options, self.streams, self.size)
        columns = (batch.columns for _, batch in table.batches(self.size, linked_names(table.schema)))
        fitting = Fitting.of(self.sample, self.options, self.streams, forest, self.stage, columns)
        found = fitting.found()
        if fitting.plan.over != "table":
            self.stage("finding the segments", 0, 1)
            tested = tuple(sorted(columns_tested(fitting.forest))) or table.schema.names[:1]
            find = Find(self.sent, fitting.leaf_keys, tested, self.scratch / "keys")
            for keys, members in self.cluster.each(find, self.blocks):
                found.merge(keys, members)
        self.stage("preparing the technique", 0, 1)
        self.fit: Fit = fitting.fit(found).taught(self.sample, self.streams)

    def _drawn(self, table: LongTable) -> LongTable:
        """The table of the drawn people, block by block."""
        self.stage("drawing the people", 0, 1)
        folder = self.scratch / "drawn"
        folder.mkdir()
        np.save(folder / TIMES, times_drawn(table.rows, self.streams))
        rows = self.cluster.each(DrawPeople(replace(table, counts={}, sampled=None), folder), self.blocks)
        self.blocks = [
            Block(block.number, first, own)
            for block, first, own in zip(self.blocks, np.cumsum([0, *rows]).tolist(), rows, strict=False)
        ]
        with (folder / IDS).open("wb") as ids:
            for block in self.blocks:
                ids.write(np.load(keys_file(folder, block)).tobytes())
        return table_of_drawn(table, files_of(folder, self.blocks), folder)

    def change(self, into: Path) -> ParquetFiles:
        """Write the released blocks to a folder, in the order of the table."""
        self.stage("changing the values", 0, 1)
        job = ChangeRecords(
            self.sent,
            self.fit,
            tuple(self.blocks),
            self.streams,
            self.scratch / "keys",
            self.places,
            self.scratch / "released-sample",
            self.scratch,
            into,
        )
        free = self.fit.linked.free
        self.outcomes = Outcomes(free)
        self.changes = ChangeCounts(self.fit.plan, free, self.fit.prepared)
        self.sizes = np.zeros(self.fit.segments.count, np.int64)
        reports: dict[int, PartOutcome] = {}
        for done in self._changed(job):
            self.changes.merge(done.changes)
            self.sizes += done.sizes
            reports |= done.reports
        for part in sorted(reports):
            self.outcomes.add(reports[part])
        return files_of(into, self.blocks)

    def _changed(self, job: ChangeRecords) -> list[Done]:
        """Every block changed, after records were exchanged if the plan asks for it."""
        if not job.parts:
            return self.cluster.each(job.change_block, self.blocks)
        parts = buckets_of(self.scratch / THERE, self.cluster.each(job.gather, self.blocks))
        blocks = buckets_of(self.scratch / BACK, self.cluster.each(job.change_part, parts))
        shutil.rmtree(self.scratch / THERE)
        return self.cluster.each(job.change_block, blocks)

    def in_secret_order(self, released: ParquetFiles, into: Path) -> Ordered:
        """Write released blocks to another folder in the order in which they go out, and the originals with them."""
        self.stage("bringing the records into a secret order", 0, 1)
        originals, pieces = self.scratch / "originals", self.scratch / "order"
        for folder in (originals, pieces):
            folder.mkdir()
        job = OrderRecords(self.sent, released, tuple(self.blocks), self.streams, pieces, originals, into)
        rows = self.cluster.each(job.sort, buckets_of(pieces, self.cluster.each(job.scatter, self.blocks)))
        buckets = [Block(number, 0, count) for number, count in enumerate(rows) if count]
        return Ordered(
            replace(self.table, files=files_of(originals, buckets), keyed=None, sampled=None),
            files_of(into, buckets),
            [places_file(originals, bucket.number) for bucket in buckets],
        )

    @property
    def released_schema(self) -> Schema:
        """The columns that go out."""
        schema = own_schema(self.outcomes.schema, self.fit.linked)
        return replace(schema, attributes=tuple(a for a in schema.attributes if a.role != "identifier"))

    def close(self) -> None:
        """Nothing is open: whoever began the session ends it."""

    def perturbed(self) -> Perturbed:
        """How the release was made, with the sample in the place of the table; when all blocks were changed."""
        sample = table_from_frame(frames_in(self.scratch / "released-sample"), self.released_schema)
        return self.fit.reported(self.sample.records, sample, self.changes, self.sizes, self.outcomes)
