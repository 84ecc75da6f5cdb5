from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from hushwood.releasing.engines.spark.exchange import Block, blocks_of
from hushwood.tables.long.files import ParquetFiles


def test_blocks_are_whole_row_groups_where_that_is_possible(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": range(10)})
    frame.write_parquet(tmp_path / "a.parquet", row_group_size=4)
    frame.write_parquet(tmp_path / "b.parquet", row_group_size=100)
    files = ParquetFiles.of([tmp_path / "a.parquet", tmp_path / "b.parquet"])
    assert [block.rows for block in blocks_of(files, 8)] == [8, 2, 8, 2]
    assert [block.first for block in blocks_of(files, 8)] == [0, 8, 10, 18]
    assert [block.rows for block in blocks_of(files, 50)] == [20]
    for block in blocks_of(files, 3):
        rows = files.rows_from(block.first, block.rows)["a"].to_list()
        assert rows == [(block.first + place) % 10 for place in range(block.rows)]


def test_places_in_a_block_are_counted_from_its_first_row() -> None:
    assert Block(1, 10, 5).places(np.array([3, 10, 12, 14, 15])).tolist() == [0, 2, 4]
