"""In which order columns are released, which of the earlier ones a column is proposed from, and which go together.

The column that says most about the class comes first. Without a class, the one that says most about all others does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Codes, Floats
from hushwood.tables.frames.storage import dense_codes
from hushwood.techniques.sequential.coded_columns import CodedColumn
from hushwood.techniques.sequential.proposal_trees import association

MOST_PREDICTORS = 20
FEWEST_PER_LEVEL = 5  # on average, or columns of unique values would all be linked


def column_order(
    columns: Sequence[CodedColumn], target: CodedColumn | None, rows: Array, min_leaf: int, threads: int = 1
) -> list[CodedColumn]:
    """The columns, the one with the closest tie to the class first; ties keep the order of the table."""
    least = max(min_leaf, 5)

    def tie(column: CodedColumn) -> float:
        if target is not None:
            return association(target, column, rows, least)
        others = (other for other in columns if other is not column)
        return sum(_share(other, column, rows, least) for other in others)

    with ThreadPoolExecutor(max(threads, 1)) as pool:
        ties = list(pool.map(tie, columns))
    return [columns[i] for i in np.argsort(-np.array(ties), kind="stable")]


def _share(target: CodedColumn, column: CodedColumn, rows: Array, least: int) -> float:
    """The gain as a share of what could be gained, so that targets of different kinds can be added up."""
    most = association(target, target, rows, 1)
    return association(target, column, rows, least) / most if most > 0 else 0.0


def predictors_of(
    column: CodedColumn, before: Sequence[CodedColumn], rows: Array, min_leaf: int
) -> list[CodedColumn]:
    """The released columns that a column is proposed from: at most twenty, those with the closest ties."""
    if len(before) <= MOST_PREDICTORS:
        return list(before)
    ties = [association(column, other, rows, max(min_leaf, 5)) for other in before]
    chosen = np.sort(np.argsort(-np.array(ties), kind="stable")[:MOST_PREDICTORS])
    return [before[i] for i in chosen.tolist()]


@dataclass(frozen=True, slots=True)
class Linked:
    """A column that says the same as an earlier one: `own` is its code for every code of that one."""

    name: str
    first: str
    own: Codes
    levels: int
    numbers: Floats | None


def linked_columns(columns: Sequence[CodedColumn]) -> list[Linked]:
    """Columns that say the same as an earlier one, such as a category and its number: one released code gives both."""
    linked: dict[str, Linked] = {}
    levels = {column.name: int(np.count_nonzero(column.counts)) for column in columns}
    for place, column in enumerate(columns):
        size = levels[column.name]
        if size < 2 or size * FEWEST_PER_LEVEL > len(column.codes):
            continue
        for first in columns[:place]:
            if first.name in linked or levels[first.name] != size:
                continue
            pairs = dense_codes(first.codes.astype(np.int64) * column.levels + column.codes)[0]
            if len(pairs) == size:
                own = np.zeros(first.levels, np.int32)
                own[pairs // column.levels] = pairs % column.levels
                linked[column.name] = Linked(column.name, first.name, own, column.levels, column.numbers)
                break
    return list(linked.values())


def with_linked(released: Mapping[str, CodedColumn], linked: Sequence[Linked]) -> dict[str, CodedColumn]:
    """The released columns and those that follow from them."""
    new = {
        link.name: CodedColumn(link.name, link.own[released[link.first].codes], link.levels, link.numbers)
        for link in linked
    }
    return {**released, **new}
