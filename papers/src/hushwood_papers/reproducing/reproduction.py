"""One experiment from request to result files: runs the tasks that are not done yet and takes the rest from before.

`running` runs the tasks, `comparison` makes the rows; `page` shows the resulting document.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from hushwood.errors import InputError
from hushwood.jobs.folder.release_files import write_whole
from hushwood.version import __version__
from hushwood_papers.paper_tables import GENERATED, PaperTables
from hushwood_papers.protocol import Experiment, Outcome, Size, Task
from hushwood_papers.registry import EXPERIMENTS, experiment_named
from hushwood_papers.reproducing.comparison import counted, rows_of
from hushwood_papers.reproducing.joint import joint_tests
from hushwood_papers.reproducing.page import chart_as_json, index_page, page
from hushwood_papers.reproducing.printed_numbers import printed
from hushwood_papers.reproducing.running import Done, KeptOutcomes, run_tasks
from hushwood_papers.time_left import Progress

Document = Mapping[str, Any]
# Their versions may change a number.
_LIBRARIES = ("numpy", "scipy", "numba", "polars", "scikit-learn")


@dataclass(frozen=True, slots=True)
class Request:
    """Where tables are and results go, the number of processes, and whether to repeat finished work."""

    tables: PaperTables
    folder: Path
    jobs: int = 1
    again: bool = False


def sizes_for(
    experiments: Sequence[Experiment], small: bool, folds: int | None, repeats: int | None
) -> list[Size]:
    """The experiments' own sizes, with the requested folds and repeats where an experiment has them."""
    sizes = [experiment.small if small else experiment.full for experiment in experiments]
    for name, asked, lowest in (("folds", folds, 2), ("repeats", repeats, 1)):
        if asked is None:
            continue
        if asked < lowest:
            raise InputError(f"--{name} must be {lowest} or more; {asked} was given.")
        if all(getattr(size, name) is None for size in sizes):
            listed = ", ".join(experiment.name for experiment in experiments)
            raise InputError(f"There are no {name} in {listed}; leave --{name} out.")
        changed: dict[str, Any] = {name: asked}
        sizes = [size if getattr(size, name) is None else replace(size, **changed) for size in sizes]
    return sizes


def reproduced(experiment: Experiment, size: Size, request: Request, progress: Progress) -> Document:
    """The results of an experiment; finished tasks are not run again."""
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
    """The results that are already in the folder."""
    path = folder / f"{name}.json"
    try:
        document: Document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    are_results = isinstance(document, dict) and document.get("format") == "hushwood-reproduction"
    return document if are_results else None


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
    """Fail before the work, not in the middle: check tables, sizes and the folder for results."""
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
    """Everything that determines the outcomes of the tasks."""
    return {
        "experiment": experiment.name,
        "size": asdict(size),
        "hushwood": __version__,
        "code": code_checksum(),
        "libraries": {name: version(name) for name in _LIBRARIES},
        "tables": [_described(name, tables) for name in experiment.needs],
    }


def _described(name: str, tables: PaperTables) -> dict[str, Any]:
    from hushwood.jobs.folder.manifests import file_checksum

    if name in GENERATED:
        return {"name": name, "sha256": None, "records": None}
    path = tables.path(name)
    checksum = None if path is None else file_checksum(path)
    return {"name": name, "sha256": checksum, "records": tables.frame(name).height}


@cache
def code_checksum() -> str:
    """SHA-256 over all Python and TOML files of Hushwood and of this package: which code made the results."""
    found = sha256()
    folders = [files("hushwood_papers"), files("hushwood")]
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
    """The tasks' outcomes, put together and compared with what is printed."""
    outcomes = {name: one.outcome for name, one in done.items()}
    return {
        "format": "hushwood-reproduction",
        "version": 1,
        "hushwood": __version__,
        "experiment": experiment.name,
        **_described_experiment(experiment),
        "size": asdict(size),
        "tables": belongs_to["tables"],
        "seconds": round(sum(one.seconds for one in done.values()), 1),
        **_compared(experiment, outcomes),
        "outcomes": outcomes,
        "belongs_to": dict(belongs_to),
    }


def derived_again(document: Document) -> Document:
    """Results with everything that follows from their outcomes derived by this code; no task is run again."""
    experiment = experiment_named(document["experiment"])
    return {**document, **_described_experiment(experiment), **_compared(experiment, document["outcomes"])}


def _described_experiment(experiment: Experiment) -> dict[str, Any]:
    return {
        "title": experiment.title,
        "source": experiment.source,
        "about": list(experiment.about),
        "paper": printed(experiment.name).paper,
    }


def _compared(experiment: Experiment, outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    theirs = printed(experiment.name)
    measured = experiment.measure(outcomes)
    rows = rows_of(measured, theirs)
    return {
        "counts": counted(row.verdict for row in rows),
        "rows": [asdict(row) for row in rows],
        "joint": [asdict(joint) for joint in joint_tests(measured, theirs)],
        "charts": [chart_as_json(chart) for chart in experiment.draw(measured, theirs.by_key())],
    }


def write_results(document: Document, folder: Path) -> Path:
    """Write NAME.html and NAME.json and update the index of all results in the folder; the page is returned."""
    name = document["experiment"]
    path = folder / f"{name}.html"
    write_whole(page(document), path)
    # The JSON file comes last: where it is, the experiment is done.
    write_whole(json.dumps(document, separators=(",", ":"), allow_nan=False) + "\n", folder / f"{name}.json")
    KeptOutcomes.of(name, folder, {}).forget()
    found = [finished_document(folder, other) for other in EXPERIMENTS]
    write_whole(index_page([other for other in found if other is not None]), folder / "index.html")
    return path
