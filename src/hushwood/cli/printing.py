"""How commands print and end: no text from a table can control the terminal or hide there."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import typer

from hushwood.errors import visible, without_passwords


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
