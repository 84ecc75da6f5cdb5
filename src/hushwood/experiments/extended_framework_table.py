"""Our runs of thesis 7.3 beside the printed ones, in one table: for a terminal, and as Markdown for the docs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.experiments.extended_framework import Experiment, Way
from hushwood.experiments.printed_runs import PrintedTable, printed_table
from hushwood.reports.text_tables import columns, wrapped

THESIS_METHOD = "gadp"  # how the thesis draws numbers together


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean, lowest and highest of several runs."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Of one run or more."""
        return cls(float(np.mean(values)), min(values), max(values))


@dataclass(frozen=True, slots=True)
class Row:
    """One way to release: ours and, where the thesis ran it, what it prints."""

    way: Way
    change: Spread
    printed_change: Spread | None
    shift: Spread
    printed_shift: Spread | None
    test: Spread
    printed_test: Spread | None
    training: Spread
    printed_training: Spread | None
    unchanged: float
    near: float


def table_rows(experiment: Experiment, printed: PrintedTable | None = None) -> list[Row]:
    """One row for every way, in the order in which they were run."""
    ways = dict.fromkeys(run.way for run in experiment.runs)
    return [_row(experiment, way, printed) for way in ways]


def _row(experiment: Experiment, way: Way, printed: PrintedTable | None) -> Row:
    runs = experiment.of(way)
    # The thesis drew by GADP only: other methods have nothing beside them.
    known = printed if way.correlated in (None, THESIS_METHOD) else None
    accuracies = known.accuracies.get(way.technique, ()) if known else ()
    spreads = np.array(experiment.spreads)
    return Row(
        way,
        Spread.of([run.change for run in runs]),
        _if_any(known.changes(way.technique) if known else ()),
        Spread.of([run.shift for run in runs]),
        _if_any(known.shifts(way.technique, spreads) if known else ()),
        Spread.of([run.test for run in runs]),
        _if_any([accuracy.test for accuracy in accuracies]),
        Spread.of([run.training for run in runs]),
        _if_any([accuracy.training for accuracy in accuracies]),
        float(np.mean([run.unchanged for run in runs])),
        float(np.mean([run.near for run in runs])),
    )


def _if_any(values: Sequence[float]) -> Spread | None:
    return Spread.of(values) if values else None


HEADINGS = (
    "technique",
    "largest change of a correlation",
    "thesis",
    "largest shift of a mean / sd",
    "thesis",
    "right on test records",
    "thesis",
    "right on training records",
    "thesis",
    "numbers unchanged",
    "within 0.1 sd",
)


def cells(row: Row) -> tuple[str, ...]:
    """A row as texts: means, with the lowest and the highest of several runs in brackets."""
    return (
        str(row.way),
        _number(row.change),
        _number(row.printed_change),
        _number(row.shift),
        _number(row.printed_shift),
        _share(row.test),
        _share(row.printed_test),
        _share(row.training),
        _share(row.printed_training),
        f"{100 * row.unchanged:.1f} %",
        f"{100 * row.near:.1f} %",
    )


def _number(spread: Spread | None) -> str:
    if spread is None:
        return "-"
    many = f" ({spread.low:.3f}-{spread.high:.3f})" if spread.low < spread.high else ""
    return f"{spread.mean:.3f}{many}"


def _share(spread: Spread | None) -> str:
    if spread is None:
        return "-"
    many = f" ({100 * spread.low:.1f}-{100 * spread.high:.1f})" if spread.low < spread.high else ""
    return f"{100 * spread.mean:.1f} %{many}"


def markdown(experiment: Experiment, printed: PrintedTable | None = None) -> str:
    """The whole table for the docs."""
    lines = [HEADINGS, ("---",) * len(HEADINGS), *(cells(row) for row in table_rows(experiment, printed))]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def text(experiment: Experiment) -> str:
    """The table for a terminal, one question after the other, beside what is printed about a table of the thesis."""
    rows = [cells(row) for row in table_rows(experiment, printed_table(experiment.table))]
    training, test = experiment.records
    seeds = len({run.seed for run in experiment.runs})
    lines = wrapped(
        f"{experiment.table}: {training:,} training and {test:,} test records, {seeds} seeds. Means of the runs, with "
        "the lowest and the highest in brackets."
    )
    for first in range(1, len(HEADINGS), 2):
        part = [(row[0], *row[first : first + 2]) for row in rows]
        lines += ["", *columns(part, (HEADINGS[0], *HEADINGS[first : first + 2]))]
    return "\n".join(lines) + "\n"
