"""Do the tree and its accuracy survive? The paper's figures 5 to 8 on Adult and, for regression trees, on Abalone.

`tree_publishing_folds` measures one fold, `tree_publishing_verdicts` sets the outcome beside the paper's words,
`tree_publishing_times` is about figures 9 and 10.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hushwood.experiments.tree_publishing_baseline import mondrian_release, parts_of
from hushwood.experiments.tree_publishing_folds import (
    ASKED,
    ASKED_K,
    MONDRIAN,
    TPP,
    Run,
    grown,
    reached,
    runs_of_fold,
)
from hushwood.experiments.tree_publishing_tables import ADULT, Described, described_table, fold_of_each
from hushwood.tables.table import Table

SIZES = tuple(range(2, 11))
FOLDS = 10


@dataclass(frozen=True, slots=True)
class Results:
    """All trees on one table; `whole` is K of the releases of all records, by kind and leaves."""

    table: str
    records: int
    folds: int
    regression: bool
    runs: tuple[Run, ...]
    whole: dict[tuple[str, int], int]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of leaves, ascending."""
        return tuple(sorted({run.leaves for run in self.runs}))

    def of(self, grown_from: str, leaves: int) -> tuple[Run, ...]:
        """The runs of all folds of one kind and size, the first fold first."""
        return tuple(run for run in self.runs if (run.grown_from, run.leaves) == (grown_from, leaves))

    def score(self, grown_from: str, leaves: int) -> float:
        """The mean accuracy (or R squared) over the folds."""
        return float(np.mean([run.score for run in self.of(grown_from, leaves)]))


def run(
    folder: Path, folds: int = FOLDS, *, sizes: Sequence[int] = SIZES, described: Described = ADULT
) -> Results:
    """The experiment on a table whose file is in the folder."""
    return run_on(described.name, described_table(described, folder), folds, sizes)


def run_on(name: str, table: Table, folds: int = FOLDS, sizes: Sequence[int] = SIZES) -> Results:
    """The experiment on any table without missing values."""
    fold_of = fold_of_each(table, folds)
    runs: list[Run] = []
    for fold in range(folds):
        training, test = (table.take(np.flatnonzero(part)) for part in (fold_of != fold, fold_of == fold))
        for leaves in sizes:
            runs.extend(runs_of_fold(training, test, leaves, fold))
    target = table.schema.class_attribute
    whole = {key: k for leaves in sizes for key, k in _whole(table, leaves).items()}
    regression = target is not None and target.kind == "numeric"
    return Results(name, table.rows, folds, regression, tuple(runs), whole)


def _whole(table: Table, leaves: int) -> dict[tuple[str, int], int]:
    return {
        (TPP, leaves): reached(grown(table, leaves).table, table).k,
        (ASKED, leaves): reached(grown(table, leaves, ASKED_K).table, table).k,
        (MONDRIAN, leaves): reached(mondrian_release(table, parts_of(table, leaves)), table).k,
    }
