"""What an experiment of the papers is: the tables it needs, its tasks, what they found, and how it is drawn.

What the papers print of it is data, in `printed/NAME.toml` (`printed_numbers` reads it); `comparison` sets both beside
each other, `running` does the tasks, `registry` names all experiments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from hushwood.experiments.paper_tables import PaperTables
from hushwood.random_streams import Streams
from hushwood.reports.charts import Chart


@dataclass(frozen=True, slots=True)
class Size:
    """How much is run; None where an experiment has no folds, or nothing that is repeated.

    `small` also leaves out tables or sizes; it stays when other folds or repeats are asked for.
    """

    folds: int | None = None
    repeats: int | None = None
    small: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """One piece of work that needs no other: done in any order, in any process, and not again once it is done.

    Settings are JSON values. `cost` says how long it takes beside the other tasks, roughly. A task that measures time
    is done `alone`, while nothing else runs.
    """

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    cost: float = 1.0
    alone: bool = False


# What a task found: JSON values, by names that its experiment knows.
Outcome = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether something that a paper says in words holds in our runs, and the numbers that tell."""

    holds: bool
    numbers: str


@dataclass(frozen=True, slots=True)
class Measured:
    """What all tasks found together.

    `numbers` are by key, one for every run or fold (a single one where chance has no part); `claims` by the key of the
    sentence they are about.
    """

    numbers: Mapping[str, Sequence[float]]
    claims: Mapping[str, Finding] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Experiment:
    """One printed table or group of figures, to be run again.

    `run` does one task and `measure` puts the outcomes of all tasks together, by their names; both are functions of a
    module, so that another process can find them. `draw` makes charts like those of the paper, from what was measured
    and the numbers that are printed, by key.
    """

    name: str
    title: str
    source: str
    about: tuple[str, ...]
    needs: tuple[str, ...]
    full: Size
    small: Size
    tasks: Callable[[Size], Sequence[Task]]
    run: Callable[[Task, PaperTables], Outcome]
    measure: Callable[[Mapping[str, Outcome]], Measured]
    draw: Callable[[Measured, Mapping[str, Sequence[float]]], Sequence[Chart]] = lambda measured, printed: ()


def public_streams(*names: object) -> Streams:
    """The noise of one run, the same on every machine: named by the experiment, the table and the number of the run."""
    return Streams(sha256("/".join(["hushwood reproduce", *map(str, names)]).encode()).digest())
