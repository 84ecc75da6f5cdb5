"""Release a table that fits in memory, as a whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from hushwood.arrays import Integers
from hushwood.jobs.folder.keys import Use, noticed
from hushwood.jobs.folder.made_again import content_digest, made_of
from hushwood.jobs.folder.release_files import Writer, order_warnings
from hushwood.jobs.key_order import in_key_order
from hushwood.jobs.persons import MAP, write_map
from hushwood.jobs.preparing import Prepared, prepared_table
from hushwood.jobs.release_way import Written, is_shuffled, read_back
from hushwood.jobs.resolve import Resolved
from hushwood.releasing.certificate import Certificate, certify
from hushwood.releasing.perturb import perturb
from hushwood.releasing.perturbed import Perturbed
from hushwood.stages import Stage
from hushwood.tables.reading import Reading
from hushwood.tables.table import Table
from hushwood.trees.model_file import forest_to_json


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
        table, self.prepared = prepared_table(self.keyed.reading, self.keyed.ids, request, streams)
        self.reading = replace(checked, table=table)
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
        order = writer.shuffle(keyed.row_ids, keyed.places) if shuffled else None
        if keyed.places is not None and not shuffled:
            writer.keep_order(keyed.places)
        if perturbed.units is not None:
            write_map(perturbed.units, keyed.places, writer.private / MAP)
        # Tables in the order of the release are made when they are needed and not kept: each is as large as the table.
        writer.write_table(_in_order(released, order))
        self.stage("checking every record", 0, 1)
        certificate = _certificate(writer, _in_order(self.reading.table, order), perturbed)
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
            keyed.original_rows(order),
            made=made,
        )

    def close(self) -> None:
        """Nothing is open."""


def _in_order(table: Table, order: Integers | None) -> Table:
    return table if order is None else table.take(order)


def _certificate(writer: Writer, original: Table, perturbed: Perturbed) -> Certificate:
    """Read the file back from disk and send both tables through the forest as it is written."""
    plan, model = perturbed.plan, json.loads(json.dumps(forest_to_json(perturbed.forest)))
    return certify(
        original,
        read_back(writer, original.schema),
        model,
        plan.keeps_segments,
        perturbed.options.threads,
        plan.promises(original.schema),
        paired=perturbed.paired,
        kept_links=plan.links,
    )
