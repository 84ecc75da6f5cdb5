"""Release a table that lies elsewhere: from a database in batches, and into it; and on Spark, which does the work.

On Spark the steps are those of `release_long`, with the work on records handed out to its workers. The driver looks at
every record once more, in batches and without Spark: for the certificate, and to recognise the table and the release.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hushwood.errors import HushwoodError, InputError
from hushwood.jobs.folder.made_again import ContentDigest
from hushwood.jobs.folder.release_files import RowOrder, Writer
from hushwood.jobs.folder.whole_folders import SHARE
from hushwood.jobs.release_long import InBatches, where_released
from hushwood.jobs.release_ways import Written, is_shuffled
from hushwood.jobs.requests import ReleaseRequest
from hushwood.jobs.resolve import Resolved
from hushwood.releasing.engines.spark.engine import OnSpark
from hushwood.releasing.engines.spark.records import Kept, source_of
from hushwood.releasing.engines.spark.session import Cluster, spark_session
from hushwood.stages import Stage
from hushwood.tables.frames.table_frames import table_from_frame
from hushwood.tables.long.files import ParquetFiles
from hushwood.tables.long.table import LongReading, LongTable, Looking, long_reading
from hushwood.tables.long.writing import BatchWriter
from hushwood.tables.sql.addresses import Address, address_of
from hushwood.tables.sql.tables import rows_of_file, rows_of_frame, spooled_query, write_table
from hushwood.tables.table import Table

if TYPE_CHECKING:
    from hushwood.jobs.release import Release


class OverSpark(InBatches):
    """The Spark engine, for files, for a Spark table ("table:NAME") or for a Spark frame, which then comes back as one.

    Its session ends when the table is written, unless it was there before.
    """

    def __init__(self, source: object, arguments: Mapping[str, Any], asked: Resolved, stage: Stage) -> None:
        super().__init__(self._spooled, arguments, asked, stage)
        self.source = source_of(source, asked.request.row_key)

    def _spooled(self, scratch: Path, arguments: Mapping[str, Any], looking: Looking) -> LongReading:
        request = self.asked.request
        self.stage("starting Spark", 0, 1)
        session = self.opened.enter_context(spark_session(request.spark_master, scratch))
        cluster = Cluster(session)
        self.stage("reading the table", 0, 1)
        spooled = self.source.spooled(cluster, scratch, arguments)
        self.engine = OnSpark(cluster, request.options, self.asked.streams, scratch, self.stage)
        looking = replace(looking, describe=self.engine.describe)
        return long_reading(spooled, self.source.path, scratch, arguments, looking)

    def learn(self) -> None:
        """Learn from the sample, here."""
        self.engine.options = self.asked.request.options
        self.engine.learn(self.table, self.asked.forest)

    def write(self, writer: Writer) -> Written:
        """Write the released table, and close the session: the rest needs no cluster."""
        secret = is_shuffled(self.engine.fit.plan, self.asked.request)
        in_parts = writer.released.suffix == ".parquet"
        final = writer.released if in_parts else self.scratch / "final"
        final.mkdir()
        if secret:
            aside = self.scratch / "released"
            aside.mkdir()
            in_table_order = self.engine.change(aside)
            ordered = self.engine.in_secret_order(in_table_order, final)
            released, originals = ordered.released, ordered.originals
            if self.engine.fit.plan.paired:
                with writer.row_order(released.total) as note:
                    for path in ordered.places:
                        note(np.load(path))
        else:
            released, originals = self.engine.change(final), None
            in_table_order = released
            _keep_key_order(writer, self.engine)
        if not in_parts:
            _as_one_file(released, writer, self.engine.size)
        kept = Kept.of(self.source, self.engine.cluster)
        self.close()
        return self._certified(writer, in_table_order, originals, kept)

    def _certified(
        self, writer: Writer, released: ParquetFiles, ordered: LongTable | None, kept: Kept
    ) -> Written:
        """Read both sides again, here and in batches; `ordered` are the originals in the order of the release."""
        engine, request = self.engine, self.asked.request
        before, after = ContentDigest(engine.table.schema), ContentDigest(engine.released_schema)
        order = RowOrder()

        def in_table_order() -> Iterator[Table]:
            frames = released.frames(engine.size)
            people = (own for _, own in self.table.batches(engine.size))
            for (_, original), (_, frame) in zip(engine.table.batches(engine.size), frames, strict=True):
                before.add(next(people), engine.threads)
                after.add(table_from_frame(frame, engine.released_schema), engine.threads)
                order.add(original)
                yield original

        self.stage("checking every record", 0, 1)
        originals = in_table_order()
        if ordered is not None:
            for _ in originals:
                pass
            originals = (original for _, original in ordered.batches(engine.size))
        written = self.certified(
            writer, engine, originals, (before, after), lambda: kept.frame(where_released(writer, request))
        )
        kept_order = ordered is None and engine.fit.plan.paired and engine.table.keyed is None
        return replace(written, noted=(*(order.warnings() if kept_order else ()), *written.noted))


def _keep_key_order(writer: Writer, engine: OnSpark) -> None:
    """The rows of a table that a key column identifies go out in the order of their ids."""
    table = engine.table
    if table.keyed is not None:
        with writer.row_order(table.rows) as note:
            for first in range(0, table.rows, engine.size):
                note(table.row_places(first, min(engine.size, table.rows - first)))


def _as_one_file(released: ParquetFiles, writer: Writer, size: int) -> None:
    """Formats other than Parquet go out as one file, as from every engine."""
    dialect = writer.reading.dialect
    with BatchWriter(writer.released, dialect=dialect, escape_formulas=writer.escape_formulas) as out:
        for _, frame in released.frames(size):
            out.write(frame)


def from_database(address: str, arguments: Mapping[str, Any], asked: Resolved, stage: Stage) -> InBatches:
    """The way for a table in a database."""
    reads = partial(_read, address_of(address), asked.request.query)
    return InBatches(reads, arguments, asked, stage)


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
