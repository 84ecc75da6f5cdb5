"""Random tables that are hard on See5: noisy classes, rare categories, columns that nearly repeat each other.

Such tables make it raise branches, grow them anew, pool small ones and find ties; `random_tables` has the small ones.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from oracles.random_tables import make_table
from oracles.see5_splits import Options
from oracles.small_table import Column, Table

NUMBERS = ((0, 5, 1), (0, 40, 1), (-300, 300, 100))  # lowest and highest whole number, what it is divided by


class Case(NamedTuple):
    """A table and the options of one tree on it."""

    table: Table
    options: Options


def small_case(seed: int) -> Case:
    """A table of 2 to 150 rows and the options that belong to a seed."""
    chance = Random(seed)  # noqa: S311 - test tables, not secrets
    rows = chance.randint(2, 150)
    return Case(make_table(chance.randint, rows, chance.randint(2, 4)), some_options(chance))


def hard_case(seed: int, most_rows: int = 500) -> Case:
    """A noisy table of at least 60 rows and the options that belong to a seed."""
    chance = Random(seed)  # noqa: S311 - test tables, not secrets
    rows, classes = chance.randint(60, most_rows), chance.choice((2, 2, 2, 3))
    columns: list[Column] = []
    cells: list[list[float]] = []
    for i in range(chance.randint(3, 7)):
        column, values = (
            nearly_a_copy(chance, columns, cells) if i and chance.random() < 0.3 else fresh(chance, rows)
        )
        columns.append(column._replace(name=f"a{i}"))
        cells.append(values)
    labels = classes_of(chance, cells, rows, classes)
    missing = chance.choice((0.0, 0.0, 0.02, 0.1, 0.4))
    body = [tuple(None if chance.random() < missing else column[i] for column in cells) for i in range(rows)]
    table = Table(tuple(columns), tuple(body), tuple(labels), tuple(f"class {c}" for c in range(classes)))
    return Case(table, some_options(chance))


def some_options(chance: Random) -> Options:
    return Options(
        min_leaf=chance.choice((1, 2, 2, 2, 3, 5, 10)),
        confidence=chance.choice((0.25, 0.25, 0.1, 0.4, 0.5)),
        prune=chance.random() < 0.9,
        global_pruning=chance.random() < 0.6,
        max_depth=chance.choice((None, None, None, None, 3, 5)),
        thresholds=chance.choice(("data", "data", "midpoint")),
    )


def fresh(chance: Random, rows: int) -> tuple[Column, list[float]]:
    """A new column: whole numbers, decimals, or categories of which some are rare and some never occur."""
    if chance.random() < 0.5:
        low, high, unit = chance.choice(NUMBERS)
        return Column(""), [chance.randint(low, high) / unit for _ in range(rows)]
    width = chance.choice((2, 2, 3, 4, 6, 10))
    often = [chance.choice((0.0, 0.02, 0.2, 1.0, 1.0)) for _ in range(width)]
    often[chance.randrange(width)] = 1.0
    drawn = chance.choices(range(width), often, k=rows)
    return Column("", tuple("uvwxyzklmn"[:width])), [float(code) for code in drawn]


def nearly_a_copy(
    chance: Random, columns: list[Column], cells: list[list[float]]
) -> tuple[Column, list[float]]:
    """A column whose cells are those of an earlier one but for a few."""
    which = chance.randrange(len(columns))
    share = chance.choice((0.0, 0.0, 0.01, 0.05))
    return columns[which], [
        chance.choice(cells[which]) if chance.random() < share else value for value in cells[which]
    ]


def classes_of(chance: Random, cells: list[list[float]], rows: int, classes: int) -> list[int]:
    """Classes by the sum of what every column's values are worth, and of chance: there is much for a tree to learn."""
    noise = chance.choice((0.1, 0.3, 0.6, 1.0))
    worth = [{value: chance.gauss(0, 1) for value in column} for column in cells]
    slopes = [chance.gauss(0, 1) / max(max(column) - min(column), 1) for column in cells]
    scores = []
    for i in range(rows):
        values = [column[i] for column in cells]
        parts = zip(worth, slopes, values, strict=True)
        scores.append(sum(0.5 * w[v] + 2 * s * v for w, s, v in parts) + chance.gauss(0, 2 * noise))
    limits = sorted(scores)
    return [sum(score > limits[rows * (c + 1) // classes] for c in range(classes - 1)) for score in scores]
