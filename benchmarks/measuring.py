"""How a benchmark measures: each contender in its own process, the median of five, that process' peak memory.

A benchmark module names its contenders and turns their results into lines; `run` prints them.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

REPEATS = 5
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Measured:
    """Median seconds and peak bytes of one contender, and what else it reported."""

    seconds: float
    peak_bytes: int
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Limit:
    """What a ratio must keep: at least or at most a number."""

    kind: Literal["at least", "at most"]
    value: float

    def holds(self, ratio: float) -> bool:
        return ratio >= self.value if self.kind == "at least" else ratio <= self.value

    def __str__(self) -> str:
        return f"{'≥' if self.kind == 'at least' else '≤'} {self.value:g}"


@dataclass(frozen=True)
class Line:
    """One row of the table: ours beside the peer; without a ratio there is no verdict, only a note why."""

    what: str
    ours: str
    peer: str
    ratio: float | None
    limit: Limit
    peak_bytes: int
    note: str = ""

    @property
    def verdict(self) -> str:
        if self.ratio is None:
            return "no peer"
        return "ok" if self.limit.holds(self.ratio) else "MISSED"


def timed(work: Callable[[], object], warm_ups: int = 1) -> list[float]:
    """Seconds of five runs after the warm-ups (compilation and caches are not what is compared)."""
    for _ in range(warm_ups):
        work()
    seconds = []
    for _ in range(REPEATS):
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
    return Measured(statistics.median(result["seconds"]), peak_bytes, result["facts"])


def command(make_arguments: Callable[[int], Sequence[str]], warm_ups: int = 1) -> Measured:
    """Time a whole command, each run a new process; the run number lets every run write to its own folder."""
    runs = [run_process(make_arguments(number)) for number in range(warm_ups + REPEATS)][warm_ups:]
    seconds = statistics.median(seconds for _, seconds, _ in runs)
    return Measured(seconds, max(peak for _, _, peak in runs))


def run_process(arguments: Sequence[str]) -> tuple[str, float, int]:
    """Output, wall seconds and peak resident bytes of a process; its failure ends the benchmark."""
    start = time.perf_counter()
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    # Hushwood's 1 is an answer: a release is written, and not cleared.
    if process.returncode not in ({0, 1} if arguments[0] == hushwood_command() else {0}):
        raise SystemExit(f"{' '.join(arguments)} ended with code {process.returncode}.\n{output}")
    unit = 1 if sys.platform == "darwin" else 1024
    return output, seconds, usage.ru_maxrss * unit


def hushwood_command() -> str:
    """The command that was installed beside this interpreter."""
    return str(Path(sys.executable).with_name("hushwood"))


def faster(what: str, ours: Measured, peer: Measured, at_least: float) -> Line:
    """A line that asks for a speed of so many times the peer's."""
    ratio = peer.seconds / ours.seconds
    limit = Limit("at least", at_least)
    return Line(what, _seconds(ours), _seconds(peer), ratio, limit, ours.peak_bytes)


def within(what: str, ours: Measured, peer: Measured, at_most: float) -> Line:
    """A line that allows so many times the peer's time."""
    ratio = ours.seconds / peer.seconds
    return Line(what, _seconds(ours), _seconds(peer), ratio, Limit("at most", at_most), ours.peak_bytes)


def without_peer(what: str, ours: Measured, limit: Limit, why: str) -> Line:
    """A line with ours alone."""
    return Line(what, _seconds(ours), "-", None, limit, ours.peak_bytes, why)


def _seconds(measured: Measured) -> str:
    return f"{measured.seconds:.3f} s"
