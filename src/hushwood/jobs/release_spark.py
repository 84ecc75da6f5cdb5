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

from hushwood.jobs.folder.made_again import ContentDigest
from hushwood.jobs.folder.release_files import RowOrder, Writer
from hushwood.jobs.folder.whole_folders import ROW_ORDER
from hushwood.jobs.preparing import Prepared
from hushwood.jobs.release_long import Long, certificate_of, where_released
from hushwood.jobs.release_ways import Written, is_shuffled
from hushwood.jobs.resolve import Resolved
from hushwood.releasing.engines.spark.engine import OnSpark
from hushwood.releasing.engines.spark.records import Kept, source_of
from hushwood.releasing.engines.spark.session import Cluster, spark_session
from hushwood.stages import Stage
from hushwood.tables.frames.table_frames import table_from_frame
from hushwood.tables.long.files import ParquetFiles
from hushwood.tables.long.table import LongReading, LongTable, Looking, long_reading
from hushwood.tables.long.writing import BatchWriter
from hushwood.tables.reading import Reading
from hushwood.tables.table import Table


class OverSpark:
    """The Spark engine, for files, for a Spark table ("table:NAME") or for a Spark frame, which then comes back as one.

    Its session ends when the table is written, unless it was there before.
    """

    def __init__(self, source: object, arguments: Mapping[str, Any], asked: Resolved, stage: Stage) -> None:
        self.asked, self.stage = asked, stage
        self.source = source_of(source, asked.request.row_key)
        self.long = Long(self._reading, arguments, asked, stage)
        self._until_done = ExitStack()

    def read(self, scratch: Path) -> Reading:
        """The sample of the table, noted while it is looked at."""
        return self.long.read(scratch)

    def prepare(self, checked: Reading) -> tuple[Reading, Prepared]:
        """Prepared by the sample, and by counts of all records."""
        return self.long.prepare()

    def _reading(self, scratch: Path, arguments: Mapping[str, Any], looking: Looking) -> LongReading:
        request = self.asked.request
        self.stage("starting Spark", 0, 1)
        session = self._until_done.enter_context(spark_session(request.spark_master, scratch))
        cluster = Cluster(session)
        self.stage("reading the table", 0, 1)
        spooled = self.source.spooled(cluster, scratch, arguments)
        self.engine = OnSpark(cluster, request.options, self.asked.streams, scratch, self.stage)
        looking = replace(looking, describe=self.engine.describe)
        return long_reading(spooled, self.source.path, scratch, arguments, looking)

    def learn(self) -> None:
        """Learn from the sample, here."""
        self.engine.options = self.asked.request.options
        self.engine.learn(self.long.table, self.asked.forest)

    def close(self) -> None:
        """End the session."""
        self._until_done.close()

    def write(self, writer: Writer) -> Written:
        """Write the released table, and close the session: the rest needs no cluster."""
        secret = is_shuffled(self.engine.fit.plan, self.asked.request)
        in_parts = writer.released.suffix == ".parquet"
        final = writer.released if in_parts else self.long.scratch / "final"
        final.mkdir()
        if secret:
            aside = self.long.scratch / "released"
            aside.mkdir()
            in_table_order = self.engine.change(aside)
            ordered = self.engine.in_secret_order(in_table_order, final)
            released, originals = ordered.released, ordered.originals
            if self.engine.fit.plan.paired:
                _keep_order(writer, released.total, (np.load(path) for path in ordered.places))
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
        kept_order = ordered is None and engine.fit.plan.paired and engine.table.keyed is None
        return Written(
            self.long.judged(engine),
            engine.perturbed(),
            certificate,
            lambda: kept.frame(where_released(writer, request)),
            self.long.use(before, after, engine),
            (*(order.warnings() if kept_order else ()), *self.long.said_sample(engine.sample)),
        )


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


def _as_one_file(released: ParquetFiles, writer: Writer, size: int) -> None:
    """Formats other than Parquet go out as one file, as from every engine."""
    dialect = writer.reading.dialect
    with BatchWriter(writer.released, dialect=dialect, escape_formulas=writer.escape_formulas) as out:
        for _, frame in released.frames(size):
            out.write(frame)
