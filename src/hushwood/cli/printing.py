"""How commands print and end: no text from a table can control the terminal or hide there.

Progress is a bar with stage names on a terminal, plain lines elsewhere, nothing with --quiet. A program that starts the
command gets JSON lines with HUSHWOOD_PROGRESS=json.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from hushwood.errors import visible, without_passwords
from hushwood.stages import COMPILING, asked_for_json, json_lines, lines, shows_compiling, silent

if TYPE_CHECKING:
    from hushwood.stages import Stage


def say(line: str, *, colour: str | None = None, err: bool = False) -> None:
    """Print one line."""
    typer.secho(visible(line), fg=colour, err=err)


def warn(sentence: str) -> None:
    """Print a warning."""
    say(f"! {sentence}", colour="yellow", err=True)


def say_what_to_send(folder: Path, keep: str) -> None:
    """Print which folder of a release to send, and how to `keep` the other; or why to send neither."""
    from hushwood.jobs.folder.whole_folders import NOT_CLEARED, SHARE, shared_part

    if shared_part(folder) != NOT_CLEARED:
        say(f"Send {folder / SHARE}; {keep}.")
        return
    say(f"Do not send {folder / NOT_CLEARED}: the release is not cleared.", colour="red")
    say(f"To take responsibility for it: hushwood accept {folder} --reason TEXT --by NAME")


def as_typed() -> str:
    """The command line without its secrets."""
    words = ["hushwood", *map(without_passwords, sys.argv[1:])]
    for place, word in enumerate(words):
        if word == "--seed" and place + 1 < len(words):
            words[place + 1] = "…"
        elif word.startswith("--seed="):
            words[place] = "--seed=…"
    return shlex.join(words)


class Stopped(BaseException):
    """The command must end now, by a key or a signal; unfinished work folders are removed on the way out."""

    def __init__(self, number: int, sentence: str = "") -> None:
        super().__init__(number, sentence)
        self.number = number
        self._sentence = sentence
        self.exit_code = 128 + number  # what a shell reports for a program that a signal ended

    @property
    def sentence(self) -> str:
        """What is left: what the command says, or else whether a release was completed before."""
        from hushwood.jobs.folder.whole_folders import completed

        if self._sentence:
            return self._sentence
        if completed:
            return f"Stopped; the release in {completed[-1]} is complete."
        return "Stopped; an unfinished release leaves nothing behind."


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
