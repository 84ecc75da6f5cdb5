"""A joint test of each printed table: whether all its numbers together look like one more of our runs.

Row by row, a number anywhere among a few runs is possible. But a table all of whose numbers lie at the ends of our runs
is not. Only rows count whose runs are in the same order, so that what depends on each other in a run stays together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from hushwood.arrays import Floats
from hushwood.reports.wording import things
from hushwood_papers.chances import UNLIKELY
from hushwood_papers.protocol import Measured
from hushwood_papers.reproducing.printed_numbers import Printed, PrintedNumber

# With more choices than this, the last of our runs are left out.
_MOST_CHOICES = 100_000


@dataclass(frozen=True, slots=True)
class Joint:
    """The test of one table: printed numbers and runs, runs of ours, the chance, and the lowest possible one."""

    source: str
    numbers: int
    printed_runs: int
    runs: int
    chance: float
    lowest: float


def joint_tests(measured: Measured, printed: Printed) -> tuple[Joint, ...]:
    """One test for each printed table, and for each number of runs in it, of two numbers or more."""
    tables: dict[tuple[str, int, int], list[list[float]]] = {}
    by_key: dict[tuple[str, str], list[PrintedNumber]] = {}
    for number in printed.numbers:
        if not number.cannot and not number.fitted:
            by_key.setdefault((number.where, number.key), []).append(number)
    for (source, key), numbers in by_key.items():
        values = measured.numbers.get(key, ())
        together = measured.repeats.get(len(values), 0) if len(values) > 1 else 0
        for runs, row in _rows(numbers, values, together):
            tables.setdefault((source, runs, len(row) - runs), []).append(row)
    return tuple(
        Joint(source, runs * len(rows), runs, ours, *joint_chance(np.array(rows), runs))
        for (source, runs, ours), rows in tables.items()
        if runs * len(rows) > 1
    )


def joint_chance(rows: Floats, printed_runs: int) -> tuple[float, float]:
    """The chance that runs chosen at random from all are as far from the middle as the printed ones, and the lowest.

    A column is a run, the printed ones first. How far a run is from the middle is the mean over the rows of the
    distance of its rank from the middle rank. All choices are counted, so the chance is exact if printed runs
    are like ours, however much the rows depend on each other.

    >>> joint_chance(np.array([[9.0, 1, 2, 3], [0.0, 5, 6, 7]]), 1)
    (0.25, 0.25)
    """
    from scipy.stats import rankdata

    runs = rows.shape[1]
    while comb(runs, printed_runs) > _MOST_CHOICES:
        runs -= 1
    away = np.abs(rankdata(rows[:, :runs], axis=1) - (runs + 1) / 2).mean(axis=0)
    # The first choice is the printed runs. Equal sums may differ in the last digits.
    sums = away[np.array(list(combinations(range(runs), printed_runs)))].sum(axis=1)
    return float((sums >= sums[0] - 1e-9).mean()), 1 / len(sums)


def joint_verdict(joint: Mapping[str, Any]) -> str:
    """What a test in a results document shows."""
    chance, lowest = joint["chance"], joint["lowest"]
    if chance < UNLIKELY:
        return "not like our runs"
    if lowest < UNLIKELY:
        return "could be one of our runs"
    furthest = "further out than all of our runs, but " if chance == lowest else ""
    return f"{furthest}too few runs to show a difference"


def joint_sentence(joint: Mapping[str, Any]) -> str:
    """The test of a table in words."""
    return (
        f"{things(joint['numbers'], 'printed number')} together, against {things(joint['runs'], 'run')} of ours: "
        f"{joint_verdict(joint)} (p = {joint['chance']:.2g}; the lowest possible here is {joint['lowest']:.2g})."
    )


def _rows(
    numbers: Sequence[PrintedNumber], values: Sequence[float], together: int
) -> Iterator[tuple[int, list[float]]]:
    """How many runs are printed, and a row with those, then ours; none if our runs are not in a common order.

    Runs that belong `together` are one repeat of the whole experiment; each printed one is compared with its own.
    """
    coarsest = min(numbers, key=lambda number: np.inf if number.digits is None else number.digits)
    ours, theirs = [[coarsest.rounded(v) for v in some] for some in (values, [n.value for n in numbers])]
    if together == 1:
        yield len(theirs), [*theirs, *ours]
    elif len(theirs) <= together:
        for place, value in enumerate(theirs):
            yield 1, [value, *ours[place::together]]
