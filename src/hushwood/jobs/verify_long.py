"""The certificate of a release of any length repeated in batches, within bounded memory."""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from hushwood.errors import InputError
from hushwood.jobs.folder.release_folder import ReleaseFolder, arguments_as_released, preparation_of
from hushwood.jobs.folder.whole_folders import ROW_ORDER
from hushwood.jobs.verify_request import VerifyRequest
from hushwood.releasing.certificate import Batch, Certificate, Certifying
from hushwood.releasing.engines.streaming.exchange import ROW, Exchange
from hushwood.tables.formats.files import BatchesOnDisk
from hushwood.tables.frames.storage import text_columns
from hushwood.tables.long.sizes import expected_bytes
from hushwood.tables.long.table import LongTable, Looking, read_long
from hushwood.tables.long.writing import Rows
from hushwood.tables.table import Table
from hushwood.techniques.laws.promises import Promise
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_to_json

COPIES = 4  # of both tables, as read and as arrays, that a certificate in memory takes


def in_batches(folder: ReleaseFolder, original: Path, memory: int) -> bool:
    """Whether the two tables are too long for the memory."""
    if original.is_dir():
        return True
    return COPIES * (expected_bytes(original) + expected_bytes(folder.released)) > memory


def certificate_in_batches(
    folder: ReleaseFolder,
    original: Path,
    forest: Forest,
    claimed: bool,
    promises: dict[str, Promise] | None,
    request: VerifyRequest,
) -> Certificate:
    """Send every record of both files through every tree, and check what columns promise."""
    with tempfile.TemporaryDirectory(prefix="hushwood-verify-") as name:
        scratch = Path(name)
        arguments = arguments_as_released(folder)
        long = read_long(original, scratch, arguments, Looking(request.memory, request.threads))
        table = long.table.prepared(preparation_of(folder, long.table.schema)[0])
        size = table.batch_rows(request.memory // 2)
        back = BatchesOnDisk(
            folder.released,
            form=None if long.dialect is None else long.dialect.form,
            as_text=text_columns(table.schema),
            escaped_formulas=folder.escaped_formulas,
        )
        certifying = Certifying(
            table.schema,
            table.rows,
            forest_to_json(forest),
            claimed,
            promises,
            paired=not folder.made_up,
            threads=request.threads,
            typed=back.typed,
            kept_links=folder.claimed_links(table.schema),
        )
        rows = Rows(back.batches(size))

        def batches() -> Iterator[Batch]:
            for records in _in_order(table, folder, scratch, size):
                yield records, rows.take(records.rows)
            while not rows.done:
                # Too many are a fault, which the certificate names.
                yield records.take(np.empty(0, np.int64)), rows.take(size)

        deque(certifying.add(batches()), maxlen=0)
        return certifying.finish()


def _in_order(table: LongTable, folder: ReleaseFolder, scratch: Path, size: int) -> Iterator[Table]:
    """The original's records in the order of the release: sorted on disk if that is another one."""
    order = folder.order
    if order is None:
        for _, records in table.batches(size):
            yield records
        return
    if len(order) != table.rows:
        raise other_length(len(order), table.rows)
    partner = np.empty(table.rows, np.int64)
    partner[order] = np.arange(table.rows)
    sorting = Exchange(scratch / "order", -(-table.rows // size))
    for first, records in table.batches(size):
        to = partner[first : first + records.rows]
        sorting.add(sorting.packed({ROW: to, **records.columns}, to // size, records.carried))
    for number in range(sorting.buckets):
        columns, carried = sorting.bucket(number), sorting.carried(number)
        place = np.argsort(columns.pop(ROW))
        yield Table(
            records.schema,
            {name: values[place] for name, values in columns.items()},
            pl.DataFrame() if carried is None else carried[place],
            len(place),
        )
    sorting.close()


def other_length(kept: int, rows: int) -> InputError:
    """The map of the rows belongs to another table."""
    return InputError(
        f"{ROW_ORDER} has {kept:,} rows, but the original has {rows:,}; give the table that was released."
    )
