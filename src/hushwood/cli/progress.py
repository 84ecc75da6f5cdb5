"""Progress of a job: a bar with stage names on a terminal, plain lines elsewhere, nothing with --quiet.

A program that starts the command gets JSON lines with HUSHWOOD_PROGRESS=json.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import typer

from hushwood.cli.printing import say
from hushwood.stages import COMPILING, asked_for_json, json_lines, lines, shows_compiling, silent

if TYPE_CHECKING:
    from hushwood.stages import Stage


SECONDS_BETWEEN_LINES = 10.0


@contextmanager
def shown_progress(quiet: bool) -> Iterator[Stage]:
    """A function that a job calls with (stage name, done, total)."""
    on_terminal = sys.stderr is not None and sys.stderr.isatty()  # there is none in a closed or hidden window
    where = _bar() if on_terminal and not quiet and not asked_for_json() else nullcontext(_plain_lines(quiet))
    with where as stage, shows_compiling(stage) as watched:
        yield watched


def _plain_lines(quiet: bool) -> Stage:
    if quiet:
        return silent
    if asked_for_json():
        return json_lines(lambda line: typer.echo(line, err=True))
    return lines(lambda line: say(line, err=True))


@contextmanager
def _bar() -> Iterator[Stage]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("starting", total=None)

        def stage(name: str, done: int, total: int) -> None:
            shown = f"{name}: {done} done" if name == COMPILING else name
            progress.update(task, description=shown, completed=done, total=total if total > 1 else None)

        yield stage
