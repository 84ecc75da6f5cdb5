"""How long a run of experiments will still take: a bar on a terminal, plain lines elsewhere, nothing when quiet."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from hushwood.cli.printing import say

# Called after every task with its name, the cost done, and the total cost.
Progress = Callable[[str, float, float], None]
_SECONDS_BETWEEN_LINES = 10.0


@contextmanager
def shown_time_left(title: str, quiet: bool) -> Iterator[Progress]:
    """A function to call after every task; it shows how much is done and how long the rest will take."""
    if quiet:
        yield lambda name, done, total: None
    elif sys.stderr is not None and sys.stderr.isatty():  # a closed or hidden window has no stderr
        with _bar(title) as progress:
            yield progress
    else:
        yield _lines(title)


@contextmanager
def _bar(title: str) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    left = _TimeLeft()
    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn()
    with Bars(*columns, TextColumn("{task.fields[left]}"), console=Console(stderr=True)) as bars:
        task = bars.add_task(title, total=None, left="")

        def progress(name: str, done: float, total: float) -> None:
            bars.update(task, completed=done, total=total, left=f"{left.after(done, total)} ({name})")

        yield progress


def _lines(title: str) -> Progress:
    left = _TimeLeft()
    last_line = monotonic()

    def progress(name: str, done: float, total: float) -> None:
        nonlocal last_line
        text = left.after(done, total)
        if done < total and monotonic() - last_line < _SECONDS_BETWEEN_LINES:
            return
        last_line = monotonic()
        say(f"{title}: {done / total:.0%} done, {text} ({name})", err=True)

    return progress


class _TimeLeft:
    """Estimates from the work since the first report, so that work kept from an earlier run does not count."""

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
        seconds = (now - started) * (total - done) / (done - had)
        return f"about {seconds:.0f} s left" if seconds < 90 else f"about {seconds / 60:.0f} min left"
