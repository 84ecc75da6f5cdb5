"""docs/benchmarks.json: what every benchmark found, when, and on which machine; all that page and chart need."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lines import Line, line_as_json, line_from_json
from machine import Machine

FORMAT = "hushwood-benchmarks"


@dataclass(frozen=True)
class Result:
    """The lines of one benchmark; `about` says what is compared, `load` how busy the machine was before the run."""

    name: str
    about: str
    date: str
    load: float
    machine: Machine
    versions: Mapping[str, str]
    lines: Sequence[Line]


def merged(old: Sequence[Result], new: Sequence[Result], order: Sequence[str]) -> list[Result]:
    """New results in place of the old ones of the same name, in the order of the benchmarks that there are now."""
    latest = {result.name: result for result in (*old, *new)}
    return [latest[name] for name in order if name in latest]


def write_document(results: Sequence[Result], path: Path) -> None:
    found = {"format": FORMAT, "benchmarks": [_as_json(result) for result in results]}
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")


def read_document(path: Path) -> list[Result]:
    """The results of a document; none if it has not been written yet."""
    if not path.is_file():
        return []
    return [_from_json(result) for result in json.loads(path.read_text("utf-8"))["benchmarks"]]


def _as_json(result: Result) -> dict[str, Any]:
    return {**asdict(result), "lines": [line_as_json(line) for line in result.lines]}


def _from_json(found: Mapping[str, Any]) -> Result:
    lines = [line_from_json(line) for line in found["lines"]]
    return Result(**{**found, "machine": Machine(**found["machine"]), "lines": lines})
