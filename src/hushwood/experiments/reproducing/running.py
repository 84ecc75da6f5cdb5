"""Runs the tasks of an experiment: in this process, or side by side in several.

What is done is kept by `kept_outcomes` as soon as it is there; `reproduction` decides what to run.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import perf_counter, sleep

from hushwood.experiments.paper_tables import PaperTables
from hushwood.experiments.protocol import Experiment, Measured, Size, Task
from hushwood.experiments.registry import experiment_named
from hushwood.experiments.reproducing.kept_outcomes import Done

# Libraries that would otherwise start as many threads in every process as there are cores.
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS", "NUMBA_NUM_THREADS")

_SECONDS_BETWEEN_LOOKS = 0.5

Finished = Callable[[Task, Done], None]


def measured_here(experiment: Experiment, size: Size, tables: PaperTables) -> Measured:
    """All tasks done in this process, one after the other, and put together."""
    done = {task.name: _done(experiment, task, tables).outcome for task in experiment.tasks(size)}
    return experiment.measure(done)


def run_tasks(
    experiment: Experiment, tasks: Sequence[Task], tables: PaperTables, jobs: int, finished: Finished
) -> None:
    """Do the tasks and tell of each when it is done; those that measure time come last, one after the other."""
    beside = sorted((task for task in tasks if not task.alone), key=lambda task: -task.cost)
    if jobs > 1 and len(beside) > 1:
        _side_by_side(experiment.name, beside, tables.folder, min(jobs, len(beside)), finished)
        beside = []
    for task in (*beside, *(task for task in tasks if task.alone)):
        finished(task, _done(experiment, task, tables))


def _side_by_side(
    name: str, tasks: Sequence[Task], folder: Path | None, jobs: int, finished: Finished
) -> None:
    from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait

    # A fresh process each: one that is forked would inherit the locks of threads that are not there.
    context = multiprocessing.get_context("spawn")
    with _one_thread_each(), ProcessPoolExecutor(jobs, context, initializer=_begin_work) as pool:
        waiting = {pool.submit(_done_elsewhere, name, task, folder): task for task in tasks}
        try:
            while waiting:
                # Not for ever: a signal may wake another thread, and is heeded only when this one wakes.
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
    # Through JSON, so that a kept outcome and a fresh one are the same.
    return Done(json.loads(json.dumps(outcome, allow_nan=False)), round(perf_counter() - started, 3))


def _begin_work() -> None:
    """Leave the interrupt of a terminal, which reaches all processes, to the first one, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    """A process whose parent was killed is given another one; it would wait for work for ever."""
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
