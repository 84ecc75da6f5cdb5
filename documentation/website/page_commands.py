"""The commands that pages show: every line of a block of code that begins with `hushwood`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(r"^\s*```(\w*)")
_SHELL = {"", "sh", "bash", "console", "shell"}
_START = re.compile(r"^\s*(?:\$ )?(?:[A-Z_]+=\S+ )*(hushwood .*)$")
# What follows a command: a comment, or a description that stands apart.
_COMMENT = re.compile(r"\s#\s|\s{2,}\S")
# A line that shows what may be given, and not what to type.
_USAGE = re.compile(r"\[-|\||\bORIGINAL\b|\bRELEASE\b|\bTABLE\b|\bDIR\b(?! )")


@dataclass(frozen=True, slots=True)
class PageCommand:
    """A command as words, without `hushwood`, and the line of the page that it begins in."""

    line: int
    words: tuple[str, ...]

    @property
    def text(self) -> str:
        """The command as it is typed."""
        return shlex.join(self.words)


def page_commands(text: str) -> Iterator[PageCommand]:
    """The commands of a page, in its order; lines of usage are not commands."""
    for number, line in _shell_lines(text):
        found = _START.match(line)
        if found and not _USAGE.search(_unquoted(found[1])):
            yield PageCommand(number, tuple(shlex.split(_command(found[1])))[1:])


def _shell_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines of blocks of code for a shell, those joined that end with a backslash."""
    language: str | None = None
    begun = ""
    first = 0
    for number, line in enumerate(text.splitlines(), 1):
        fence = _FENCE.match(line)
        if fence:
            language = fence[1] if language is None else None
        elif language in _SHELL:
            begun, first = f"{begun} {line.strip()}" if begun else line.rstrip(), first or number
            if begun.endswith("\\"):
                begun = begun[:-1].rstrip()
                continue
            yield first, begun
            begun, first = "", 0


def _unquoted(line: str) -> str:
    return re.sub(r'"[^"]*"|\'[^\']*\'', lambda quoted: "_" * len(quoted[0]), line)


def _command(line: str) -> str:
    """The line up to its comment or description; quotation marks hide both."""
    end = _COMMENT.search(_unquoted(line))
    return line[: end.start()] if end else line
