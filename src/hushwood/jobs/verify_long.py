"""The certificate of a release of any length repeated in batches, within bounded memory."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.jobs.folder.release_folder import ReleaseFolder, arguments_as_released, rare_levels_of
from hushwood.jobs.folder.whole_folders import ROW_ORDER
from hushwood.jobs.key_order import ROW_KEY
from hushwood.jobs.verify_request import VerifyRequest
from hushwood.releasing.certificate import Certificate, Certifying
from hushwood.releasing.engines.output_order import SecretOrder
from hushwood.releasing.engines.streaming import ReleasedBatch
from hushwood.tables.formats.files import BatchesOnDisk
from hushwood.tables.frames.storage import text_columns
from hushwood.tables.long.keyed_rows import RowKey
from hushwood.tables.long.sizes import expected_bytes
from hushwood.tables.long.table import LongTable, read_long
from hushwood.tables.long.writing import Rows
from hushwood.tables.table import Table
from hushwood.techniques.laws.promises import Promise
from hushwood.trees.files.model_file import forest_to_json
from hushwood.trees.forest import Forest

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
        key, streams = folder.plan.get(ROW_KEY), folder.streams
        long = read_long(
            original,
            scratch,
            arguments,
            memory=request.memory,
            threads=request.threads,
            row_key=None if key is None or streams is None else RowKey(key, streams),
        )
        rare, _ = rare_levels_of(folder)
        table = long.table if rare is None else long.table.without(rare)
        size = table.batch_rows(request.memory // 2)
        back = BatchesOnDisk(
            folder.released,
            separator=long.separator,
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
        )
        rows = Rows(back.batches(size))
        for records in _in_order(table, folder, scratch, size):
            certifying.add(records, rows.take(records.rows))
        while not rows.done:
            # Too many are a fault, which the certificate names.
            certifying.add(records.take(np.empty(0, np.int64)), rows.take(size))
        return certifying.finish()


def _in_order(table: LongTable, folder: ReleaseFolder, scratch: Path, size: int) -> Iterator[Table]:
    """The original's records in the order of the release."""
    order, streams = folder.order, folder.streams
    if order is None:
        for _, records in table.batches(size):
            yield records
        return
    if len(order) != table.rows:
        raise other_length(len(order), table.rows)
    if streams is None:
        raise InputError(
            "The release is in random order, and the key that repeats it in bounded memory is not here; give --memory "
            "more than six times the size of the table."
        )
    if table.keyed is not None and _is_key_order(table, order, size):
        for _, records in table.batches(size):
            yield records
        return
    hidden, done = SecretOrder(scratch, table.rows, size, streams), 0
    for first, records in table.batches(size):
        ids, places = table.row_ids(first, records.rows), table.row_places(first, records.rows)
        nothing = replace(records, columns={})
        hidden.add(ReleasedBatch(first, ids, places, records, nothing, np.zeros(0, np.int32)))
    for batch in hidden.batches():
        if not np.array_equal(batch.rows, order[done : done + len(batch.rows)]):
            raise InputError(f"{ROW_ORDER} is not the order that the key gives; make the release again.")
        done += len(batch.rows)
        yield batch.original
    hidden.close()


def _is_key_order(table: LongTable, order: Integers, size: int) -> bool:
    """Whether the release has the rows in the order of their ids."""
    firsts = range(0, table.rows, size)
    return all(
        np.array_equal(table.row_places(first, len(order[first : first + size])), order[first : first + size])
        for first in firsts
    )


def other_length(kept: int, rows: int) -> InputError:
    """The map of the rows belongs to another table."""
    return InputError(
        f"{ROW_ORDER} has {kept:,} rows, but the original has {rows:,}; give the table that was released."
    )
