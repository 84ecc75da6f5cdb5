"""Progress of a job: a bar with stage names on a terminal, plain lines elsewhere, nothing with --quiet."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hushwood.cli.printing import say

if TYPE_CHECKING:
    from hushwood.stages import Stage


SECONDS_BETWEEN_LINES = 10.0


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
    """A line for every stage, and one now and then for a stage that counts records."""
    seen: set[str] = set()
    said = [time.monotonic()]

    def stage(name: str, done: int, total: int) -> None:
        del done, total
        what, counted, _ = name.partition(" (")
        late = counted and time.monotonic() - said[0] > SECONDS_BETWEEN_LINES
        if what not in seen or (late and name not in seen):
            seen.update((what, name))
            said[0] = time.monotonic()
            say(f"{name if late else what} ...", err=True)

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
