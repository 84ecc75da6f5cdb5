"""One experiment from its name to its results: what is still to be done is done, the rest is taken from before.

`running` does the tasks, `comparison` makes the rows; the document that comes out is what `page` shows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from hushwood.errors import InputError
from hushwood.experiments.paper_tables import GENERATED, PaperTables
from hushwood.experiments.protocol import Experiment, Size, Task
from hushwood.experiments.reproducing.comparison import rows_of
from hushwood.experiments.reproducing.kept_outcomes import Done, KeptOutcomes
from hushwood.experiments.reproducing.printed_numbers import printed
from hushwood.experiments.reproducing.running import run_tasks
from hushwood.experiments.reproducing.verdicts import counted
from hushwood.version import __version__

Document = Mapping[str, Any]
# Those whose versions may change a number.
_LIBRARIES = ("numpy", "scipy", "numba", "polars", "scikit-learn")
# Told after every task: its name, and the cost done and to be done in all.
Progress = Callable[[str, float, float], None]


@dataclass(frozen=True, slots=True)
class Request:
    """Where tables are and results go, how many processes work, and whether finished work is done again."""

    tables: PaperTables
    folder: Path
    jobs: int = 1
    again: bool = False


def sizes_for(
    experiments: Sequence[Experiment], small: bool, folds: int | None, repeats: int | None
) -> list[Size]:
    """The experiments' own sizes, with what was asked for in the place of those that have such a thing."""
    sizes = [experiment.small if small else experiment.full for experiment in experiments]
    for name, asked, lowest in (("folds", folds, 2), ("repeats", repeats, 1)):
        if asked is None:
            continue
        if asked < lowest:
            raise InputError(f"--{name} must be {lowest} or more; {asked} was given.")
        if all(getattr(size, name) is None for size in sizes):
            told = ", ".join(experiment.name for experiment in experiments)
            raise InputError(f"There are no {name} in {told}; leave --{name} out.")
        changed: dict[str, Any] = {name: asked}
        sizes = [size if getattr(size, name) is None else replace(size, **changed) for size in sizes]
    return sizes


def reproduced(experiment: Experiment, size: Size, request: Request, progress: Progress) -> Document:
    """The results, as they are in the file that was written."""
    belongs_to = _identity(experiment, size, request.tables)
    before = finished_document(request.folder, experiment.name)
    if before is not None and not request.again and before["belongs_to"] == belongs_to:
        return before
    kept = KeptOutcomes.of(experiment.name, request.folder, belongs_to)
    if request.again:
        kept.forget()
    done = _all_done(experiment, size, request, kept, progress)
    return document_of(experiment, size, belongs_to, done)


def finished_document(folder: Path, name: str) -> Document | None:
    """The results that are there already."""
    path = folder / f"{name}.json"
    try:
        document: Document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    told = isinstance(document, dict) and document.get("format") == "hushwood-reproduction"
    return document if told else None


def _all_done(
    experiment: Experiment, size: Size, request: Request, kept: KeptOutcomes, progress: Progress
) -> dict[str, Done]:
    tasks = experiment.tasks(size)
    done = kept.read()
    total = sum(task.cost for task in tasks)

    def finished(task: Task, outcome: Done) -> None:
        kept.add(task.name, outcome)
        done[task.name] = outcome
        progress(task.name, sum(task.cost for task in tasks if task.name in done), total)

    progress("starting", sum(task.cost for task in tasks if task.name in done), total)
    waiting = [task for task in tasks if task.name not in done]
    run_tasks(experiment, waiting, request.tables, request.jobs, finished)
    return {task.name: done[task.name] for task in tasks}


def check(experiments: Sequence[Experiment], sizes: Sequence[Size], request: Request) -> None:
    """Fail before the work, not in the middle of it: tables are there, sizes make sense, results have a place."""
    for name in dict.fromkeys(need for experiment in experiments for need in experiment.needs):
        if name not in GENERATED:
            request.tables.frame(name)
    for experiment, size in zip(experiments, sizes, strict=True):
        experiment.tasks(size)
        before = finished_document(request.folder, experiment.name)
        if before is not None and not request.again and before["size"] != asdict(size):
            raise InputError(
                f"{request.folder} holds results of {experiment.name} of another size; name another folder with -o, "
                "or replace them with --again."
            )
    try:
        request.folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise InputError(
            f"The folder {request.folder} could not be made: {fault.strerror}; name another one with -o DIR."
        ) from fault


def _identity(experiment: Experiment, size: Size, tables: PaperTables) -> dict[str, Any]:
    """All that decides what the tasks find."""
    return {
        "experiment": experiment.name,
        "size": asdict(size),
        "hushwood": __version__,
        "code": code_checksum(),
        "libraries": {name: version(name) for name in _LIBRARIES},
        "tables": [_described(name, tables) for name in experiment.needs],
    }


def _described(name: str, tables: PaperTables) -> dict[str, Any]:
    from hushwood.jobs.checksums import file_checksum

    if name in GENERATED:
        return {"name": name, "sha256": None, "records": None}
    path = tables.path(name)
    checksum = None if path is None else file_checksum(path)
    return {"name": name, "sha256": checksum, "records": tables.frame(name).height}


@cache
def code_checksum() -> str:
    """SHA-256 over all of Hushwood's own files, so that results tell which code made them."""
    found = sha256()
    folders = [files("hushwood")]
    while folders:
        for item in sorted(folders.pop().iterdir(), key=lambda item: item.name):
            if item.is_dir():
                folders.append(item)
            elif item.name.endswith((".py", ".toml")):
                found.update(item.read_bytes())
    return found.hexdigest()


def document_of(
    experiment: Experiment, size: Size, belongs_to: Mapping[str, Any], done: Mapping[str, Done]
) -> Document:
    """What the tasks found, put together and set beside what is printed."""
    told = printed(experiment.name)
    measured = experiment.measure({name: one.outcome for name, one in done.items()})
    rows = rows_of(measured, told)
    return {
        "format": "hushwood-reproduction",
        "version": 1,
        "hushwood": __version__,
        "experiment": experiment.name,
        "title": experiment.title,
        "source": experiment.source,
        "about": list(experiment.about),
        "paper": told.paper,
        "size": asdict(size),
        "tables": belongs_to["tables"],
        "seconds": round(sum(one.seconds for one in done.values()), 1),
        "counts": counted(row.verdict for row in rows),
        "rows": [asdict(row) for row in rows],
        "charts": [asdict(chart) for chart in experiment.draw(measured, told.by_key())],
        "outcomes": {name: one.outcome for name, one in done.items()},
        "belongs_to": dict(belongs_to),
    }
