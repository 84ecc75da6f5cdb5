"""Which records satisfy a predicate, in a table and in a control group of another size.

Columns are ranked once, so that every term becomes a range of ranks and thousands of predicates are counted without
passing over the table for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Codes, Floats, Integers
from hushwood.attacks.protocol import PredicateGuesses
from hushwood.random_streams import group_order
from hushwood.tables.table import missing_values

OPERATORS = ("<=", ">=", "==", "missing")
LARGEST_COUNT = 6  # counts from here on are one cell when a control group's counts are fitted
# Where that fit begins, as (shape, mean) of the gamma law: predicates similar and rare, to different and common.
_BEGINNINGS = ((0.1, 0.1), (0.05, 3.0), (1.0, 1.0), (0.4, 8.0))


@dataclass(frozen=True, slots=True)
class Ranked:
    """Columns as dense ranks, a missing value above all others: `ranks[column, row]`.

    `values[c]` are the distinct values by rank, `order[c]` the rows by rising rank, and the rows of rank r stand there
    from `starts[offset[c] + r]` to the next start.
    """

    names: tuple[str, ...]
    values: tuple[Floats, ...]
    ranks: Codes
    order: Codes
    starts: Integers
    offset: Integers

    @property
    def rows(self) -> int:
        """How many records there are."""
        return int(self.ranks.shape[1])

    def counts(self, column: int) -> Integers:
        """How many records have each distinct value of a column; the last number is that of the missing ones."""
        at = self.offset[column]
        return np.diff(self.starts[at : at + len(self.values[column]) + 2])


@dataclass(frozen=True, slots=True)
class Boxes:
    """Predicates as ranges of ranks: predicate p asks low <= rank < high of its terms `begin[p] : begin[p + 1]`."""

    begin: Integers
    column: Integers
    low: Integers
    high: Integers

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


def _ascending(column: Array) -> Integers:
    """Rows by rising value, missing ones last."""
    if column.dtype.kind == "f":
        return np.argsort(column, kind="stable")
    return group_order(np.where(column < 0, column.max(initial=0) + 1, column))


def boxes_of(predicates: PredicateGuesses, table: Ranked) -> Boxes:
    """The predicates as ranges of a table's ranks; what no value of the table satisfies is an empty range."""
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


def count_boxes(boxes: Boxes, table: Ranked, *, most: int = 2, threads: int = 1) -> tuple[Integers, Integers]:
    """Number of records inside each box, counted up to `most`, and one such record (-1: none)."""
    from hushwood.attacks.kernels.predicates import count_rows

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
) -> tuple[Integers, Integers]:
    """Number of records that satisfy each predicate, counted up to `most`, and one such record (-1: none).

    A missing value satisfies nothing but "missing". A predicate without terms is satisfied by every record.
    """
    used = set(predicates.column)
    table = ranked({name: values for name, values in columns.items() if name in used} or columns)
    return count_boxes(boxes_of(predicates, table), table, most=most)


def control_factor(predicates: PredicateGuesses, control: Mapping[str, Array], rows: int) -> float:
    """What to multiply the successes in a control group with to get those among this many rows; 1 if there are none.

    Predicates differ in how common what they ask for is. If the number of people among n who satisfy one is Poisson
    with a mean that is itself gamma distributed over predicates, the counts in the control are negative binomial;
    fitted to them, the same law gives how often exactly one of any other number does. The reference's formula, which
    lets all chances up to one limit be equally common (docs/attacks.md), gave half of the truth for four times the
    control's size.
    """
    own = len(next(iter(control.values()))) if control else 0
    if not own or rows == own:
        return 1.0
    counts = np.bincount(
        count_matches(predicates, control, most=LARGEST_COUNT)[0], minlength=LARGEST_COUNT + 1
    )
    if not counts[1]:
        return 1.0
    shape, mean = fitted(counts)
    return float(share_of_one(shape, mean * rows / own) / share_of_one(shape, mean))


def share_of_one(shape: float, mean: float) -> float:
    """The share of predicates that exactly one person satisfies, if their means are gamma distributed."""
    scale = mean / shape
    return float(mean * (1 + scale) ** -(shape + 1))


def fitted(counts: Integers) -> tuple[float, float]:
    """Shape and mean of the gamma law that makes the numbers of predicates with 0, 1, ... people most likely."""
    from scipy.optimize import minimize

    def misfit(logs: Floats) -> float:
        return -float(counts @ np.log(np.maximum(_cells(*np.exp(np.clip(logs, -20, 20))), 1e-300)))

    tried = [minimize(misfit, np.log(start), method="Nelder-Mead") for start in _BEGINNINGS]
    best = min(tried, key=lambda result: float(result.fun))
    shape, mean = np.exp(np.clip(best.x, -20, 20)).tolist()
    return shape, mean


def _cells(shape: float, mean: float) -> Floats:
    """The negative binomial shares of 0, 1, ... and of the last cell, which holds all larger counts.

    They are worked out here because a law of scipy takes longer to make than the whole fit.
    """
    from scipy.special import betaincc

    missed = mean / (shape + mean)
    cells = np.empty(LARGEST_COUNT + 1)
    cells[0] = np.exp(-shape * np.log1p(mean / shape))
    for count in range(1, LARGEST_COUNT):
        cells[count] = cells[count - 1] * missed * (shape + count - 1) / count
    cells[-1] = betaincc(shape, LARGEST_COUNT, shape / (shape + mean))
    return cells
