"""A release from Parquet by Spark on local[2], against Spark's own copy of the file: read, and written as Parquet.

forest-framework without evidence, certificate included. Both are whole processes, start of Java included. Memory is
that of all processes together, Java's and the Python workers', looked at five times a second; pages that workers share
count in each. PySpark comes with the extra `spark` and needs Java; HUSHWOOD_SPARK names the interpreter of another
environment that has Hushwood and PySpark. Without it the benchmark is left out.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from generated import CLASS, make_table, new_seed
from lines import Line, stated, within
from measuring import command, contender, report, run_process
from release_commands import FOREST, NO_EVIDENCE, again, release

ROWS, QUICK_ROWS, COLUMNS = 10_000_000, 1_000_000, 10
MASTER = "local[2]"
AT_MOST, GOAL = 2.5, 1.5
SPARK = ("--engine", "spark", "--spark-master", MASTER)
VERSION = "import pyspark; print(pyspark.__version__)"


def compare() -> list[Line]:
    return _lines(ROWS)


def quick() -> list[Line]:
    return [stated(line) for line in _lines(QUICK_ROWS)]


def _lines(rows: int) -> list[Line]:
    interpreter = _interpreter()
    if interpreter is None or shutil.which("java") is None:
        print("spark_vs_spark is left out: it needs Java and PySpark; see HUSHWOOD_SPARK.", file=sys.stderr)
        return []
    seed = new_seed()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table, copied, out = folder / "table.parquet", folder / "copy", folder / "out"
        make_table(table, rows, seed)
        inside = contender(__file__, str(table), str(folder / "inside"), interpreter=interpreter)
        script = [interpreter, __file__, str(table), str(copied)]
        peer = command(again(script, copied), warm_ups=0, whole_tree=True)
        asked = release(table, CLASS, out, *FOREST, *SPARK, *NO_EVIDENCE, interpreter=interpreter)
        ours = command(again(asked, out), whole_tree=True)
    what = f"forest-framework of {rows:,} × {COLUMNS} by Spark {MASTER}, no evidence, against Spark's copy"
    version = run_process([interpreter, "-W", "ignore", "-c", VERSION])[0].strip()
    note = f"Spark {version}, which needs {inside.seconds:.1f} s to copy once it has started."
    line = replace(within(what, ours, peer, AT_MOST, GOAL), note=note)
    return [replace(line, facts={"rows": rows, "seed": seed})]


def _interpreter() -> str | None:
    named = os.environ.get("HUSHWOOD_SPARK")
    return named or (sys.executable if importlib.util.find_spec("pyspark") else None)


def copy(source: str, target: str) -> None:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(MASTER).config("spark.ui.enabled", "false")
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    start = time.perf_counter()
    session.read.parquet(source).write.parquet(target)
    seconds = time.perf_counter() - start
    session.stop()
    report([seconds])


if __name__ == "__main__":
    copy(sys.argv[1], sys.argv[2])
