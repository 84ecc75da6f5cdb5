"""Which records satisfy a predicate, in a table and in a control group of another size; and predicates that fit one
only.

Columns are ranked once, so that every term becomes a range of ranks and thousands of predicates are counted without
passing over the table for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats, Integers, Words
from hushwood.attacks.protocol import PredicateGuesses
from hushwood.attacks.search.released_rows import different_draws
from hushwood.random_streams import Streams, group_order
from hushwood.tables.table import missing_values

OPERATORS = ("<=", ">=", "==", "missing")
LARGEST_COUNT = 6  # counts from here on are one cell when a control group's counts are fitted
# Where that fit begins, as (shape, mean) of the gamma law: predicates similar and rare, to different and common.
_BEGINNINGS = ((0.1, 0.1), (0.05, 3.0), (1.0, 1.0), (0.4, 8.0))
AT_MOST, AT_LEAST, EQUAL, MISSING = range(len(OPERATORS))
# Candidates that are counted together, at first and at most; what is found does not depend on it.
BATCH, LARGEST_BATCH = 1 << 12, 1 << 16
_PURPOSE = "singling out"


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
class TermRanges:
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


def boxes_of(predicates: PredicateGuesses, table: Ranked) -> TermRanges:
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
    return TermRanges(predicates.begin, column, low, high)


def count_boxes(
    boxes: TermRanges, table: Ranked, *, most: int = 2, threads: int = 1
) -> tuple[Integers, Integers]:
    """Number of records inside each box, counted up to `most`, and one such record (-1: none)."""
    from hushwood.attacks.kernels.counting import count_rows

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


@dataclass(frozen=True, slots=True)
class Terms:
    """Predicates of equally many terms, as [predicate, term]: a column, an operator, and the rank of a value."""

    column: Integers
    operator: Integers
    rank: Integers

    def __len__(self) -> int:
        return len(self.column)

    def take(self, which: Integers) -> Terms:
        """The chosen predicates, in the order given."""
        return Terms(self.column[which], self.operator[which], self.rank[which])


def univariate(table: Ranked, numeric: Flags, most: int, streams: Streams) -> PredicateGuesses:
    """Of every column: missing in one row alone, the lone smallest and largest number, every value that occurs once.

    At most as many as asked for, drawn by key from all.
    """
    parts = [_of_column(table, c, bool(numeric[c]), streams) for c in range(len(table.names))]
    column, operator, rank, word = (np.concatenate([part[i] for part in parts]) for i in range(4))
    chosen = np.argsort(word, kind="stable")[:most]
    found = Terms(column[:, None], operator[:, None], rank[:, None]).take(chosen)
    return _written(found, table)


def multivariate(
    table: Ranked,
    numeric: Flags,
    most: int,
    streams: Streams,
    *,
    columns: int,
    candidates: int,
    threads: int = 1,
) -> PredicateGuesses:
    """Distinct predicates from some columns of random rows, until there are enough or the candidates run out."""
    middles = _middles(table)
    found = _candidates(table, numeric, middles, range(0), streams, columns)
    done, batch = 0, BATCH
    while len(found) < most and done < candidates and table.rows:
        drawn = range(done, min(done + batch, candidates))
        new = _candidates(table, numeric, middles, drawn, streams, columns)
        counts, _ = count_boxes(_boxes(new, table), table, threads=threads)
        found = _distinct(_joined(found, new.take(np.flatnonzero(counts == 1))))
        done, batch = drawn.stop, min(2 * batch, LARGEST_BATCH)
    return _written(found.take(np.arange(min(most, len(found)))), table)


def _of_column(
    table: Ranked, column: int, numeric: bool, streams: Streams
) -> tuple[Integers, Integers, Integers, Words]:
    """Columns, operators and ranks of the predicates of one column, and a word for each by the row that it fits."""
    counts = table.counts(column)
    distinct = len(counts) - 1
    ends = [(AT_MOST, 0), (AT_LEAST, distinct - 1)] if numeric and distinct else []
    more = np.array([*ends, (MISSING, distinct)], np.int64)
    operator = np.concatenate((np.full(distinct, EQUAL), more[:, 0]))
    rank = np.concatenate((np.arange(distinct), more[:, 1]))
    alone = counts[rank] == 1
    operator, rank = operator[alone], rank[alone]
    rows = table.order[column, table.starts[table.offset[column] + rank]]
    words = np.stack([streams.words(_PURPOSE, table.names[column], d, range(table.rows)) for d in range(2)])
    is_end = np.isin(operator, (AT_MOST, AT_LEAST)).astype(np.int64)
    return np.full(len(rank), column), operator, rank, words[is_end, rows]


def _candidates(
    table: Ranked,
    numeric: Flags,
    middles: Floats,
    drawn: range,
    streams: Streams,
    columns: int,
) -> Terms:
    """What some columns of a random row say, towards the ends: at least a number above the median, at most one below.

    A number at the median, a category and a missing value are asked for as they are. (The reference asks for "at most"
    at the median; then a column and its negative would give different predicates.)
    """
    rows = (streams.uniform(_PURPOSE, "rows", 0, drawn) * table.rows).astype(np.int64)
    column = different_draws(len(table.names), columns, drawn, streams, f"{_PURPOSE}, columns")
    rank = table.ranks[column, rows[:, None]].astype(np.int64)
    side = np.where(numeric[column], np.sign(rank - middles[column]), 0)
    operator = np.select(
        [rank == _distinct_values(table)[column], side > 0, side < 0], [MISSING, AT_LEAST, AT_MOST], EQUAL
    )
    return Terms(column, operator, rank)


def _middles(table: Ranked) -> Floats:
    """The median of the known ranks of every column; half a rank where it lies between two values."""
    middles = np.zeros(len(table.names))
    for c in range(len(table.names)):
        known = np.cumsum(table.counts(c)[:-1])
        if len(known):
            below, above = np.searchsorted(known, [(known[-1] - 1) // 2, known[-1] // 2], "right")
            middles[c] = (below + above) / 2
    return middles


def _distinct_values(table: Ranked) -> Integers:
    return np.array([len(values) for values in table.values], np.int64)


def _boxes(terms: Terms, table: Ranked) -> TermRanges:
    low = np.where(terms.operator == AT_MOST, 0, terms.rank)
    high = np.where(terms.operator == AT_LEAST, _distinct_values(table)[terms.column], terms.rank + 1)
    return TermRanges(_begins(terms), terms.column.ravel(), low.ravel(), high.ravel())


def _begins(terms: Terms) -> Integers:
    return np.asarray(np.arange(len(terms) + 1) * terms.column.shape[1], np.int64)


def _joined(first: Terms, second: Terms) -> Terms:
    parts = zip(
        (first.column, first.operator, first.rank), (second.column, second.operator, second.rank), strict=True
    )
    return Terms(*(np.concatenate(pair) for pair in parts))


def _distinct(terms: Terms) -> Terms:
    """The first of every set of equal predicates, in the order they were found."""
    both = np.concatenate((terms.column, terms.operator, terms.rank), axis=1)
    _, first = np.unique(both, axis=0, return_index=True)
    return terms.take(np.sort(first))


def _written(terms: Terms, table: Ranked) -> PredicateGuesses:
    """The predicates in values instead of ranks; "missing" has none, and stands with 0."""
    column, operator, rank = terms.column.ravel(), terms.operator.ravel(), terms.rank.ravel()
    value = np.zeros(len(rank))
    for c, values in enumerate(table.values):
        asked = (column == c) & (operator != MISSING)
        value[asked] = values[rank[asked]]
    return PredicateGuesses(
        _begins(terms),
        tuple(table.names[c] for c in column.tolist()),
        tuple(OPERATORS[o] for o in operator.tolist()),
        value,
    )
