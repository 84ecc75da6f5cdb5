"""Release a table on Spark: the same steps as `release_long`, with the work on records handed out to its workers.

The driver looks at every record once more, in batches and without Spark: for the certificate, and to recognise the
table and the release.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hushwood.jobs.folder.keys import Use
from hushwood.jobs.folder.made_again import ContentDigest
from hushwood.jobs.folder.release_files import RowOrder, Writer
from hushwood.jobs.folder.whole_folders import ROW_ORDER
from hushwood.jobs.release import Release, Written, is_shuffled
from hushwood.jobs.release_long import (
    certificate_of,
    digest_as_read,
    looking_for,
    released_by,
    said_sample,
    where_released,
)
from hushwood.jobs.requests import ReleaseRequest
from hushwood.jobs.resolve import Resolved, resolve
from hushwood.policies.policy import Policy
from hushwood.random_streams import Streams
from hushwood.releasing.engines.spark.cluster import Cluster
from hushwood.releasing.engines.spark.engine import OnSpark
from hushwood.releasing.engines.spark.session import spark_session
from hushwood.releasing.engines.spark.sources import Kept, Source, source_of
from hushwood.stages import Stage, silent
from hushwood.tables.frames.table_frames import table_from_frame
from hushwood.tables.long.files import ParquetFiles
from hushwood.tables.long.table import LongReading, LongTable, long_reading
from hushwood.tables.long.writing import BatchWriter
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest


def release_spark(
    source: object, arguments: Mapping[str, Any], request: ReleaseRequest | Resolved, stage: Stage = silent
) -> Release:
    """Make a release of files, of a Spark table ("table:NAME") or of a Spark frame, which then comes back as one.

    `arguments` are those of `reading.read`. Nothing is left behind if any part of it fails.
    """
    asked = resolve(request, source, arguments)
    found = source_of(source, asked.request.row_key)
    with ExitStack() as until_done:
        way = _OnSpark(found, stage, until_done)
        return released_by(way, arguments, asked, stage)


class _OnSpark:
    """The Spark engine; its session ends when the table is written, unless it was there before."""

    def __init__(self, source: Source, stage: Stage, until_done: ExitStack) -> None:
        self.source, self.stage, self._until_done = source, stage, until_done

    def read(
        self, scratch: Path, arguments: Mapping[str, Any], request: ReleaseRequest, streams: Streams
    ) -> LongReading:
        self.scratch, self.streams = scratch, streams
        self.stage("starting Spark", 0, 1)
        session = self._until_done.enter_context(spark_session(request.spark_master, scratch))
        cluster = Cluster(session)
        self.stage("reading the table", 0, 1)
        spooled = self.source.spooled(cluster, scratch, arguments)
        self.engine = OnSpark(cluster, request.options, streams, scratch, self.stage)
        looking = replace(looking_for(request, streams), describe=self.engine.describe)
        return long_reading(spooled, self.source.path, scratch, arguments, looking)

    def fit(self, table: LongTable, request: ReleaseRequest, forest: Forest | None) -> OnSpark:
        self.engine.options = request.options
        self.engine.learn(table, forest)
        return self.engine

    def write(self, writer: Writer, request: ReleaseRequest, policy: Policy) -> tuple[Written, Use]:
        """Write the released table, and close the session: the rest needs no cluster."""
        secret = is_shuffled(self.engine.fit.plan, request)
        in_parts = writer.released.suffix == ".parquet"
        final = writer.released if in_parts else self.scratch / "final"
        final.mkdir()
        if secret:
            aside = self.scratch / "released"
            aside.mkdir()
            in_table_order = self.engine.change(aside)
            ordered = self.engine.in_secret_order(in_table_order, final)
            released, originals = ordered.released, ordered.originals
            _keep_order(writer, released.total, (np.load(path) for path in ordered.places))
        else:
            released, originals = self.engine.change(final), self.engine.table
            in_table_order = released
            _keep_key_order(writer, self.engine)
        if not in_parts:
            _as_one_file(released, writer, request, self.engine.size)
        kept = Kept.of(self.source, self.engine.cluster)
        self._until_done.close()
        return self._certified(writer, request, in_table_order, originals if secret else None, kept)

    def _certified(
        self,
        writer: Writer,
        request: ReleaseRequest,
        released: ParquetFiles,
        ordered: LongTable | None,
        kept: Kept,
    ) -> tuple[Written, Use]:
        """Read both sides again, here and in batches; `ordered` are the originals in the order of the release."""
        engine = self.engine
        before, after = ContentDigest(engine.table.schema), ContentDigest(engine.released_schema)
        order = RowOrder()

        def in_table_order() -> Iterator[Table]:
            frames = released.frames(engine.size)
            for (_, original), (_, frame) in zip(engine.table.batches(engine.size), frames, strict=True):
                before.add(original, engine.threads)
                after.add(table_from_frame(frame, engine.released_schema), engine.threads)
                order.add(original)
                yield original

        self.stage("checking every record", 0, 1)
        originals = in_table_order()
        if ordered is not None:
            for _ in originals:
                pass
            originals = (original for _, original in ordered.batches(engine.size))
        certificate = certificate_of(writer, originals, engine, self.stage)
        secret = ordered is not None
        read = (
            before.digest() if engine.table.preparation is None else digest_as_read(engine.table, engine.size)
        )
        use = Use(self.streams.key_id, read, after.digest() + bytes([secret]))
        paired = engine.fit.plan.row_order != "none"
        noted = tuple(order.warnings()) if paired and not secret and engine.table.keyed is None else ()
        made = Written(
            certificate,
            lambda: kept.frame(where_released(writer, request)),
            (*noted, *said_sample(engine, request)),
        )
        return made, use


def _keep_order(writer: Writer, rows: int, places: Iterator[Any]) -> None:
    """Note the table's row of every released row, some rows at a time."""
    kept = np.lib.format.open_memmap(writer.private / ROW_ORDER, "w+", np.int64, (rows,), version=(1, 0))
    first = 0
    for some in places:
        kept[first : first + len(some)] = some
        first += len(some)
    kept.flush()


def _keep_key_order(writer: Writer, engine: OnSpark) -> None:
    """The rows of a table that a key column identifies go out in the order of their ids."""
    table = engine.table
    if table.keyed is not None:
        steps = range(0, table.rows, engine.size)
        places = (table.row_places(first, min(engine.size, table.rows - first)) for first in steps)
        _keep_order(writer, table.rows, places)


def _as_one_file(released: ParquetFiles, writer: Writer, request: ReleaseRequest, size: int) -> None:
    """Formats other than Parquet go out as one file, as from every engine."""
    dialect = writer.reading.dialect
    with BatchWriter(writer.released, dialect=dialect, escape_formulas=request.escape_formulas) as out:
        for _, frame in released.frames(size):
            out.write(frame)
