"""The likelihood of laws that must be asked about every pair of a target and a released record (errata E3).

These are laws of several columns at once, whose noise is not independent, and laws of one column that have no simpler
form. Targets with the same numbers are one kind, and so are released records with the same numbers in the same
segment. Where numbers were drawn without regard to the old ones, the release only says whether a person can be in the
segment at all, as with a permutation within segments: all who fit its box, with the same pattern of missing values, are
equally likely.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Floats32, Integers
from hushwood.measures.posterior.likelihoods import IMPOSSIBLE, Redraw, pair_table
from hushwood.segments.partition import combine
from hushwood.tables.domains import to_steps
from hushwood.tables.table import Table, class_codes
from hushwood.techniques.laws.forms import BoxForm, PairForm
from hushwood.techniques.protocol import Columns

MOST_PAIRS = 30_000_000  # of kinds; four bytes each
_AT_ONCE = 1_000_000
_THERE, _GONE = 0, 1
_SAME, _OTHER, _EITHER = 0, 2, 4  # places of the table


def pair_likelihood(
    pairs: PairForm, original: Table, released: Table, segment: Integers, blocks: int, targets: Integers
) -> Redraw | None:
    """From the law's segment of every released record; None if there are too many kinds of pairs.

    The likelihood is P(y | x) itself, as for noise on single columns (thesis 8.1). Only where values change places is
    it divided by the number of records that hold the value, or a frequent value would favour all its holders.
    """
    kind, wanted = _kinds(pairs, original, targets)
    code, given, held_in = _codes(pairs, released, segment)
    if len(held_in) * len(wanted[pairs.names[0]]) > MOST_PAIRS:
        return None
    table = _table(pairs, wanted, given, held_in, _hidden(pairs, original))
    return pair_table(code, kind, table, blocks)


def affordable_targets_of(
    pairs: PairForm, original: Table, released: Table, segment: Integers, most: int
) -> int:
    """How many targets can be sought with at most this many questions about columns of pairs; all if kinds are few."""
    kind, _ = _kinds(pairs, original, np.arange(original.rows))
    codes = len(_codes(pairs, released, segment)[2])
    each = codes * len(pairs.names) * len(_hidden(pairs, original))
    return original.rows if (int(kind.max(initial=0)) + 1) * each <= most else most // each


def _kinds(pairs: PairForm, original: Table, targets: Integers) -> tuple[Integers, Columns]:
    """The kind of every target, and one record of every kind."""
    columns = {name: original.columns[name][targets] for name in (*pairs.names, *pairs.given)}
    kind, first = _distinct(list(columns.values()))
    return kind, {name: values[first] for name, values in columns.items()}


def _codes(pairs: PairForm, released: Table, segment: Integers) -> tuple[Integers, Columns, Integers]:
    """The code of every released record, and the numbers and the segment of every code."""
    segment = pairs.segments(segment)
    code, first = _distinct([segment, *(released.columns[name] for name in pairs.names)])
    return code, {name: released.columns[name][first] for name in pairs.names}, segment[first]


def _distinct(parts: Sequence[Array]) -> tuple[Integers, Integers]:
    """Numbers for the distinct combinations, and where each is first."""
    ids, _ = combine([np.unique(part, return_inverse=True)[1] for part in parts])
    return ids.astype(np.int64), np.unique(ids, return_index=True)[1]


def _hidden(pairs: PairForm, original: Table) -> list[tuple[Columns, float]]:
    """One value of every class that the law may have read, with the logarithm of its share; one empty entry if none."""
    if pairs.hidden is None:
        return [({}, 0.0)]
    labels = class_codes(original.schema[pairs.hidden], original.columns[pairs.hidden])
    _, first, count = np.unique(labels, return_index=True, return_counts=True)
    column = original.columns[pairs.hidden]
    return [
        ({pairs.hidden: column[row : row + 1]}, float(np.log(n / len(labels))))
        for row, n in zip(first.tolist(), count.tolist(), strict=True)
    ]


def _table(
    pairs: PairForm,
    wanted: Columns,
    given: Columns,
    segment: Integers,
    hidden: Sequence[tuple[Columns, float]],
) -> Floats32:
    """Logarithms to base two [kind of target, code], 0 for the likeliest code of every kind."""
    kinds, codes = len(wanted[pairs.names[0]]), len(segment)
    out = np.full((kinds, codes), IMPOSSIBLE, np.float32)
    there = _there(pairs, given, segment)
    holders = np.ones(codes) if pairs.holders is None else pairs.holders(given, segment)
    step = max(_AT_ONCE // max(codes, 1), 1)
    for begin in range(0, kinds, step):
        some = {name: values[begin : begin + step] for name, values in wanted.items()}
        x, y = np.nonzero(_possible(pairs, some, given, segment) & there)
        logs = np.full(len(x), -np.inf)
        old, new = ({n: v[at] for n, v in c.items()} for c, at in ((some, x), (given, y)))
        for value, share in hidden:
            full = old | {name: np.repeat(one, len(x)) for name, one in value.items()}
            logs = np.logaddexp(logs, share + pairs.law.log_prob(full, new, segment[y]))
        logs -= np.log(holders)[y]
        top = np.full(len(some[pairs.names[0]]), -np.inf)
        np.maximum.at(top, x, logs)
        seen = np.isfinite(logs)
        out[begin + x[seen], y[seen]] = np.maximum((logs - top[x])[seen] / np.log(2), IMPOSSIBLE)
    return out


def _there(pairs: PairForm, given: Columns, segment: Integers) -> Flags:
    """Whether the law knows records of that segment and pattern of missing values."""
    if pairs.group is None or pairs.cells is None:
        return np.ones(len(segment), bool)
    return pairs.cells.found(segment, pairs.group.numbers(given))[1]


def _possible(pairs: PairForm, wanted: Columns, given: Columns, segment: Integers) -> Flags:
    """Which targets can be in the segments of the released codes: same missing values, numbers inside the box."""
    out = np.ones((len(wanted[pairs.names[0]]), len(segment)), bool)
    if pairs.group is None:
        return out
    numbers, new = pairs.group.numbers(wanted), pairs.group.numbers(given)
    low, high = pairs.group.low[segment], pairs.group.high[segment]
    for j in range(len(pairs.names)):
        x = numbers[:, j, None]
        out &= ((x >= low[:, j]) & (x <= high[:, j])) | np.isnan(x)
        out &= np.isnan(x) == np.isnan(new[:, j])
    return out


def box_likelihood(form: BoxForm, name: str, wanted: Floats, given: Floats, segment: Integers) -> Redraw:
    """From a column of the targets and of the release, and the law's segment of every block.

    Targets whose numbers lie in the same boxes are one kind; the last kind has no number.
    """
    group = form.group
    j = group.names.index(name)
    if form.within == "table":
        segment = np.zeros(len(segment), np.int64)
    moving = np.full(len(segment), -1) if form.gaps is None else form.gaps[segment, j].astype(np.int64)
    ends, class_of = np.unique(
        np.stack([group.low[segment, j], group.high[segment, j], moving]), axis=1, return_inverse=True
    )
    number = to_steps(np.asarray(wanted, float), group.intervals[j].precision)
    # Between two neighbouring limits all numbers lie in the same boxes.
    limits = np.unique([ends[0], np.nextafter(ends[1], np.inf)])
    first, last = np.searchsorted(limits, ends[0], "right"), np.searchsorted(limits, ends[1], "right")
    kinds = np.arange(len(limits) + 1)
    inside = (kinds >= first[:, None]) & (kinds <= last[:, None])
    # Where gaps stay, a number stands for a number and a gap for a gap; where they move, each may stand for each, and
    # a person without a number can only be where there is a gap.
    number_row, gap_row = (
        np.where(ends[2] < 0, _SAME, _EITHER),
        np.select([ends[2] < 0, ends[2] > 0], [_OTHER, _EITHER], -1),
    )
    row = np.concatenate([np.where(inside, number_row[:, None], -1), gap_row[:, None]], axis=1)
    return Redraw(
        released=np.where(np.isnan(given), _GONE, _THERE).astype(np.float32),
        code=np.full(len(number), -1, np.float32),
        kind=np.where(np.isnan(number), len(kinds), np.searchsorted(limits, number, side="right")),
        class_of=class_of.reshape(-1).astype(np.int32),
        row=row.astype(np.int64),
        stay=np.full(row.shape, IMPOSSIBLE, np.float32),
        shift=np.zeros(row.shape, np.float32),
        table=np.array([0.0, IMPOSSIBLE, IMPOSSIBLE, 0.0, 0.0, 0.0], np.float32),
    )
