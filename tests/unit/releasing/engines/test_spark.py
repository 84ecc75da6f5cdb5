from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from hushwood.errors import HushwoodError, InputError
from hushwood.releasing.engines.spark.exchange import Block, blocks_of, buckets_of, write_pieces
from hushwood.releasing.engines.spark.records import SparkSource, source_of
from hushwood.releasing.engines.spark.session import _said, pandas_unmentioned, spark_session
from hushwood.tables.long.files import ParquetFiles
from support.spark_runs import cluster_of_two, needs_spark


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


def test_an_error_of_a_task_is_raised_as_it_was() -> None:
    text = "An error occurred\nTraceback ...\nhushwood.errors.InputError: Column 'a' is wrong; mend it.\n\n\tat org"
    found = _said(Exception(text))
    assert type(found) is InputError
    assert str(found) == "Column 'a' is wrong; mend it."


def test_a_worker_that_ended_is_said_so() -> None:
    found = _said(Exception("org.apache.spark.SparkException: Python worker exited unexpectedly (crashed)"))
    assert type(found) is HushwoodError
    assert str(found).startswith("A Spark worker ended in the middle of its work")
    assert "nothing was released" in str(found)


def test_other_faults_are_passed_on() -> None:
    fault = ValueError("no")
    assert _said(fault) is fault


def test_pieces_come_back_by_bucket_in_the_order_of_the_files(tmp_path: Path) -> None:
    limits = [
        write_pieces(tmp_path, 0, [(0, "a"), (2, "b")], 3),
        write_pieces(tmp_path, 1, [], 3),
        write_pieces(tmp_path, 2, [(0, "c"), (1, "d")], 3),
    ]
    found = [list(bucket.pieces()) for bucket in buckets_of(tmp_path, limits)]
    assert found == [["a", "c"], ["d"], ["b"]]
    assert len(list(tmp_path.iterdir())) == 3


@needs_spark
def test_ctrl_c_does_afterwards_what_it_did_before(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    with spark_session("local[1]", tmp_path) as session:
        assert session.range(3).count() == 3
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_sources_without_an_order_need_a_key_column() -> None:
    with pytest.raises(InputError, match=r"have no order.*--row-key"):
        source_of("table:people", None)
    assert source_of("table:people", "id") == SparkSource(table="people")
    assert source_of("hdfs://there/people", None) == SparkSource(address="hdfs://there/people")
    assert source_of(Path("people.csv"), None) == SparkSource(path=Path("people.csv"))


def test_tables_in_memory_are_refused() -> None:
    with pytest.raises(InputError, match="table in memory"):
        source_of(pl.DataFrame({"a": [1]}), None)


@needs_spark
def test_what_only_spark_reads_is_written_once_in_the_order_of_the_files(tmp_path: Path) -> None:
    folder = tmp_path / "by year"
    for year in (2023, 2024):
        for part in "ba":
            (folder / f"year={year}").mkdir(parents=True, exist_ok=True)
            rows = [f"{year} {part} {number}" for number in range(5)]
            pl.DataFrame({"a": rows}).write_parquet(folder / f"year={year}" / f"{part}.parquet")
    with cluster_of_two() as cluster, pandas_unmentioned():
        found = _spooled(SparkSource(path=folder), cluster, tmp_path / "first")
        assert found["a"].to_list() == [f"{y} {p} {n}" for y in (2023, 2024) for p in "ab" for n in range(5)]
        assert found["year"].to_list() == [2023] * 10 + [2024] * 10
        frame = cluster.session.createDataFrame([(1, "x"), (2, "y"), (3, None)], "id long, text string")
        found = _spooled(source_of(frame, "id"), cluster, tmp_path / "second")
        assert found.sort("id").rows() == [(1, "x"), (2, "y"), (3, None)]


def _spooled(source: SparkSource, cluster: Any, scratch: Path) -> pl.DataFrame:
    scratch.mkdir()
    return source.spooled(cluster, scratch, {}).files.lazy().collect()
