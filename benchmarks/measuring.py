"""How a benchmark measures: each contender in its own process, the median of its runs, that process' peak memory.

A benchmark module names its contenders and turns their results into lines; `run` prints them.
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from process_memory import TreeMemory

# Runs of a contender; fewer where one takes long, so that the whole table is measured in an hour or two.
REPEATS, LONG_REPEATS = 5, 3
REPEATS_VARIABLE = "HUSHWOOD_BENCH_REPEATS"
LONG_SECONDS = 20.0
VERY_LONG_SECONDS = 120.0


class Failed(Exception):
    """A contender ended with an error; the other benchmarks go on."""


@dataclass(frozen=True)
class Measured:
    """The seconds of every run and the highest peak of one contender, and what else it reported."""

    runs: tuple[float, ...]
    peak_bytes: int
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        return statistics.median(self.runs)


def repeats(first: float) -> int:
    """How many runs to take of what took so many seconds the first time."""
    if first > VERY_LONG_SECONDS:
        return 1
    most = int(os.environ.get(REPEATS_VARIABLE, REPEATS))
    return min(most, LONG_REPEATS) if first > LONG_SECONDS else most


def timed(work: Callable[[], object], warm_ups: int = 1) -> list[float]:
    """Seconds of the runs after the warm-ups (compilation and caches are not what is compared)."""
    for _ in range(warm_ups):
        work()
    seconds: list[float] = []
    while not seconds or len(seconds) < repeats(seconds[0]):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return seconds


def report(seconds: Sequence[float], **facts: Any) -> None:
    """Print a contender's result as its last line, for `contender` to read."""
    print(json.dumps({"seconds": list(seconds), "facts": facts}))


def contender(script: str, name: str, *arguments: str, interpreter: str = sys.executable) -> Measured:
    """Run one contender of a benchmark module in a process of its own."""
    file = str(Path(script).resolve())
    output, _, peak_bytes = run_process([interpreter, file, name, *arguments])
    result = json.loads(output.splitlines()[-1])
    return Measured(tuple(result["seconds"]), peak_bytes, result["facts"])


def command(
    make_arguments: Callable[[int], Sequence[str]], warm_ups: int = 1, whole_tree: bool = False
) -> Measured:
    """Time a whole command, each run a new process; the run number lets every run write to its own folder."""
    for number in range(warm_ups):
        run_process(make_arguments(number))
    runs: list[float] = []
    peaks: list[int] = []
    while not runs or len(runs) < repeats(runs[0]):
        arguments = make_arguments(warm_ups + len(runs))
        _, seconds, peak = run_process(arguments, whole_tree=whole_tree)
        runs.append(seconds)
        peaks.append(peak)
    return Measured(tuple(runs), max(peaks))


def run_process(
    arguments: Sequence[str], whole_tree: bool = False, environment: Mapping[str, str] | None = None
) -> tuple[str, float, int]:
    """Output, wall seconds and peak resident bytes of a process; its failure ends the benchmark.

    The peak is the system's own, of the process; for a whole tree it is the highest sum over its processes.
    """
    reader, writer = os.pipe()
    launcher = [sys.executable, "-I", "-S", str(Path(__file__).with_name("launched.py")), str(writer)]
    # A session of its own: what the process starts goes with it if the benchmark is stopped.
    with subprocess.Popen(
        [*launcher, *arguments],
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **(environment or {})},
        pass_fds=(writer,),
        start_new_session=True,
    ) as process:
        os.close(writer)
        try:
            with TreeMemory(process.pid if whole_tree else None) as tree:
                output, _ = process.communicate()
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)
            raise
    with os.fdopen(reader) as report:
        found = json.loads(report.read() or '{"code": "unknown"}')
    # Hushwood's 1 is an answer: a release is written, and not cleared.
    if found["code"] not in ({0, 1} if Path(arguments[0]).name == "hushwood" else {0}):
        raise Failed(f"{' '.join(arguments)} ended with code {found['code']}.\n{output}")
    return output, found["seconds"], max(found["peak_bytes"], tree.peak_bytes)


def hushwood_command(interpreter: str = sys.executable) -> str:
    """The command that was installed beside an interpreter."""
    return str(Path(interpreter).with_name("hushwood"))
