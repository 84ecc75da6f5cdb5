"""Which records fulfil a predicate; predicates are found in `predicate_search`.

Columns are ranked once, so that every term becomes a range of ranks and thousands of predicates are counted without
passing over the table for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushwood.attacks.guesses import Floats, PredicateGuesses, Rows
from hushwood.random_streams import group_order
from hushwood.tables.table import Array, missing_values

OPERATORS = ("<=", ">=", "==", "missing")
Ranks = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Ranked:
    """Columns as dense ranks, a missing value above all others: `ranks[column, row]`.

    `values[c]` are the distinct values by rank, `order[c]` the rows by rising rank, and the rows of rank r stand there
    from `starts[offset[c] + r]` to the next start.
    """

    names: tuple[str, ...]
    values: tuple[Floats, ...]
    ranks: Ranks
    order: Ranks
    starts: Rows
    offset: Rows

    @property
    def rows(self) -> int:
        """How many records there are."""
        return int(self.ranks.shape[1])

    def counts(self, column: int) -> Rows:
        """How many records have each distinct value of a column; the last number is that of the missing ones."""
        at = self.offset[column]
        return np.diff(self.starts[at : at + len(self.values[column]) + 2])


@dataclass(frozen=True, slots=True)
class Boxes:
    """Predicates as ranges of ranks: predicate p asks low <= rank < high of its terms `begin[p] : begin[p + 1]`."""

    begin: Rows
    column: Rows
    low: Rows
    high: Rows

    def __len__(self) -> int:
        return len(self.begin) - 1


def ranked(columns: Mapping[str, Array]) -> Ranked:
    """Rank every column."""
    rows = len(next(iter(columns.values()))) if columns else 0
    shape = len(columns), rows
    ranks, order = np.empty(shape, np.int32), np.empty(shape, np.int32)
    values, starts = [], []
    for c, column in enumerate(columns.values()):
        known = np.where(missing_values(column), np.nan, column)
        order[c] = _ascending(column)
        ordered = known[order[c]]
        ordered = ordered[: rows - int(np.isnan(known).sum())]
        first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])
        values.append(ordered[first])
        starts.append(np.concatenate((first, [len(ordered), rows])))
        ranks[c, order[c]] = np.repeat(np.arange(len(first) + 1), np.diff(starts[c]))
    offset = np.cumsum([0, *(len(part) for part in starts)])[:-1]
    joined = np.concatenate(starts) if starts else np.zeros(0)
    return Ranked(
        tuple(columns), tuple(values), ranks, order, joined.astype(np.int64), offset.astype(np.int64)
    )


def _ascending(column: Array) -> Rows:
    """Rows by rising value, missing ones last."""
    if column.dtype.kind == "f":
        return np.argsort(column, kind="stable")
    return group_order(np.where(column < 0, column.max(initial=0) + 1, column))


def boxes_of(predicates: PredicateGuesses, table: Ranked) -> Boxes:
    """The predicates as ranges of a table's ranks; what no value of the table fulfils is an empty range."""
    names = np.array(predicates.column, object)
    operator = np.array(predicates.operator, object)
    column, low, high = (np.zeros(len(names), np.int64) for _ in range(3))
    for c, name in enumerate(table.names):
        own = np.flatnonzero(names == name)
        asked, wanted, values = operator[own], predicates.value[own], table.values[c]
        column[own] = c
        missing, distinct = asked == "missing", len(values)
        low[own] = np.where(asked == "<=", 0, np.searchsorted(values, wanted, "left"))
        high[own] = np.where(asked == ">=", distinct, np.searchsorted(values, wanted, "right"))
        low[own[missing]], high[own[missing]] = distinct, distinct + 1
    return Boxes(predicates.begin, column, low, high)


def count_boxes(boxes: Boxes, table: Ranked, *, most: int = 2, threads: int = 1) -> tuple[Rows, Rows]:
    """Number of records inside each box, counted up to `most`, and one of them (-1: none)."""
    from hushwood.attacks.predicate_kernels import count_rows

    counts, found = np.zeros(len(boxes), np.int64), np.full(len(boxes), -1, np.int64)

    def count(first: int, last: int) -> None:
        count_rows(
            boxes.begin,
            boxes.column,
            boxes.low,
            boxes.high,
            table.ranks,
            table.order,
            table.offset,
            table.starts,
            most,
            first,
            last,
            counts,
            found,
        )

    limits = [len(boxes) * part // max(threads, 1) for part in range(max(threads, 1) + 1)]
    with ThreadPoolExecutor(max(threads, 1)) as pool:
        list(pool.map(count, limits[:-1], limits[1:]))
    return counts, found


def count_matches(
    predicates: PredicateGuesses, columns: Mapping[str, Array], *, most: int = 2
) -> tuple[Rows, Rows]:
    """Number of records that fulfil each predicate, counted up to `most`, and one such record (-1: none).

    A missing value fulfils nothing but "missing". A predicate without terms is fulfilled by every record.
    """
    used = set(predicates.column)
    table = ranked({name: values for name, values in columns.items() if name in used} or columns)
    return count_boxes(boxes_of(predicates, table), table, most=most)
