"""What an experiment of the papers is: the tables it needs, its tasks, what they found, and its charts.

What the papers print about it is data, in `printed/NAME.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from hushwood.random_streams import Streams
from hushwood.reports.charts.frame import Chart
from hushwood_papers.paper_tables import PaperTables


@dataclass(frozen=True, slots=True)
class Size:
    """How much is run; None if an experiment has no folds, or no repeats.

    A `small` run also skips some tables or sizes, whatever folds or repeats are asked for.
    """

    folds: int | None = None
    repeats: int | None = None
    small: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """An independent piece of work: run in any order, in any process, and only once.

    Settings are JSON values. `cost` is its rough duration relative to other tasks. A task that measures time runs
    `alone`.
    """

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    cost: float = 1.0
    alone: bool = False


# What a task found: JSON values, by names of its experiment.
Outcome = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether a sentence of a paper holds in our runs, and the numbers that show it."""

    holds: bool
    numbers: str


@dataclass(frozen=True, slots=True)
class Measured:
    """What all tasks found together.

    `numbers` by key, one per run or fold (a single one if chance plays no part); `claims` by the key of the sentence.
    `repeats` says which keys have their runs in the same order, by the number of their runs, and how many of these runs
    belong to one repeat of the whole experiment.
    """

    numbers: Mapping[str, Sequence[float]]
    claims: Mapping[str, Finding] = field(default_factory=dict)
    repeats: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Experiment:
    """One printed table or group of figures, to be run again.

    `run` does one task, `measure` combines the outcomes of all tasks by name; both are module-level functions, so that
    another process can find them. `draw` makes charts like the paper's from measured and printed numbers, by key.
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


def paragraphs(text: str) -> tuple[str, ...]:
    """The paragraphs of a text, each on one line.

    >>> paragraphs("One\\nline.\\n\\nAnother.")
    ('One line.', 'Another.')
    """
    return tuple(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))


def public_streams(*names: object) -> Streams:
    """The noise of one run, the same on every machine: named after experiment, table and run."""
    return Streams(sha256("/".join(["hushwood reproduce", *map(str, names)]).encode()).digest())
