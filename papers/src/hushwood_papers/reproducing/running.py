"""Runs the tasks of an experiment, in this process or in several, and keeps every outcome in a file.

A run that was killed continues where it stopped. The first line of the file says what the outcomes belong to; every
other line is one finished task. Incomplete lines, and files of another run, are ignored.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from time import perf_counter, sleep
from typing import Any

from hushwood.errors import InputError
from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import Experiment, Measured, Size, Task
from hushwood_papers.registry import experiment_named


@dataclass(frozen=True, slots=True)
class Done:
    """A finished task: its outcome, and how long it took."""

    outcome: Mapping[str, Any]
    seconds: float


@dataclass(frozen=True, slots=True)
class KeptOutcomes:
    """The file of one run; `belongs_to` is everything that determines the outcomes."""

    path: Path
    belongs_to: Mapping[str, Any]

    @classmethod
    def of(cls, experiment: str, folder: Path, belongs_to: Mapping[str, Any]) -> KeptOutcomes:
        """The outcomes of an experiment, next to its results."""
        return cls(folder / f"{experiment}.tasks.jsonl", belongs_to)

    def read(self) -> dict[str, Done]:
        """The finished tasks by name; starts a new file if there is none of this run."""
        lines = self._lines()
        if not lines or lines[0] != self.belongs_to:
            self._write("w", self.belongs_to)
            return {}
        return {line["task"]: Done(line["outcome"], line["seconds"]) for line in lines[1:]}

    def add(self, task: str, done: Done) -> None:
        """Keep the outcome of one task."""
        self._write("a", {"task": task, "outcome": done.outcome, "seconds": done.seconds})

    def forget(self) -> None:
        """Remove the file, once the results hold its outcomes."""
        self.path.unlink(missing_ok=True)

    def _lines(self) -> list[Any]:
        found: list[Any] = []
        if self.path.is_file():
            for line in self.path.read_text(encoding="utf-8", errors="replace").split("\n"):
                with suppress(json.JSONDecodeError):
                    found.append(json.loads(line))
        return found

    def _write(self, mode: str, value: object) -> None:
        text = json.dumps(value, allow_nan=False)
        try:
            with self.path.open(mode, encoding="utf-8") as file:
                # On a line of its own even after an incomplete one.
                file.write(f"{text}\n" if mode == "w" else f"\n{text}\n")
        except OSError as fault:
            raise InputError(
                f"{self.path} could not be written: {fault.strerror}; name another folder with -o."
            ) from fault


# Libraries that would otherwise start as many threads in every process as there are cores.
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS", "NUMBA_NUM_THREADS")

_SECONDS_BETWEEN_LOOKS = 0.5

Finished = Callable[[Task, Done], None]


def measured_here(experiment: Experiment, size: Size, tables: PaperTables) -> Measured:
    """All tasks run in this process, one after the other, and combined."""
    done = {task.name: _done(experiment, task, tables).outcome for task in experiment.tasks(size)}
    return experiment.measure(done)


def run_tasks(
    experiment: Experiment, tasks: Sequence[Task], tables: PaperTables, jobs: int, finished: Finished
) -> None:
    """Run the tasks and report each when it is finished; those that measure time come last, one by one."""
    together = sorted((task for task in tasks if not task.alone), key=lambda task: -task.cost)
    if jobs > 1 and len(together) > 1:
        _run_in_processes(experiment.name, together, tables.folder, min(jobs, len(together)), finished)
        together = []
    for task in (*together, *(task for task in tasks if task.alone)):
        finished(task, _done(experiment, task, tables))


def _run_in_processes(
    name: str, tasks: Sequence[Task], folder: Path | None, jobs: int, finished: Finished
) -> None:
    from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait

    # Fresh processes: a forked one would inherit the locks of threads that it does not have.
    context = multiprocessing.get_context("spawn")
    with _one_thread_each(), ProcessPoolExecutor(jobs, context, initializer=_begin_work) as pool:
        waiting = {pool.submit(_done_elsewhere, name, task, folder): task for task in tasks}
        try:
            while waiting:
                # With a timeout: a signal may wake another thread, and is handled only when this one wakes.
                for future in wait(waiting, _SECONDS_BETWEEN_LOOKS, FIRST_COMPLETED).done:
                    finished(waiting.pop(future), future.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
            raise


def _done_elsewhere(name: str, task: Task, folder: Path | None) -> Done:
    return _done(experiment_named(name), task, PaperTables(folder))


def _done(experiment: Experiment, task: Task, tables: PaperTables) -> Done:
    started = perf_counter()
    outcome = experiment.run(task, tables)
    # Through JSON, so that kept and fresh outcomes are the same.
    return Done(json.loads(json.dumps(outcome, allow_nan=False)), round(perf_counter() - started, 3))


def _begin_work() -> None:
    """Leave a terminal's interrupt, which reaches all processes, to the parent, and end with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    """An orphan gets another parent and would wait for work for ever."""
    while os.getppid() == parent:
        sleep(_SECONDS_BETWEEN_LOOKS)
    os._exit(1)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
