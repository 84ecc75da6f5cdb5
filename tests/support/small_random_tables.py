"""Small random tables with ties and gaps for techniques that group records, and their cells as plain Python values."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from support.mixed_tables import category, number, table_of, target

NAN = float("nan")


def random_table(
    seed: int, kinds: Sequence[str], rows: int, classes: int, *, gaps: float = 0.1, response: str = "class"
) -> Table:
    """Columns "n" (few whole numbers), "d" (decimals) or "c" (categories) named by their place, and the class "y"."""
    chance = Random(seed)  # noqa: S311 - test data, not secrets
    columns: dict[str, tuple[Attribute, list[float]]] = {}
    for place, kind in enumerate(kinds):
        name = f"{kind}{place}"
        if kind == "c":
            codes = [float(chance.randrange(5)) for _ in range(rows)]
            columns[name] = category(name, "abcdef"), [-1.0 if chance.random() < gaps else v for v in codes]
        else:
            step = 1 if kind == "n" else 100
            drawn = [chance.randrange(8 * step) / step for _ in range(rows)]
            values = [NAN if chance.random() < gaps else v for v in drawn]
            columns[name] = number(name, 0, 8, 0 if kind == "n" else 2), values
    if response == "number":
        attribute = Attribute("y", "numeric", "class", low=0, high=9, precision=0)
        columns["y"] = attribute, [float(chance.randrange(10)) for _ in range(rows)]
    else:
        columns["y"] = target("y", "pqrs"[:classes]), [float(chance.randrange(classes)) for _ in range(rows)]
    return table_of(columns)


def plain_column(table: Table, name: str) -> list[Any]:
    """The values of a column, None for missing ones; categories by their names."""
    attribute, values = table.schema[name], table.columns[name].tolist()
    if attribute.kind == "numeric":
        return [None if v != v else v for v in values]
    return [None if v < 0 else attribute.categories[v] for v in values]


def groups_of(ids: Sequence[int]) -> set[tuple[int, ...]]:
    """The rows of every group."""
    found: dict[int, list[int]] = {}
    for row, group in enumerate(ids):
        found.setdefault(group, []).append(row)
    return {tuple(rows) for rows in found.values()}
