from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.tables.long.files import ParquetFiles
from hushwood.tables.long.keyed_rows import RowKey, in_key_order
from hushwood.tables.row_keys import row_ids

STREAMS = Streams(bytes(range(32)))
ROWS = 1000


def people() -> pl.DataFrame:
    chance = np.random.default_rng(5)
    kinds = pl.Enum(["b", "a"])
    return pl.DataFrame(
        {
            "^i.*$": [f"p{n}" for n in range(ROWS)],
            "age": chance.integers(18, 90, ROWS),
            "kind": pl.Series(chance.choice(["a", "b"], ROWS).tolist(), dtype=kinds),
        }
    )


def sorted_files(
    frame: pl.DataFrame, folder: Path, key: str, size: int
) -> tuple[pl.DataFrame, Integers, Integers]:
    folder.mkdir()
    frame.write_parquet(folder / "t.parquet")
    files, rows = in_key_order(ParquetFiles.of([folder / "t.parquet"]), RowKey(key, STREAMS), folder, size)
    read = pl.concat([batch for _, batch in files.frames(size)])
    return read, rows.ids_at(0, frame.height), rows.places_at(0, frame.height)


@pytest.mark.parametrize("size", [7, 100, 5000])
def test_rows_come_in_the_order_of_their_ids(tmp_path: Path, size: int) -> None:
    frame = people()
    read, ids, places = sorted_files(frame, tmp_path / "a", "^i.*$", size)
    wanted = row_ids(frame["^i.*$"], STREAMS)
    np.testing.assert_array_equal(ids, np.sort(wanted))
    np.testing.assert_array_equal(places, np.argsort(wanted))
    assert read.equals(frame[places])


def test_the_order_of_the_source_does_not_matter(tmp_path: Path) -> None:
    frame = people()
    first = sorted_files(frame, tmp_path / "a", "^i.*$", 64)[0]
    assert sorted_files(frame[::-1], tmp_path / "b", "^i.*$", 64)[0].equals(first)


def test_some_ids_are_read_at_a_time(tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    people().write_parquet(tmp_path / "t" / "t.parquet")
    _, rows = in_key_order(
        ParquetFiles.of([tmp_path / "t" / "t.parquet"]), RowKey("^i.*$", STREAMS), tmp_path, 99
    )
    np.testing.assert_array_equal(rows.ids_at(10, 20), rows.ids_at(0, ROWS)[10:30])


@pytest.mark.parametrize("size", [3, 5000])
def test_repeated_values_are_refused_wherever_they_are(tmp_path: Path, size: int) -> None:
    with pytest.raises(InputError, match="cannot be the row key"):
        sorted_files(pl.DataFrame({"id": [*range(50), 0]}), tmp_path / "a", "id", size)


def test_a_column_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no column 'no'"):
        sorted_files(people(), tmp_path / "a", "no", 10)
