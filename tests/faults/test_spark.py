"""Workers of Spark that are killed in the middle of a release."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from hushwood.api import release
from support.people_files import SEED, write_people
from support.release_parts import files_in
from support.spark_runs import needs_spark

# Kills every worker of its own Spark from the moment that values are changed.
KILLED = """
import os, signal, sys, threading, time
from pathlib import Path
from hushwood.cli.main import command
import hushwood.releasing.engines.spark.engine as engine

def parent(pid):
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0

def is_worker(pid):
    try:
        said = Path(f"/proc/{parent(pid)}/cmdline").read_bytes()
    except OSError:
        return False
    above = pid
    while above > 1 and above != os.getpid():
        above = parent(above)
    return above == os.getpid() and b"pyspark.daemon" in said

def kill():
    while True:
        for pid in [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]:
            if is_worker(pid):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)

change = engine.OnSpark.change
def killing(self, into):
    threading.Thread(target=kill, daemon=True).start()
    return change(self, into)
engine.OnSpark.change = killing
command()
"""


@needs_spark
@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_a_killed_worker_leaves_nothing_and_the_next_run_gives_the_same_values(tmp_path: Path) -> None:
    table, target = write_people(tmp_path), tmp_path / "out"
    words = ["release", table, "--class", "ill", "--engine", "spark", "--spark-master", "local[2]", "-q"]
    words += ["--evidence", "none", "--seed", SEED, "-o", target, "--reuse-key"]
    words += ["--ledger", tmp_path / "ledger"]
    done = subprocess.run(
        [sys.executable, "-c", KILLED, *map(str, words)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "A Spark worker ended in the middle of its work" in done.stderr
    assert "nothing was released" in done.stderr
    assert not target.exists()
    assert {path.name for path in tmp_path.iterdir()} <= {"people.csv", "ledger", "ledger.lock"}
    release(
        table,
        target="ill",
        engine="spark",
        spark_master="local[2]",
        evidence="none",
        seed=SEED,
        output=target,
        reuse_key=True,
        ledger=tmp_path / "ledger",
    )
    again = release(
        table, target="ill", evidence="none", seed=SEED, reuse_key=True, ledger=tmp_path / "ledger"
    )
    assert pl.read_csv(files_in(target) / "released.csv").equals(pl.DataFrame(again.frame))
