"""All runs of the comparison, in parallel, with a cache of what is finished.

One run is a table, a seed and a contender. Finished runs are lines of a JSON file; a second start goes on with what is
not there yet. Runs that failed are not kept, and are tried again.
"""

from __future__ import annotations

import hashlib
import json
import queue
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from threading import Lock
from typing import Any

from frontier.contenders import BY_NAME, Contender
from frontier.records import coded
from frontier.releases import release
from frontier.tables import Split, secret, split
from frontier.yardstick import YARDSTICK, measured
from hushwood.errors import InputError

DIGITS = 5


@dataclass(frozen=True, order=True)
class Unit:
    """One run."""

    table: str
    seed: int
    contender: str

    def __str__(self) -> str:
        return f"{self.table}, seed {self.seed}, {self.contender}"


@dataclass(frozen=True)
class Run:
    """What one run gave: its measures, or the reason why the contender cannot work on the table."""

    table: str
    seed: int
    contender: str
    values: Mapping[str, float | None] = field(default_factory=dict)
    not_applicable: str = ""

    @property
    def unit(self) -> Unit:
        return Unit(self.table, self.seed, self.contender)


@dataclass
class Cache:
    """Finished runs as lines of a file; each carries a mark of what it depends on."""

    path: Path
    _lock: Any = field(default_factory=Lock, repr=False)

    def read(self) -> dict[Unit, Run]:
        """The runs whose contender and yardstick are still the same; of several of a unit, the last."""
        if not self.path.is_file():
            return {}
        found = {}
        for line in self.path.read_text("utf-8").splitlines():
            kept = json.loads(line)
            if kept.pop("mark") == mark(kept["contender"]):
                run = Run(**kept)
                found[run.unit] = run
        return found

    def add(self, run: Run) -> None:
        line = json.dumps({**asdict(run), "mark": mark(run.contender)}, ensure_ascii=False)
        with self._lock:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")

    def forget(self, units: Sequence[Unit]) -> None:
        """Drop the lines of these units, and of runs that no longer count."""
        kept = [run for unit, run in self.read().items() if unit not in set(units)]
        self.path.unlink(missing_ok=True)
        for run in kept:
            self.add(run)


def mark(contender: str) -> str:
    """Changes when the yardstick or the contender's description changes; empty for a contender of the past."""
    if contender not in BY_NAME:
        return ""
    described = json.dumps([YARDSTICK, BY_NAME[contender].described()], sort_keys=True)
    return hashlib.sha256(described.encode()).hexdigest()[:12]


@lru_cache(maxsize=1)
def _split(table: str, seed: int) -> Split:
    """The split of the runs before; its reference holds what was computed for them."""
    return split(table, seed)


def run_unit(unit: Unit) -> Run:
    """Release and measure in this process, on one thread.

    The libraries' own threads would spend most of their time on waiting for each other.
    """
    import sklearn.ensemble  # noqa: F401 - only libraries that are loaded can be limited
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with threadpool_limits(1):
        return measured_run(unit, BY_NAME[unit.contender], _split(unit.table, unit.seed))


def measured_run(unit: Unit, contender: Contender, parts: Split) -> Run:
    """The same for a contender and a split that are given."""
    key = secret("release", unit.table, unit.seed)
    try:
        released = release(contender, parts, key)
    except InputError as reason:
        return Run(*_names(unit), not_applicable=str(reason))
    reference = parts.reference
    records = coded(released.frame, reference.columns, reference.streams)
    values = measured(reference, records, partners=contender.partners)
    rounded = {name: None if v is None else round(v, DIGITS) + 0.0 for name, v in values.items()}
    kept = None if released.kept is None else round(released.kept, DIGITS)
    return Run(*_names(unit), {**rounded, "kept": kept, "seconds": round(released.seconds, 2)})


def _names(unit: Unit) -> tuple[str, int, str]:
    return unit.table, unit.seed, unit.contender


def run_all(
    units: Sequence[Unit], jobs: int, cache: Cache, say: Callable[[str], None]
) -> tuple[list[Run], list[str]]:
    """Run the units that are not in the cache; all their runs, and what failed."""
    done = cache.read()
    waiting: queue.SimpleQueue[list[Unit]] = queue.SimpleQueue()
    for group in _groups([unit for unit in units if unit not in done]):
        waiting.put(group)
    failures: list[str] = []

    def lane() -> None:
        """One process at a time, which takes all contenders of a split and so prepares it once."""
        pool = _process()
        while not waiting.empty():
            try:
                group = waiting.get_nowait()
            except queue.Empty:
                break
            for unit in group:
                start = time.perf_counter()
                future = pool.submit(run_unit, unit)
                fault = future.exception()
                if fault is None:
                    cache.add(future.result())
                    done[unit] = future.result()
                    outcome = future.result().not_applicable or "done"
                else:
                    failures.append(f"{unit}: {type(fault).__name__}: {fault}")
                    outcome = f"FAILED: {fault}"
                say(f"{unit}: {outcome} ({time.perf_counter() - start:.1f} s)")
                if isinstance(fault, BrokenProcessPool):
                    pool = _process()
        pool.shutdown()

    with ThreadPoolExecutor(jobs) as lanes:
        for finished in [lanes.submit(lane) for _ in range(jobs)]:
            finished.result()
    return [done[unit] for unit in units if unit in done], failures


def _process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"))


def _groups(units: Sequence[Unit]) -> list[list[Unit]]:
    """The units of each table and seed."""
    groups: dict[tuple[str, int], list[Unit]] = {}
    for unit in units:
        groups.setdefault((unit.table, unit.seed), []).append(unit)
    return list(groups.values())
