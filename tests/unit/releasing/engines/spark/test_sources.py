from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.releasing.engines.spark.records import Source, source_of
from hushwood.releasing.engines.spark.session import pandas_unmentioned
from support.spark_runs import cluster_of_two, needs_spark


def test_sources_without_an_order_need_a_key_column() -> None:
    with pytest.raises(InputError, match=r"have no order.*--row-key"):
        source_of("table:people", None)
    assert source_of("table:people", "id") == Source(table="people")
    assert source_of("hdfs://there/people", None) == Source(address="hdfs://there/people")
    assert source_of(Path("people.csv"), None) == Source(path=Path("people.csv"))


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
        found = _spooled(Source(path=folder), cluster, tmp_path / "first")
        assert found["a"].to_list() == [f"{y} {p} {n}" for y in (2023, 2024) for p in "ab" for n in range(5)]
        assert found["year"].to_list() == [2023] * 10 + [2024] * 10
        frame = cluster.session.createDataFrame([(1, "x"), (2, "y"), (3, None)], "id long, text string")
        found = _spooled(source_of(frame, "id"), cluster, tmp_path / "second")
        assert found.sort("id").rows() == [(1, "x"), (2, "y"), (3, None)]


def _spooled(source: Source, cluster: Any, scratch: Path) -> pl.DataFrame:
    scratch.mkdir()
    return source.spooled(cluster, scratch, {}).files.lazy().collect()
