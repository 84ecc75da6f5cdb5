from __future__ import annotations

import sys
from pathlib import Path

import pytest
from measuring import REPEATS, REPEATS_VARIABLE, Failed, Measured, command, repeats, run_process, timed
from process_memory import PROC, TreeMemory, tree_bytes

MEBIBYTES = 60
HOLD = f"held = bytearray(b'x') * {MEBIBYTES * 2**20}; import time; time.sleep(0.8)"
# A parent that holds memory while a child of it does, too.
BOTH = f"import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', {HOLD!r}]); {HOLD}; child.wait()"


def test_seconds_are_the_median() -> None:
    assert Measured((5.0, 1.0, 2.0), 0).seconds == 2.0


@pytest.mark.parametrize(("first", "runs"), [(1.0, REPEATS), (21.0, 3), (121.0, 1)])
def test_long_runs_are_made_less_often(first: float, runs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(REPEATS_VARIABLE, raising=False)
    assert repeats(first) == runs


def test_a_quick_look_repeats_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REPEATS_VARIABLE, "2")
    done: list[int] = []
    assert len(timed(lambda: done.append(1))) == 2
    assert len(done) == 3  # with the one that warms up


def test_every_run_of_a_command_has_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REPEATS_VARIABLE, "2")
    found = command(lambda n: [sys.executable, "-c", f"open({str(tmp_path / str(n))!r}, 'x')"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0", "1", "2"]
    assert len(found.runs) == 2
    assert found.peak_bytes > 2**20


def test_a_process_gets_its_environment() -> None:
    output, _, _ = run_process(
        [sys.executable, "-c", "import os; print(os.environ['GIVEN'])"], environment={"GIVEN": "here"}
    )
    assert output == "here\n"


def test_a_contender_that_fails_is_named() -> None:
    with pytest.raises(Failed, match="ended with code 3"):
        run_process([sys.executable, "-c", "raise SystemExit(3)"])


@pytest.mark.skipif(not PROC.is_dir(), reason="sums over processes are read from /proc")
def test_the_memory_of_a_tree_is_that_of_all_its_processes() -> None:
    arguments = [sys.executable, "-c", BOTH]
    _, _, alone = run_process(arguments)
    _, _, together = run_process(arguments, whole_tree=True)
    assert MEBIBYTES * 2**20 < alone < 2 * MEBIBYTES * 2**20 < together


def test_the_memory_of_the_benchmarks_own_process_does_not_count() -> None:
    held = bytearray(b"x") * (4 * MEBIBYTES * 2**20)
    _, _, peak = run_process([sys.executable, "-c", ""])
    assert peak < MEBIBYTES * 2**20 < len(held)


def test_nothing_is_watched_without_a_root() -> None:
    with TreeMemory(None) as tree:
        pass
    assert tree.peak_bytes == 0


def test_a_process_that_has_ended_has_no_memory() -> None:
    assert tree_bytes(2**30) == 0
