"""Random small tables that are hard on a tree: ties, missing values, categories and classes without records.

One maker serves both a seeded plain generator and a Hypothesis strategy; all its choices go through `pick`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

from oracles.c45_splits import Options
from oracles.small_table import Column, Table

Pick = Callable[[int, int], int]
LEVELS = 4
# Lowest and highest whole number drawn, and what it is divided by.
NUMBERS = ((0, 4, 1), (-50, 200, 1), (0, 300, 100))


class Case(NamedTuple):
    """A table and the options of one tree on it."""

    table: Table
    options: Options


def seeded_case(seed: int) -> Case:
    """The table of 2 to 150 rows and the options that belong to a seed."""
    pick = Random(seed).randint  # noqa: S311 - test tables, not secrets
    rows = pick(2, 150) if pick(0, 5) else pick(2, 20)
    return Case(make_table(pick, rows, classes=pick(2, 4)), make_options(pick, rows))


def seeded_large_case(seed: int) -> Case:
    """A minimum leaf above 25 on so many rows that the least side of a cut, 25, is below it.

    A last column sets apart a group of one class with a size between the two: J48 cuts it off, C4.5 must not.
    """
    pick = Random(seed).randint  # noqa: S311 - test tables, not secrets
    rows = pick(640, 1000)
    min_leaf = pick(29, min(40, rows // 20 - 1))
    table = make_table(pick, rows, classes=2)
    group = pick(25, min_leaf - 1)
    tail = [float(pick(60, 99) if i < group else pick(0, 59)) for i in range(rows)]
    table = table._replace(
        columns=(*table.columns, Column("tail")),
        rows=tuple((*row, end) for row, end in zip(table.rows, tail, strict=True)),
        labels=(1,) * group + table.labels[group:],
    )
    return Case(table, make_options(pick, rows)._replace(min_leaf=min_leaf))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Tables with options, for Hypothesis."""

    def pick(low: int, high: int) -> int:
        return draw(st.integers(low, high))

    rows = pick(2, 30)
    return Case(make_table(pick, rows, classes=pick(2, 4)), make_options(pick, rows))


def make_options(pick: Pick, rows: int) -> Options:
    large = 2 + pick(0, max(1, min(38, rows // 3)))
    return Options(
        variant=("c45", "j48")[pick(0, 1)],
        criterion=("gain_ratio", "gain_ratio", "information_gain", "gini")[pick(0, 3)],
        min_leaf=(2, 2, 3, 5, large, large)[pick(0, 5)],
        confidence=(0.25, 0.25, 0.1, 0.01, 0.45)[pick(0, 4)],
        prune=pick(0, 3) > 0,
        max_depth=(None, None, None, 1, 2, 4)[pick(0, 5)],
        thresholds=("data", "midpoint")[pick(0, 1)],
    )


def make_table(pick: Pick, rows: int, classes: int) -> Table:
    """A hidden rule on the first and the last column gives most classes, the rest is noise."""
    missing = (0, 0, 0, 5, 20, 50)[pick(0, 5)]
    noise = (0, 5, 15, 30, 100)[pick(0, 4)]
    makers = [_column(pick, f"a{i}") for i in range(1 + pick(0, 4))]
    rule = [[pick(0, classes - 1) for _ in range(LEVELS)] for _ in range(LEVELS)]
    table_rows, labels = [], []
    for _ in range(rows):
        drawn = [draw() for _, draw in makers]
        first, second = drawn[0][1], drawn[-1][1]
        labels.append(pick(0, classes - 1) if pick(0, 99) < noise else rule[first][second])
        table_rows.append(tuple(None if missing and pick(0, 99) < missing else value for value, _ in drawn))
    unlabelled = pick(0, 9) == 0
    kept = [None if unlabelled and i > 1 and pick(0, 9) == 0 else label for i, label in enumerate(labels)]
    columns = tuple(column for column, _ in makers)
    return Table(columns, tuple(table_rows), tuple(kept), tuple(f"class {c}" for c in range(classes)))


def _column(pick: Pick, name: str) -> tuple[Column, Callable[[], tuple[float, int]]]:
    """A column and what draws its values, each with its level: integers, decimals or categories."""
    form = pick(0, 4)
    if form < len(NUMBERS):
        low, high, unit = NUMBERS[form]
        return Column(name), lambda: _leveled(pick(low, high), low, high, unit)
    values = 2 + pick(0, 4)
    present = values - (pick(0, 1) if values > 2 else 0)
    absent_first = pick(0, values - present)
    codes = (absent_first, absent_first + present - 1)
    return Column(name, tuple("uvwxyz"[:values])), lambda: _leveled(pick(*codes), 0, values - 1, 1)


def _leveled(drawn: int, low: int, high: int, unit: int) -> tuple[float, int]:
    return drawn / unit, (drawn - low) * LEVELS // (high - low + 1)
