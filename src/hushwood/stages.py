"""How long work reports its progress; the command and interactive sessions show it, everything else passes it on."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

Stage = Callable[[str, int, int], None]
"""Called with the name of the stage, the steps done and the total number of steps; 0 if that is not known."""

COMPILING = "compiling loops (first use only)"
VARIABLE = "HUSHWOOD_PROGRESS"
FOR_PROGRAMS = "json"  # a value of that variable: one JSON object a line, for a program that watches
SECONDS_BETWEEN_LINES = 10.0


def silent(name: str, done: int, total: int) -> None:
    """Report no progress."""


def lines(write: Callable[[str], None]) -> Stage:
    """Report by a line for each stage, when it begins, and by one now and then for a stage that counts records."""
    seen: set[str] = set()
    said = [time.monotonic()]

    def stage(name: str, done: int, total: int) -> None:
        del done, total
        what, counted, _ = name.partition(" (")
        counted = counted if name != COMPILING else ""
        late = bool(counted) and time.monotonic() - said[0] > SECONDS_BETWEEN_LINES
        shown = name if late or not counted else what
        if shown not in seen:
            seen.add(shown)
            said[0] = time.monotonic()
            write(f"{shown} ...")

    return stage


def one_line(show: Callable[[str], None]) -> Stage:
    """Report in one line that changes, with the steps of a stage that has several.

    >>> one_line(print)("measuring sers", 3, 12)
    measuring sers (3 of 12) ...
    """

    def stage(name: str, done: int, total: int) -> None:
        steps = f" ({done} of {total})" if total > 1 else ""
        show(f"{name}{steps} ...")

    return stage


def json_lines(write: Callable[[str], None]) -> Stage:
    """Report every step by a line that a program can read.

    >>> json_lines(print)("growing the forest", 0, 1)
    {"stage": "growing the forest", "done": 0, "total": 1}
    """

    def stage(name: str, done: int, total: int) -> None:
        write(json.dumps({"stage": name, "done": int(done), "total": int(total)}))

    return stage


def asked_for_json() -> bool:
    """Whether a program watches, not a person."""
    return os.environ.get(VARIABLE) == FOR_PROGRAMS


def someone_types() -> bool:
    """Whether this is Python's prompt, IPython or a notebook: they set `ps1`."""
    return hasattr(sys, "ps1")


def usual() -> Stage:
    """What functions report to that are called from Python: lines if someone is watching, else nothing.

    In a notebook it is one line that changes. The variable HUSHWOOD_PROGRESS asks for lines in scripts too if it is 1,
    and for none if it is 0.
    """
    asked = os.environ.get(VARIABLE, "")
    if asked != "1" and (not someone_types() or asked == "0"):
        return silent
    show = _notebook_line()
    return lines(_to_stderr) if show is None else one_line(show)


def _notebook_line() -> Callable[[str], None] | None:
    """Shows a text in the output of the notebook's cell, in the place of the one before; None outside of notebooks."""
    ipython = sys.modules.get("IPython")
    if ipython is None or getattr(ipython.get_ipython(), "kernel", None) is None:
        return None
    handles: list[Any] = []

    def show(text: str) -> None:
        shown = {"text/plain": text}
        if handles:
            handles[0].update(shown, raw=True)
        else:
            handles.append(ipython.display.display(shown, raw=True, display_id=True))

    return show


def _to_stderr(line: str) -> None:
    if sys.stderr is not None:  # there is none in a hidden window
        print(line, file=sys.stderr, flush=True)  # noqa: T201


class _Watched:
    """A stage that also shows what is compiled, and then again what that interrupted."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.last: tuple[str, int, int] | None = None

    def __call__(self, name: str, done: int, total: int) -> None:
        self.last = name, done, total
        self.stage(name, done, total)


_watched: list[_Watched] = []


@contextmanager
def shows_compiling(stage: Stage) -> Iterator[Stage]:
    """A stage that also shows when loops are compiled."""
    watched = _Watched(stage)
    _watched.append(watched)
    try:
        yield watched
    finally:
        _watched.remove(watched)


def compiling(done: int) -> None:
    """Show that loops are compiled, and how many are done; without such a stage, the usual way."""
    stage = _watched[-1].stage if _watched else _unwatched()
    stage(COMPILING, done, 0)


@cache
def _unwatched() -> Stage:
    return usual()


def compiled_for_now() -> None:
    """Show again what was interrupted."""
    if _watched and _watched[-1].last:
        _watched[-1].stage(*_watched[-1].last)
