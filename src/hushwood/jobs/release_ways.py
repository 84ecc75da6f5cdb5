"""What every way to release a table has in common, and the way for a table that fits in memory.

`release` tells the story; a way knows where the records are, and gives them to an engine of `releasing.engines`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from hushwood.arrays import Integers
from hushwood.jobs.folder.keys import Use, noticed
from hushwood.jobs.folder.made_again import Made, content_digest, made_of
from hushwood.jobs.folder.release_files import Writer, order_warnings, secret_order
from hushwood.jobs.key_order import in_key_order
from hushwood.jobs.persons import MAP, write_map
from hushwood.jobs.preparing import Prepared, prepared_reading
from hushwood.jobs.requests import ReleaseRequest
from hushwood.jobs.resolve import Resolved
from hushwood.releasing.certificate import BATCH_ROWS, Certificate, Certifying, Claims, in_slices
from hushwood.releasing.forest_for import sampled_rows
from hushwood.releasing.perturb import perturb
from hushwood.releasing.perturbed import Perturbed
from hushwood.releasing.plan import Plan
from hushwood.stages import Stage
from hushwood.tables.formats.files import BatchesOnDisk
from hushwood.tables.frames.storage import text_columns
from hushwood.tables.reading import Reading
from hushwood.tables.resampling import resampled
from hushwood.tables.table import Table
from hushwood.trees.model_file import forest_to_json

if TYPE_CHECKING:
    from hushwood.evaluation.whole_table import WholeTable
    from hushwood.tables.long.table import LongTable


@dataclass(frozen=True, slots=True)
class Written:
    """A released table on disk: how it was made, its certificate, how to read it, and what was noted.

    `reading` is the prepared table, or a sample of it, that the release is judged by, and `use` recognises the table
    and the release. `order` is the original row of every released row, `counted` what was counted of a long table, of
    which only a sample is judged, and `made` what an audit in memory needs. `before` says that the table has left the
    house under another key.
    """

    reading: Reading
    perturbed: Perturbed
    certificate: Certificate
    make_frame: Callable[[], Any]
    use: Use
    noted: tuple[str, ...]
    order: Integers | None = None
    counted: WholeTable | None = None
    made: Made | None = None
    before: tuple[str, ...] = ()


class ReleaseWay(Protocol):
    """Where the records of a release are, and what reads, changes and writes them."""

    def read(self, scratch: Path) -> Reading:
        """Look at the table, or at its sample; `scratch` is removed in the end."""

    def prepare(self, checked: Reading) -> tuple[Reading, Prepared]:
        """Coarser columns, fewer levels, links; also the reading that is released, given the checked one."""

    def learn(self) -> None:
        """Learn from the sample."""

    def write(self, writer: Writer) -> Written:
        """Change the records, write the released table, and certify the file."""

    def close(self) -> None:
        """Close its files."""


def is_shuffled(plan: Plan, request: ReleaseRequest) -> bool:
    """Whether the rows go out in a secret order: the technique does so, or the request asks for it."""
    return request.shuffle_rows or plan.shuffled


def certificate_of(
    writer: Writer,
    originals: Iterator[Table],
    table: Table | LongTable,
    perturbed: Perturbed,
    claimed: bool,
    size: int,
    stage: Stage,
) -> Certificate:
    """Read the file back from disk, and send it and the original records through the forest as it is written."""
    schema, rows = table.schema, table.rows
    back = BatchesOnDisk(
        writer.released,
        form=writer.reading.released_form,
        as_text=text_columns(schema),
        escaped_formulas=writer.escape_formulas,
        like=schema,
    )
    certifying = Certifying(
        schema,
        rows,
        json.loads(json.dumps(forest_to_json(perturbed.forest))),
        Claims(claimed, perturbed.plan.promises(schema), perturbed.paired, perturbed.plan.links),
        threads=perturbed.options.threads,
        typed=back.typed,
    )
    done = 0
    for count in certifying.add_file(originals, back, size):
        done += count
        stage(f"checking every record ({done:,} of {rows:,})", done, rows)
    return certifying.finish()


class AsAWhole:
    """The engine in memory, for whatever can be read."""

    def __init__(self, read: Callable[[], Reading], asked: Resolved, stage: Stage) -> None:
        self._read, self.asked, self.stage = read, asked, stage

    def read(self, scratch: Path) -> Reading:
        """The whole table."""
        return self._read()

    def prepare(self, checked: Reading) -> tuple[Reading, Prepared]:
        """A key that was used before is refused here, before anything is computed."""
        request, streams = self.asked.request, self.asked.streams
        self.checked, self.keyed = checked, in_key_order(checked, request.row_key, streams)
        self.use = Use(streams.key_id, content_digest(self.keyed.reading.table, request.options.threads))
        noticed(request.ledger, self.use, request.reuse_key)
        sample = sampled_rows(self.keyed.row_ids, request.options.forest_rows, streams)
        self.reading, self.prepared = prepared_reading(self.keyed.reading, request, sample)
        return checked, self.prepared

    def learn(self) -> None:
        """The records are all there, so they are changed as well."""
        options, streams, forest = self.asked.request.options, self.asked.streams, self.asked.forest
        self.perturbed = perturb(self.reading.table, options, streams, forest, self.stage, self.keyed.ids)

    def write(self, writer: Writer) -> Written:
        """Write the released table, as a whole, and certify the file."""
        from hushwood.tables.frames.table_frames import released_frame

        request, keyed, perturbed = self.asked.request, self.keyed, self.perturbed
        shuffled, released = is_shuffled(perturbed.plan, request), perturbed.table
        content = content_digest(released, request.options.threads) + bytes([shuffled])
        use = replace(self.use, released=content)
        noticed(request.ledger, use, request.reuse_key)
        self.stage("writing the table", 0, 1)
        records, row_ids, drawn = self.reading.table, keyed.row_ids, perturbed.plan.row_order == "drawn"
        if drawn:
            records, row_ids = resampled(records, self.asked.streams)
        order = secret_order(row_ids, self.asked.streams) if shuffled else None
        # Nobody can be found again among the drawn.
        original_rows = None if drawn else keyed.original_rows(order)
        if original_rows is not None:
            writer.keep_order(original_rows)
        if perturbed.units is not None and not drawn:
            write_map(perturbed.units, keyed.places, writer.private / MAP)
        # Tables in the order of the release are made when they are needed and not kept: each is as large as the table.
        writer.write_table(_in_order(released, order))
        self.stage("checking every record", 0, 1)
        certificate = certificate_of(
            writer,
            in_slices(_in_order(records, order), BATCH_ROWS),
            records,
            perturbed,
            perturbed.plan.keeps_segments,
            BATCH_ROWS,
            lambda _, done, total: self.stage("checking every record", done, total),
        )
        sorted_rows = not shuffled and perturbed.paired
        made = None
        if (
            request.row_key is None
        ):  # else rows were released in an order that an audit in memory does not know
            how, proof, streams = self.prepared.how, certificate.to_json(), self.asked.streams
            made = made_of(self.checked, perturbed, how, proof, use.table, streams)
        reading = self.reading
        return Written(
            reading,
            perturbed,
            certificate,
            lambda: reading.frame_like(released_frame(_in_order(released, order))),
            use,
            tuple(order_warnings(reading.table)) if sorted_rows else (),
            original_rows,
            made=made,
        )

    def close(self) -> None:
        """Nothing is open."""


def _in_order(table: Table, order: Integers | None) -> Table:
    return table if order is None else table.take(order)
