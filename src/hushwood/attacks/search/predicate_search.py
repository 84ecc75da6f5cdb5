"""Predicates that exactly one row of a table satisfies, found in that table (docs/attacks.md; after anonymeter).

`singling_out` decides in which table to look, `predicates` counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Flags, Floats, Integers, Words
from hushwood.attacks.protocol import PredicateGuesses
from hushwood.attacks.search.predicates import OPERATORS, Boxes, Ranked, count_boxes
from hushwood.attacks.search.released_rows import different_draws
from hushwood.random_streams import Streams

AT_MOST, AT_LEAST, EQUAL, MISSING = range(len(OPERATORS))
# Candidates that are counted together, at first and at most; what is found does not depend on it.
BATCH, LARGEST_BATCH = 1 << 12, 1 << 16
_PURPOSE = "singling out"


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


def _boxes(terms: Terms, table: Ranked) -> Boxes:
    low = np.where(terms.operator == AT_MOST, 0, terms.rank)
    high = np.where(terms.operator == AT_LEAST, _distinct_values(table)[terms.column], terms.rank + 1)
    return Boxes(_begins(terms), terms.column.ravel(), low.ravel(), high.ravel())


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
