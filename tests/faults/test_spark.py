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

# Kills every worker of its own Spark, or Spark itself, from the moment that values are changed.
KILLED = """
import os, signal, sys, threading, time
from pathlib import Path
from hushwood.cli.main import command
import hushwood.releasing.engines.spark.engine as engine

wanted = sys.argv.pop(1).encode()

def parent(pid):
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0

def words(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().split(bytes(1))
    except OSError:
        return []

def is_victim(pid):
    above = pid
    while above > 1 and above != os.getpid():
        above = parent(above)
    if above != os.getpid() or pid == above:
        return False
    if wanted == b"worker":
        return b"pyspark.daemon" in words(parent(pid))
    return words(pid)[:1] != [] and words(pid)[0].endswith(b"java")

def kill():
    while True:
        for pid in [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]:
            if is_victim(pid):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)

change = engine.OnSpark.change
def killing(self, into):
    threading.Thread(target=kill, daemon=True).start()
    return change(self, into)
engine.OnSpark.change = killing
command()
"""


def killed(victim: str, folder: Path) -> str:
    """What a release says whose workers, or whose Spark, are killed; it must leave nothing."""
    words = [
        "release",
        folder / "people.csv",
        "--class",
        "ill",
        "--engine",
        "spark",
        "-q",
        "--evidence",
        "none",
    ]
    words += ["--spark-master", "local[2]", "--seed", SEED, "-o", folder / "out", "--reuse-key"]
    words += ["--ledger", folder / "ledger"]
    done = subprocess.run(
        [sys.executable, "-c", KILLED, victim, *map(str, words)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stderr
    assert {path.name for path in folder.iterdir()} <= {"people.csv", "ledger", "ledger.lock"}
    return done.stderr


@needs_spark
@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_a_killed_worker_leaves_nothing_and_the_next_run_gives_the_same_values(tmp_path: Path) -> None:
    table, target = write_people(tmp_path), tmp_path / "out"
    said = killed("worker", tmp_path)
    assert "hushwood: A Spark worker ended in the middle of its work" in said
    assert "nothing was released" in said
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


@pytest.mark.thorough
@needs_spark
@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_a_killed_spark_leaves_nothing(tmp_path: Path) -> None:
    write_people(tmp_path)
    assert "hushwood: Spark itself ended in the middle of its work; nothing was released" in killed(
        "java", tmp_path
    )
