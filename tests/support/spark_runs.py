"""Runs on a Spark of two local workers, for tests; without PySpark or Java they are skipped with a reason."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from hushwood.random_streams import Streams
from hushwood.releasing.engines.streaming.engine import sample_places
from hushwood.releasing.options import PerturbOptions
from hushwood.tables.long.table import Looking, read_long

STREAMS = Streams(bytes(range(32)))
needs_spark = pytest.mark.skipif(
    find_spec("pyspark") is None or shutil.which("java") is None, reason="PySpark or Java is missing"
)


@contextmanager
def cluster_of_two() -> Iterator[Any]:
    from hushwood.releasing.engines.spark.session import Cluster, spark_session

    with tempfile.TemporaryDirectory() as folder, spark_session("local[2]", Path(folder)) as session:
        yield Cluster(session)


def released_on_spark(
    cluster: Any, path: Path, target: str, options: PerturbOptions, chunk_rows: int
) -> pl.DataFrame:
    """The released rows of a file or a folder, changed in blocks of so many rows."""
    from hushwood.releasing.engines.spark.engine import OnSpark

    with tempfile.TemporaryDirectory() as folder:
        scratch, into = Path(folder), Path(folder) / "out"
        into.mkdir()
        engine = OnSpark(cluster, replace(options, chunk_rows=chunk_rows), STREAMS, scratch)
        long = read_long(
            path,
            scratch,
            {"target": target},
            Looking(
                sample=lambda rows, keyed: sample_places(rows, options, STREAMS, keyed),
                describe=engine.describe,
            ),
        )
        engine.learn(long.records)
        files = engine.change(into)
        engine.perturbed()
        return files.lazy().collect()
