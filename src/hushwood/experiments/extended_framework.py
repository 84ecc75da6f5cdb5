"""Do correlations and rules survive? The experiments of thesis 7.3, with our techniques beside its own.

Training records are released in every way and compared with the originals; a tree grown on each release is tried on
records that were never in it. `extended_framework_table` sets the numbers beside those printed (`printed_runs`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import unknown_name
from hushwood.experiments.thesis_tables import THESIS_TABLES, Setting, complete_records, parted
from hushwood.frameworks.perturb import PerturbOptions, perturb
from hushwood.frameworks.recipes import CORRELATED
from hushwood.measures.grown import Grown
from hushwood.measures.risk.unchanged_cells import unchanged_cells
from hushwood.measures.utility.learners import TreeLearner
from hushwood.measures.utility.numeric_columns import numeric_names
from hushwood.random_streams import SECRET_BYTES, Streams
from hushwood.tables.table import Table, class_labels

SEEDS = (1, 2, 3, 4, 5)
ORIGINAL = "original"

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Way:
    """A way to release the table; `original` is no release at all."""

    technique: str
    correlated: str | None = None

    def __str__(self) -> str:
        return f"{self.technique} ({self.correlated})" if self.correlated else self.technique


WAYS = (
    Way(ORIGINAL),
    Way("framework"),
    *(Way("extended-framework", correlated) for correlated in CORRELATED),
    Way("forest-extended-framework"),
    Way("random-framework"),
    Way("random-extended-framework"),
    Way("gadp"),
)


@dataclass(frozen=True, slots=True)
class Run:
    """One release under one seed.

    `change` is the largest change of a correlation, `shift` the largest of a mean in standard deviations. A tree
    grown on the release classifies these shares of its own records, of the original training records and of the
    unseen test records rightly. `unchanged` numbers are the same as before, `near` ones within a tenth of a
    standard deviation.
    """

    way: Way
    seed: int
    change: float
    shift: float
    own: float
    training: float
    test: float
    unchanged: float
    near: float


@dataclass(frozen=True, slots=True)
class Experiment:
    """All runs on one table; `spreads` are the standard deviations of its numeric columns."""

    table: str
    records: tuple[int, int]
    spreads: tuple[float, ...]
    runs: tuple[Run, ...]

    def of(self, way: Way) -> tuple[Run, ...]:
        """The runs of one way."""
        return tuple(run for run in self.runs if run.way == way)


def extended_framework(
    name: str,
    folder: Path,
    *,
    seeds: Sequence[int] = SEEDS,
    ways: Sequence[Way] = WAYS,
    setting: Setting | None = None,
) -> Experiment:
    """The experiment on `adult` or `wbc`, whose files are in the folder; without a setting, in that of the thesis."""
    if name not in THESIS_TABLES:
        raise unknown_name("table of the thesis", name, THESIS_TABLES)
    described = THESIS_TABLES[name]
    table = complete_records(described, folder)
    return experiment_on(name, table, setting or described.setting, seeds, ways)


def experiment_on(
    name: str, table: Table, setting: Setting, seeds: Sequence[int] = SEEDS, ways: Sequence[Way] = WAYS
) -> Experiment:
    """Part and release a table of complete records once for every seed, which is a public one, and way."""
    runs: list[Run] = []
    records = (0, 0)
    for seed in seeds:
        streams = Streams(bytes([seed]) * SECRET_BYTES)
        training, test = parted(table, setting, streams)
        records = training.rows, test.rows
        for way in ways:
            released = _released(training, way, setting, streams)
            runs.append(_measured(way, seed, training, released, test, setting))
    spreads = tuple(float(table.columns[column].std(ddof=1)) for column in numeric_names(table))
    return Experiment(name, records, spreads, tuple(runs))


def _released(training: Table, way: Way, setting: Setting, streams: Streams) -> Table:
    if way.technique == ORIGINAL:
        return training
    builder = setting.builder
    options = PerturbOptions(
        technique=way.technique,
        correlated=way.correlated,
        min_leaf=int(builder.min_leaf),
        variant=builder.variant,
        criterion=builder.criterion,
        confidence=builder.confidence,
        threads=setting.threads,
    )
    return perturb(training, options, streams).table


def _measured(way: Way, seed: int, training: Table, released: Table, test: Table, setting: Setting) -> Run:
    classify = TreeLearner().fit(Grown(released, setting.builder, threads=setting.threads))
    own, known, unseen = (
        float((classify(records) == class_labels(records)[0]).mean())
        for records in (released, training, test)
    )
    change, shift = largest_moves(training, released)
    unchanged, near = _numbers_that_tell(training, released)
    return Run(way, seed, change, shift, own, known, unseen, unchanged, near)


def largest_moves(original: Table, released: Table) -> tuple[float, float]:
    """The largest change of a correlation between numeric columns, and of a mean in standard deviations."""
    before, after = (_numbers(table) for table in (original, released))
    change = np.abs(np.corrcoef(before) - np.corrcoef(after))
    shift = np.abs(before.mean(axis=1) - after.mean(axis=1)) / before.std(axis=1, ddof=1)
    return float(change.max()), float(shift.max())


def _numbers(table: Table) -> Matrix:
    """The numeric columns [column, record]."""
    return np.stack([table.columns[name] for name in numeric_names(table)])


def _numbers_that_tell(original: Table, released: Table) -> tuple[float, float]:
    """Shares of the numbers that are unchanged, and that are near."""
    found = unchanged_cells(original, released, numeric_names(original))
    near = [column["near"] for column in found.details["columns"]]
    return found.value, float(np.mean([share for share in near if share is not None]))
