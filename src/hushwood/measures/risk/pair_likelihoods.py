"""The likelihood of laws that must be asked about every pair of a target and a released record (errata E3).

These are laws of several columns at once, whose noise is not independent, and laws of one column that have no simpler
form. Targets with the same numbers are one kind, and so are released records with the same numbers in the same
segment. Laws under which old numbers play no part are read by `box_likelihoods`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.risk.likelihoods import IMPOSSIBLE, Doubles, Integers, Redraw
from hushwood.segments.partition import combine
from hushwood.tables.schema import Schema
from hushwood.tables.table import Array, Table, class_labels
from hushwood.techniques.cells import Cells
from hushwood.techniques.conditioning import Given
from hushwood.techniques.factor_noise import FactorLaw
from hushwood.techniques.group_law import GroupLaw
from hushwood.techniques.group_values import GroupValuesLaw
from hushwood.techniques.joint_normal import JointNormalLaw
from hushwood.techniques.number_groups import NumberGroup
from hushwood.techniques.protocol import Columns, Law
from hushwood.techniques.rank_swapping import RankSwapLaw
from hushwood.techniques.redraw import by_segment

MOST_PAIRS = 30_000_000  # of kinds; four bytes each
_AT_ONCE = 1_000_000

Marks = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PairLaw:
    """A law that is asked about pairs: the columns it perturbs, and the `given` ones that it reads beside them.

    The class is `hidden` from the intruder. `group` has the boxes of the segments, `cells` what the law was learnt in;
    laws without them say themselves what is impossible.
    """

    law: Law
    names: tuple[str, ...]
    given: tuple[str, ...] = ()
    hidden: str | None = None
    group: NumberGroup | None = None
    cells: Cells | None = None

    def segments(self, segment: Integers) -> Integers:
        """The segments, those that the law does not tell apart under one number."""
        law = self.law
        if isinstance(law, FactorLaw):
            ends = np.stack([law.intervals.low, law.intervals.high])
            _, first, same = np.unique(ends, axis=1, return_index=True, return_inverse=True)
            return np.asarray(first[same.reshape(-1)][segment])
        inside = law.group_of is by_segment if isinstance(law, RankSwapLaw) else _within(self) == "segment"
        return segment if inside else np.zeros(len(segment), np.int64)


def pair_law(law: object, schema: Schema) -> PairLaw | None:
    """The law as one of pairs; None if it is of another form, or only says how one record is drawn among others."""
    if isinstance(law, RankSwapLaw):
        return PairLaw(law, (law.attribute,))
    if isinstance(law, GroupValuesLaw):
        return PairLaw(law, law.attributes)
    if isinstance(law, FactorLaw):
        group = NumberGroup((law.attribute,), (law.intervals,))
        return PairLaw(law, group.names, group=group)
    if isinstance(law, JointNormalLaw):
        return _of_group(law, law.group, law.given, law.cells, schema)
    if isinstance(law, GroupLaw) and not law.dependent:
        by = law.perturber
        return _of_group(law, by.group, by.given, by.cells, schema)
    return None


def pair_likelihood(
    pairs: PairLaw, original: Table, released: Table, segment: Integers, blocks: int, targets: Integers
) -> Redraw | None:
    """From the law's segment of every released record; None if there are too many kinds of pairs.

    The likelihood is P(y | x) itself, as for noise on single columns (thesis 8.1). Only where values change places it
    is shared out among the records that hold the value, for else a frequent value would make every holder likelier.
    """
    kind, wanted = _kinds(pairs, original, targets)
    code, given, held_in = _codes(pairs, released, segment)
    if len(held_in) * len(wanted[pairs.names[0]]) > MOST_PAIRS:
        return None
    table = _table(pairs, wanted, given, held_in, _hidden(pairs, original))
    kinds, codes = table.shape
    return Redraw(
        released=code.astype(np.float32),
        code=np.full(len(kind), -1, np.float32),
        kind=kind,
        class_of=np.zeros(blocks, np.int32),
        row=np.arange(kinds, dtype=np.int64)[None] * codes,
        stay=np.full((1, kinds), IMPOSSIBLE, np.float32),
        shift=np.zeros((1, kinds), np.float32),
        table=table.reshape(-1),
    )


def affordable_targets_of(
    pairs: PairLaw, original: Table, released: Table, segment: Integers, most: int
) -> int:
    """How many targets can be looked for with at most so many questions about columns of pairs; all if few kinds."""
    kind, _ = _kinds(pairs, original, np.arange(original.rows))
    codes = len(_codes(pairs, released, segment)[2])
    each = codes * len(pairs.names) * len(_hidden(pairs, original))
    return original.rows if (int(kind.max(initial=0)) + 1) * each <= most else most // each


def _of_group(law: Law, group: NumberGroup, given: Given, cells: Cells, schema: Schema) -> PairLaw | None:
    """None if it reads columns that no intruder is thought to know."""
    target = schema.class_attribute
    names = {*given.numeric, *given.categorical}
    hidden = target.name if target is not None and target.name in names else None
    known = tuple(a.name for a in schema.inputs if a.name in names)
    if len(known) + (hidden is not None) < len(names) or not group.names:
        return None
    return PairLaw(law, group.names, known, hidden, group, cells)


def _within(pairs: PairLaw) -> str:
    if isinstance(pairs.law, GroupValuesLaw):
        return pairs.law.within
    return "segment" if pairs.cells is None else pairs.cells.within


def _kinds(pairs: PairLaw, original: Table, targets: Integers) -> tuple[Integers, Columns]:
    """The kind of every target, and one record of every kind."""
    columns = {name: original.columns[name][targets] for name in (*pairs.names, *pairs.given)}
    kind, first = _distinct(list(columns.values()))
    return kind, {name: values[first] for name, values in columns.items()}


def _codes(pairs: PairLaw, released: Table, segment: Integers) -> tuple[Integers, Columns, Integers]:
    """The code of every released record, and the numbers and the segment of every code."""
    segment = pairs.segments(segment)
    code, first = _distinct([segment, *(released.columns[name] for name in pairs.names)])
    return code, {name: released.columns[name][first] for name in pairs.names}, segment[first]


def _distinct(parts: Sequence[Array]) -> tuple[Integers, Integers]:
    """Numbers for the distinct combinations, and where each is first."""
    ids, _ = combine([np.unique(part, return_inverse=True)[1] for part in parts])
    return ids.astype(np.int64), np.unique(ids, return_index=True)[1]


def _hidden(pairs: PairLaw, original: Table) -> list[tuple[Columns, float]]:
    """One value of every class that the law may have read, and the logarithm of its share; one of nothing if none."""
    if pairs.hidden is None:
        return [({}, 0.0)]
    labels, _ = class_labels(original)
    _, first, count = np.unique(labels, return_index=True, return_counts=True)
    column = original.columns[pairs.hidden]
    return [
        ({pairs.hidden: column[row : row + 1]}, float(np.log(n / len(labels))))
        for row, n in zip(first.tolist(), count.tolist(), strict=True)
    ]


def _table(
    pairs: PairLaw,
    wanted: Columns,
    given: Columns,
    segment: Integers,
    hidden: Sequence[tuple[Columns, float]],
) -> NDArray[np.float32]:
    """Logarithms to base two [kind of target, code], 0 for the likeliest code of every kind."""
    kinds, codes = len(wanted[pairs.names[0]]), len(segment)
    out = np.full((kinds, codes), IMPOSSIBLE, np.float32)
    there, holders = _there(pairs, given, segment), _holders(pairs.law, given, segment)
    step = max(_AT_ONCE // max(codes, 1), 1)
    for begin in range(0, kinds, step):
        some = {name: values[begin : begin + step] for name, values in wanted.items()}
        x, y = np.nonzero(_possible(pairs, some, given, segment) & there)
        logs = np.full(len(x), -np.inf)
        old, new = ({n: v[at] for n, v in c.items()} for c, at in ((some, x), (given, y)))
        for value, share in hidden:
            full = old | {name: np.repeat(one, len(x)) for name, one in value.items()}
            logs = np.logaddexp(logs, share + pairs.law.log_prob(full, new, segment[y]))
        logs -= holders[y]
        top = np.full(len(some[pairs.names[0]]), -np.inf)
        np.maximum.at(top, x, logs)
        seen = np.isfinite(logs)
        out[begin + x[seen], y[seen]] = np.maximum((logs - top[x])[seen] / np.log(2), IMPOSSIBLE)
    return out


def _there(pairs: PairLaw, given: Columns, segment: Integers) -> Marks:
    """Whether the law knows records with such gaps in such a segment."""
    if pairs.group is None or pairs.cells is None:
        return np.ones(len(segment), bool)
    return pairs.cells.found(segment, pairs.group.numbers(given))[1]


def _possible(pairs: PairLaw, wanted: Columns, given: Columns, segment: Integers) -> Marks:
    """Which targets can be in the segments of the released codes: same gaps, and numbers inside the box."""
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


def _holders(law: Any, given: Columns, segment: Integers) -> Doubles:
    """Logarithm of the number of records that hold a value, where values change places; else 0."""
    if not isinstance(law, RankSwapLaw):
        return np.zeros(len(segment))
    at, there = law.held.place(law.group_of(given, segment), np.asarray(given[law.attribute], float))
    return np.log(np.where(there, np.append(law.held.count, 1)[np.where(there, at, -1)], 1))
