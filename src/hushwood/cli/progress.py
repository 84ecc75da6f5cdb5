"""How far a job is: a bar with stage names on a terminal, plain lines elsewhere, nothing when quiet."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from hushwood.cli.saying import say

if TYPE_CHECKING:
    from hushwood.experiments.reproducing.reproduction import Progress as Reported
    from hushwood.frameworks.perturb import Stage

_SECONDS_BETWEEN_LINES = 10.0


@contextmanager
def shown_progress(quiet: bool) -> Iterator[Stage]:
    """A function that a job calls with (stage name, done, total)."""
    if quiet:
        yield lambda name, done, total: None
    elif sys.stderr is not None and sys.stderr.isatty():  # there is none in a closed or hidden window
        with _bar() as stage:
            yield stage
    else:
        yield _plain_lines()


def _plain_lines() -> Stage:
    seen: list[str] = []

    def stage(name: str, done: int, total: int) -> None:
        del done, total
        if name not in seen:
            seen.append(name)
            say(f"{name} ...", err=True)

    return stage


@contextmanager
def _bar() -> Iterator[Stage]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("starting", total=None)

        def stage(name: str, done: int, total: int) -> None:
            progress.update(task, description=name, completed=done, total=total if total > 1 else None)

        yield stage


@contextmanager
def shown_time_left(title: str, quiet: bool) -> Iterator[Reported]:
    """A function that long work calls with (what was done last, work done, all work); tells how long it will take."""
    if quiet:
        yield lambda name, done, total: None
    elif sys.stderr is not None and sys.stderr.isatty():
        with _bar_with_time_left(title) as reported:
            yield reported
    else:
        yield _lines_with_time_left(title)


@contextmanager
def _bar_with_time_left(title: str) -> Iterator[Reported]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    left = _TimeLeft()
    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn()
    with Progress(*columns, TextColumn("{task.fields[left]}"), console=Console(stderr=True)) as progress:
        task = progress.add_task(title, total=None, left="")

        def reported(name: str, done: float, total: float) -> None:
            told = f"{left.after(done, total)} ({name})"
            progress.update(task, completed=done, total=total, left=told)

        yield reported


def _lines_with_time_left(title: str) -> Reported:
    left = _TimeLeft()
    told = monotonic()

    def reported(name: str, done: float, total: float) -> None:
        nonlocal told
        text = left.after(done, total)
        if done < total and monotonic() - told < _SECONDS_BETWEEN_LINES:
            return
        told = monotonic()
        say(f"{title}: {done / total:.0%} done, {text} ({name})", err=True)

    return reported


class _TimeLeft:
    """Reckons from what was done since the first report, so that work of an earlier run does not count."""

    def __init__(self) -> None:
        self.first: tuple[float, float] | None = None

    def after(self, done: float, total: float) -> str:
        """How long the rest will take, in words."""
        now = monotonic()
        if self.first is None:
            self.first = now, done
        started, had = self.first
        if done <= had:
            return "time left unknown yet"
        return f"about {_in_words((now - started) * (total - done) / (done - had))} left"


def _in_words(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
