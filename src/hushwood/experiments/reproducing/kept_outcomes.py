"""Outcomes of tasks kept in a file while an experiment runs, so that a killed run goes on where it was.

The first line says what the outcomes belong to; every other line is one finished task. A line that was cut off when the
run was killed, and a file that belongs to another run, count for nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hushwood.errors import InputError


@dataclass(frozen=True, slots=True)
class Done:
    """A finished task: what it found, and how long it took."""

    outcome: Mapping[str, Any]
    seconds: float


@dataclass(frozen=True, slots=True)
class KeptOutcomes:
    """The file of one run; `belongs_to` is all that decides what the tasks find."""

    path: Path
    belongs_to: Mapping[str, Any]

    @classmethod
    def of(cls, experiment: str, folder: Path, belongs_to: Mapping[str, Any]) -> KeptOutcomes:
        """The outcomes of an experiment, beside its results."""
        return cls(folder / f"{experiment}.tasks.jsonl", belongs_to)

    def read(self) -> dict[str, Done]:
        """The tasks that are done, by name; starts a new file if there is none of this run."""
        lines = self._lines()
        if not lines or lines[0] != self.belongs_to:
            self._write("w", self.belongs_to)
            return {}
        return {line["task"]: Done(line["outcome"], line["seconds"]) for line in lines[1:]}

    def add(self, task: str, done: Done) -> None:
        """Keep one more."""
        self._write("a", {"task": task, "outcome": done.outcome, "seconds": done.seconds})

    def forget(self) -> None:
        """Remove the file: its outcomes are in the results now."""
        self.path.unlink(missing_ok=True)

    def _lines(self) -> list[Any]:
        found: list[Any] = []
        if self.path.is_file():
            for line in self.path.read_text(encoding="utf-8", errors="replace").split("\n"):
                with suppress(json.JSONDecodeError):
                    found.append(json.loads(line))
        return found

    def _write(self, mode: str, value: object) -> None:
        text = json.dumps(value, allow_nan=False)
        try:
            with self.path.open(mode, encoding="utf-8") as file:
                # A line of its own even after one that was cut off.
                file.write(f"{text}\n" if mode == "w" else f"\n{text}\n")
        except OSError as fault:
            raise InputError(
                f"{self.path} could not be written: {fault.strerror}; name another folder with -o."
            ) from fault
