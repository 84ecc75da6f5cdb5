from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hushwood.jobs.folder.release_files import shuffled
from hushwood.random_streams import Streams
from hushwood.releasing.engines.streaming.exchange import OrderedBatch, ReleasedBatch, SecretOrder
from hushwood.tables.table import Table
from support.mixed_tables import category, number, table_of

STREAMS = Streams(bytes(range(32)))


def table_with(rows: int, first: int) -> Table:
    table = table_of(
        {
            "x": (number("x", 0, 10_000), [first + i for i in range(rows)]),
            "c": (category("c", "abc"), [(first + i) % 4 - 1 for i in range(rows)]),
        }
    )
    carried = pl.DataFrame({"note": [f"n{first + i}" for i in range(rows)]})
    return Table(table.schema, table.columns, carried, rows)


def ordered(folder: Path, rows: int, added: int, size: int, times: int = 1) -> list[list[OrderedBatch]]:
    """A table of that many rows added in batches, and given back in buckets of about `size` rows."""
    with closing(SecretOrder(folder, rows, size, STREAMS)) as order:
        for first in range(0, rows, added):
            original = table_with(min(added, rows - first), first)
            released = original.with_columns({"x": original.columns["x"] + 5_000})
            rows_here = np.arange(first, first + original.rows)
            segments = np.zeros(original.rows, np.int32)
            order.add(ReleasedBatch(first, rows_here, rows_here, original, released, segments))
        return [list(order.batches()) for _ in range(times)]


@pytest.mark.parametrize(("rows", "added", "size"), [(200, 30, 17), (200, 200, 200), (7, 2, 1), (1, 1, 5)])
def test_rows_come_in_the_order_of_a_release_in_memory(
    tmp_path: Path, rows: int, added: int, size: int
) -> None:
    (batches,) = ordered(tmp_path, rows, added, size)
    found = np.concatenate([batch.rows for batch in batches])
    assert found.tolist() == shuffled(range(rows), STREAMS).tolist()


def test_every_cell_stays_with_its_row(tmp_path: Path) -> None:
    for batch in ordered(tmp_path, 120, 50, 20)[0]:
        assert batch.original.columns["x"].tolist() == batch.rows.tolist()
        assert batch.released.columns["x"].tolist() == (batch.rows + 5_000).tolist()
        assert batch.released.columns["c"].tolist() == (batch.rows % 4 - 1).tolist()
        assert batch.released.carried["note"].to_list() == [f"n{row}" for row in batch.rows.tolist()]
        assert batch.original.rows == batch.released.rows == len(batch.rows)


def test_the_size_of_buckets_and_batches_changes_nothing(tmp_path: Path) -> None:
    found = []
    for added, size in ((10, 10), (33, 100), (90, 3)):
        (batches,) = ordered(tmp_path, 90, added, size)
        found.append([row for batch in batches for row in batch.rows.tolist()])
    assert found[0] == found[1] == found[2]


def test_the_records_can_be_asked_for_again(tmp_path: Path) -> None:
    once, again = ordered(tmp_path, 60, 25, 20, times=2)
    assert [batch.rows.tolist() for batch in once] == [batch.rows.tolist() for batch in again]


def test_buckets_are_of_about_the_size_that_was_asked_for(tmp_path: Path) -> None:
    (batches,) = ordered(tmp_path, 2_000, 500, 100)
    assert max(batch.released.rows for batch in batches) < 160
