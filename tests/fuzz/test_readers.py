"""Damaged files and texts for every reader: nothing but a Hushwood error comes out, and no process ends or hangs.

800 cases, the same in every run, of which `make test` takes the first half. HUSHWOOD_FUZZ_CASES (how many) and
HUSHWOOD_FUZZ_SECONDS (how long) ask for more, from a random first case that is printed; HUSHWOOD_FUZZ_START names the
first case, to see a failure again.
"""

from __future__ import annotations

import json
import os
import secrets
import select
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

BATCHES = 4
CASES = 800
ENOUGH = 100  # cases, of which some must be readable
LIMIT = 120.0  # seconds for one case: far more than any needs, also on a busy machine
TESTS = Path(__file__).parents[1]


class Worker:
    """A process that runs cases."""

    def __init__(self) -> None:
        path = os.pathsep.join([str(TESTS), *sys.path])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fuzz.worker"],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._line() is not None, "the worker did not start"

    def run(self, case: int) -> dict[str, str | None]:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{case}\n".encode())
        self.process.stdin.flush()
        line = self._line()
        if line is not None:
            found: dict[str, str | None] = json.loads(line)
            return found
        ended = self.process.poll()
        self.stop()
        what = f"took more than {LIMIT:g} s" if ended is None else f"ended the process with {ended}"
        return {"reader": "?", "outcome": "ended", "finding": what}

    def _line(self) -> bytes | None:
        """A line of the answer; None if there is none in time, or the process has ended."""
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], LIMIT)
        line = self.process.stdout.readline() if ready else b""
        if not line and ready:
            self.process.wait()
        return line or None

    def stop(self) -> None:
        self.process.kill()
        self.process.communicate()


def cases(batch: int) -> Iterator[int]:
    """The numbers of a batch, one after the other."""
    wanted, seconds = os.environ.get("HUSHWOOD_FUZZ_CASES"), os.environ.get("HUSHWOOD_FUZZ_SECONDS")
    given = os.environ.get("HUSHWOOD_FUZZ_START")
    count = int(wanted or CASES) // BATCHES if wanted or not seconds else sys.maxsize
    start = int(given) if given else secrets.randbits(40) if wanted or seconds else 0
    start += batch * (count if count < sys.maxsize else 2**41)
    print(f"fuzz: the first case is {start}")  # noqa: T201
    until = time.monotonic() + float(seconds) / BATCHES if seconds else float("inf")
    for case in range(start, start + max(count, 1)):
        if time.monotonic() > until:
            return
        yield case


@pytest.mark.parametrize(
    "batch", [0, 1, *(pytest.param(n, marks=pytest.mark.thorough) for n in range(2, BATCHES))]
)
def test_nothing_but_a_hushwood_error_comes_out(batch: int, capsys: pytest.CaptureFixture[str]) -> None:
    worker, findings, seen = Worker(), [], Counter[str]()
    try:
        for case in cases(batch):
            found = worker.run(case)
            seen[f"{found['reader']}: {found['outcome']}"] += 1
            if found["finding"]:
                findings.append(f"case {case} ({found['reader']}) {found['finding']}")
            if found["outcome"] == "ended":
                worker = Worker()
    finally:
        worker.stop()
    with capsys.disabled():
        print(f"\n{dict(sorted(seen.items()))}") if os.environ.get("HUSHWOOD_FUZZ_CASES") else None  # noqa: T201
    assert not findings, f"{len(findings)} findings, the first ones:\n" + "\n".join(findings[:20])
    enough = seen.total() >= ENOUGH
    assert not enough or any(o.endswith("read") for o in seen), "every case was refused, so nothing was read"
