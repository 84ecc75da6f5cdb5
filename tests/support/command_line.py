"""The `hushwood` command run inside the test process: its exit code and what it prints."""

from __future__ import annotations

import signal
import sys
from dataclasses import dataclass

import polars as pl
import pytest

from hushwood.cli.main import run
from support.release_parts import files_in

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


class Command:
    """Calls `hushwood` with words, and leaves argv and the signals as they were."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *words: object) -> Outcome:
        heeded = {number: signal.getsignal(number) for number in SIGNALS}
        given, sys.argv = sys.argv, ["hushwood", *map(str, words)]
        self.capsys.readouterr()
        try:
            run()
            code: object = 0
        except SystemExit as end:
            code = end.code or 0
        finally:
            sys.argv = given
            for number, handler in heeded.items():
                signal.signal(number, handler)
        out, err = self.capsys.readouterr()
        assert isinstance(code, int)
        return Outcome(code, out, err)


def released(hushwood: Command, table: object, *words: object, name: str = "ill") -> Outcome:
    """A release without evidence into `out`: it must be complete, and is not cleared."""
    done = hushwood("release", table, "--class", name, "-o", "out", "--evidence", "none", *words)
    assert done.code == 1, done.err
    return done


def refused(outcome: Outcome, says: str) -> None:
    assert outcome.code == 2, outcome.err
    assert outcome.out == ""
    assert outcome.err.startswith("hushwood: ")
    assert outcome.err.count("\n") == 1
    assert outcome.err.rstrip().endswith((".", "?"))
    assert says in outcome.err


def frame(suffix: str = ".csv", folder: str = "out", **how: str) -> pl.DataFrame:
    return pl.read_csv(files_in(folder) / f"released{suffix}", **how)  # type: ignore[arg-type]
