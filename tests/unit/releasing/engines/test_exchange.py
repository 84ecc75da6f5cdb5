from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from hushwood.arrays import Array
from hushwood.jobs.folder.release_files import secret_order
from hushwood.random_streams import Streams
from hushwood.releasing.engines.streaming.exchange import (
    BatchSpool,
    Exchange,
    OrderedBatch,
    ReleasedBatch,
    SecretOrder,
    smallest,
)
from hushwood.tables.table import Table
from support.mixed_tables import category, mixed_table, number, table_of

Batch = tuple[dict[str, Array], Array, pl.DataFrame]


def carried_of(rows: int, seed: int) -> pl.DataFrame:
    """Columns of types that numpy does not know, with gaps."""
    numbers = [(seed * 31 + row) % 97 for row in range(rows)]
    odd: dict[str, Any] = {
        "text": [None if n % 5 == 0 else f"é{n}\n" for n in numbers],
        "day": [date(2020, 1, 1) + timedelta(n) for n in numbers],
        "list": [[n, None] if n % 2 else [] for n in numbers],
        "pair": [{"a": n, "b": str(n)} for n in numbers],
        "exact": [Decimal(n) / 100 for n in numbers],
        "raw": [bytes([n]) for n in numbers],
        "void": [None] * rows,
    }
    types: dict[str, Any] = {
        "text": pl.String,
        "day": pl.Date,
        "raw": pl.Binary,
        "list": pl.List(pl.Int64),
        "exact": pl.Decimal(10, 2),
        "void": pl.Null,
    }
    return pl.DataFrame(odd, schema_overrides={**types, "pair": pl.Struct({"a": pl.Int64, "b": pl.String})})


def batches_of(sizes: list[int], buckets: int, seed: int) -> list[Batch]:
    chance = np.random.default_rng(seed)
    found = []
    for place, rows in enumerate(sizes):
        columns: dict[str, Array] = {
            "x": np.where(chance.random(rows) < 0.2, np.nan, chance.normal(size=rows)),
            "c": chance.integers(-1, 100, rows).astype(np.int8),
            "key": chance.integers(0, 1 << 63, rows, np.uint64),
        }
        found.append((columns, chance.integers(0, buckets, rows), carried_of(rows, seed + place)))
    return found


@contextmanager
def filled(folder: Path, batches: Sequence[Batch], buckets: int) -> Iterator[Exchange]:
    with closing(Exchange(folder / "exchange", buckets)) as exchange:
        for columns, into, carried in batches:
            exchange.add(exchange.packed(columns, into, carried))
        yield exchange


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=6),
    st.integers(1, 9),
    st.integers(0, 1_000),
    st.randoms(use_true_random=False),
)
def test_what_goes_in_comes_out_bucket_by_bucket(
    sizes: list[int], buckets: int, seed: int, chance: Any
) -> None:
    batches = batches_of(sizes, buckets, seed)
    order = list(range(buckets))
    chance.shuffle(order)
    with TemporaryDirectory() as folder, filled(Path(folder), batches, buckets) as exchange:
        for bucket in order:
            found, carried = exchange.bucket(bucket), exchange.carried(bucket)
            for name in ("x", "c", "key"):
                wanted = np.concatenate([columns[name][into == bucket] for columns, into, _ in batches])
                assert found[name].dtype == wanted.dtype
                assert np.array_equal(found[name], wanted, equal_nan=name == "x")
            frame = pl.concat([carried.filter(pl.Series(into == bucket)) for _, into, carried in batches])
            if frame.height:
                assert carried is not None
                assert_frame_equal(carried, frame)
            else:
                assert carried is None


def test_a_bucket_can_be_read_again_and_other_batches_added(tmp_path: Path) -> None:
    first, second = batches_of([30, 20], 3, 1)
    with filled(tmp_path, [first], 3) as exchange:
        before = exchange.bucket(2)["key"].tolist()
        assert exchange.bucket(2)["key"].tolist() == before
        exchange.add(exchange.packed(*second))
        assert exchange.bucket(2)["key"].tolist()[: len(before)] == before


def test_later_batches_take_the_types_of_the_first(tmp_path: Path) -> None:
    with closing(Exchange(tmp_path / "exchange", 1)) as exchange:
        for values in (np.array([1, 2], np.int16), np.array([3], np.int64)):
            exchange.add(exchange.packed({"c": values}, np.zeros(len(values), int)))
        assert exchange.bucket(0)["c"].dtype == np.int16
        assert exchange.bucket(0)["c"].tolist() == [1, 2, 3]


def test_without_batches_there_is_nothing(tmp_path: Path) -> None:
    with closing(Exchange(tmp_path / "exchange", 4)) as exchange:
        assert exchange.bucket(3) == {}
        assert exchange.carried(3) is None


def test_columns_that_are_not_contiguous_are_packed_all_the_same(tmp_path: Path) -> None:
    every_second = np.arange(20.0)[::2]
    with closing(Exchange(tmp_path / "exchange", 2)) as exchange:
        exchange.add(exchange.packed({"x": every_second}, np.arange(10) % 2))
        assert exchange.bucket(1)["x"].tolist() == [2, 6, 10, 14, 18]


def test_closing_gives_the_disk_space_back(tmp_path: Path) -> None:
    with filled(tmp_path, batches_of([50], 2, 3), 2):
        assert (tmp_path / "exchange").stat().st_size > 0
    assert (tmp_path / "exchange").stat().st_size == 0


def test_batches_of_a_table_come_back_as_they_were(tmp_path: Path) -> None:
    table = mixed_table(3, 50)
    places = [np.arange(begin, min(begin + 20, 50)) for begin in (0, 20, 40)]
    with closing(BatchSpool(tmp_path / "spool")) as spool:
        for rows in places:
            spool.add(table.take(rows))
        for number in (2, 0, 1):
            found, wanted = spool.batch(number), table.take(places[number])
            assert (found.schema, found.rows) == (wanted.schema, wanted.rows)
            for name, values in wanted.columns.items():
                assert found.columns[name].dtype == values.dtype
                assert np.array_equal(found.columns[name], values, equal_nan=values.dtype.kind == "f")


@pytest.mark.parametrize(
    ("most", "kind"), [(1, np.int8), (127, np.int8), (128, np.int16), (32_767, np.int16), (32_768, np.int32)]
)
def test_codes_take_the_narrowest_type_that_holds_them(most: int, kind: type[np.generic]) -> None:
    codes = np.array([-1, 0, most - 1], np.int32)
    assert smallest(codes, most).dtype == kind
    assert smallest(codes, most).tolist() == codes.tolist()


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
    assert found.tolist() == secret_order(range(rows), STREAMS).tolist()


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
