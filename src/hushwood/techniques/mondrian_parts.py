"""The parts that Mondrian cuts a table into: allowable splits that tell most about the class (algorithms 8).

Plain data in, plain data out, for the technique and for experiments; the loops over records are in
`mondrian_kernels`, and `mondrian` says what is released of a part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.tables.table import Table, class_labels, missing_values

Integers = NDArray[np.int32]
Floats = NDArray[np.float64]

_DECIMALS = 12  # gains that differ by less are equal, and the part that was made first is split first


@dataclass(frozen=True, slots=True)
class Limits:
    """What every part must fulfil, and when to stop: K, L of the sensitive columns, parts, gain of a split.

    A gain is a share of what the part has to explain: bits a record, or the share of its sum of squares.
    """

    k: int = 5
    l: float = 1.0
    max_parts: int | None = None
    min_gain: float = 0.0

    def __post_init__(self) -> None:
        if self.k < 1:
            raise InputError(f"Every part needs k = 1 or more records; {self.k} was given.")
        if not self.l >= 1:
            raise InputError(f"l must be 1 (which asks nothing) or more; {self.l:g} was given.")
        if self.max_parts is not None and self.max_parts < 1:
            raise InputError(f"max_parts must be 1 or more; {self.max_parts} was given.")
        if not self.min_gain >= 0:
            raise InputError(f"min_gain must be 0 or more; {self.min_gain:g} was given.")


@dataclass(frozen=True, slots=True)
class Cut:
    """A split: numbers up to `threshold` and missing ones, or the codes in `values`, go `left`; others go `right`.

    `left` and `right` are places in the list of cuts, or ~part of a final part. Categories that were not there when the
    part was split go to the side that had more records, which is the left one if `larger_left`.
    """

    column: str
    threshold: float | None
    values: tuple[int, ...]
    others: tuple[int, ...]
    larger_left: bool
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Parts:
    """The part of every record, and the cuts that lead there, the first one first."""

    ids: Integers
    count: int
    cuts: tuple[Cut, ...]

    def of(self, columns: Mapping[str, NDArray[Any]]) -> Integers:
        """The part that other records belong to, by their values."""
        rows = len(next(iter(columns.values())))
        ids = np.zeros(rows, np.int32)
        waiting = [(0, np.arange(rows))] if self.cuts else []
        while waiting:
            place, here = waiting.pop()
            cut = self.cuts[place]
            left = _goes_left(cut, columns[cut.column][here])
            for side, some in ((cut.left, here[left]), (cut.right, here[~left])):
                if side >= 0:
                    waiting.append((side, some))
                else:
                    ids[some] = ~side
        return ids


def mondrian_parts(
    table: Table, columns: Sequence[str], limits: Limits, sensitive: Sequence[str] = ()
) -> Parts:
    """Cut a table into parts by these columns, the split that gains most first; it ends when none is allowable."""
    check_limits(table, limits, sensitive)
    data = _Prepared.of(table, columns, limits, sensitive)
    growing = _Growing(data, limits)
    while growing.split_next():
        pass
    return growing.finished(columns)


def check_limits(table: Table, limits: Limits, sensitive: Sequence[str]) -> None:
    """Refuse what not even the table as one part can fulfil."""
    if limits.k > table.rows:
        raise InputError(
            f"Groups of k = {limits.k:,} records cannot be made of {table.rows:,}; choose a smaller k."
        )
    if limits.l > 1 and not sensitive:
        raise InputError(
            f"l = {limits.l:g} asks for different values of sensitive columns, but none is declared as confidential; "
            "declare one, or leave l out."
        )
    for name in sensitive if limits.l > 1 else ():
        most = int(np.bincount(dense(table.columns[name])[0]).max())
        if most * limits.l > table.rows:
            raise InputError(
                f"l = {limits.l:g} cannot be had: one value of {name!r} is in {most:,} of {table.rows:,} records, so l "
                f"is {table.rows / most:.3g} at most; choose a smaller one."
            )


@dataclass(frozen=True, slots=True)
class _Prepared:
    """Columns as ranks with their records in order, the response, and the sensitive columns."""

    ranks: Integers
    values: tuple[NDArray[Any], ...]
    category: NDArray[np.bool_]
    orders: Integers
    label: Integers
    classes: int
    number: Floats
    known: Floats
    sensitive: Integers
    logs: Floats

    @classmethod
    def of(cls, table: Table, columns: Sequence[str], limits: Limits, sensitive: Sequence[str]) -> _Prepared:
        coded = [dense(table.columns[name]) for name in columns]
        ranks = np.array([ranks for ranks, _ in coded], np.int32).reshape(len(columns), table.rows)
        orders = np.array([np.argsort(line, kind="stable") for line in ranks], np.int32).reshape(ranks.shape)
        category = np.array([table.schema[name].kind == "categorical" for name in columns], bool)
        label, classes, number, known = response(table)
        others = [dense(table.columns[name])[0] for name in sensitive] if limits.l > 1 else []
        sizes = np.arange(table.rows + 1)
        logs = np.asarray(sizes * np.log2(np.maximum(sizes, 1)), np.float64)
        held = np.array(others, np.int32).reshape(len(others), table.rows)
        values = tuple(values for _, values in coded)
        return cls(ranks, values, category, orders, label, classes, number, known, held, logs)


def dense(column: NDArray[Any]) -> tuple[Integers, NDArray[Any]]:
    """Places of the values among all of the column, and these; missing ones are before all others."""
    lowest = -np.inf if column.dtype.kind == "f" else -1
    values, ranks = np.unique(np.where(missing_values(column), lowest, column), return_inverse=True)
    return ranks.astype(np.int32), values


def response(table: Table) -> tuple[Integers, int, Floats, Floats]:
    """What the splits are to explain: classes (missing is one more), or numbers as distances from their mean.

    The number of classes is 0 for numbers; those that are missing count as records, but explain nothing.
    """
    target = table.schema.class_attribute
    nothing = np.zeros(0)
    if target is not None and target.kind == "numeric":
        values = table.columns[target.name]
        known = ~np.isnan(values)
        centre = values[known].mean() if known.any() else 0.0
        return np.zeros(0, np.int32), 0, np.where(known, values - centre, 0.0), known.astype(np.float64)
    label, names = class_labels(table)
    filled = np.where(label < 0, len(names), label).astype(np.int32)
    return filled, len(names) + 1, nothing, nothing


class _Growing:
    """Parts while the table is cut, each a slice of every column's order; the halves of a part come after it."""

    def __init__(self, data: _Prepared, limits: Limits) -> None:
        self.data, self.limits = data, limits
        self.slices = [(0, data.orders.shape[1])]
        self.cut_by: dict[int, tuple[int, int]] = {}
        self.waiting: list[tuple[float, int, int, Integers]] = []
        self.goes_left = np.zeros(data.orders.shape[1], np.bool_)
        self.spare = np.zeros(int(data.sensitive.max(initial=0)) + 1, np.int64)
        self.whole: float | None = None
        self._consider(0)

    def split_next(self) -> bool:
        """Split the part that gains most; False if none can be split or there are enough."""
        from hushwood.techniques.mondrian_kernels import divide

        if not self.waiting or len(self.cut_by) + 1 == self.limits.max_parts:
            return False
        _, part, column, left = heappop(self.waiting)
        begin, end = self.slices[part]
        self.goes_left[left] = True
        divide(self.data.orders, begin, end, self.goes_left)
        self.goes_left[left] = False
        first = len(self.slices)
        self.cut_by[part] = column, first
        self.slices += [(begin, begin + len(left)), (begin + len(left), end)]
        self._consider(first)
        self._consider(first + 1)
        return True

    def _consider(self, part: int) -> None:
        """Find the best split of a part, and let it wait for its turn."""
        from hushwood.techniques.mondrian_kernels import best_split

        begin, end = self.slices[part]
        data, limits = self.data, self.limits
        if not len(data.orders) or end - begin < 2 * limits.k:
            return
        left = np.empty(end - begin, np.int32)
        response = data.label, data.classes, data.number, data.known, data.logs
        asked = limits.k, float(limits.l), data.sensitive, self.spare
        column, cut, before, after = best_split(
            data.orders, data.ranks, data.category, begin, end, *response, *asked, left
        )
        own = float(end - begin if data.classes else before)
        self.whole = own if self.whole is None else self.whole
        if column >= 0 and (limits.min_gain == 0 or before - after >= limits.min_gain * own):
            gain = round((before - after) / (self.whole or 1.0), _DECIMALS)
            heappush(self.waiting, (-gain, part, column, left[:cut].copy()))

    def finished(self, columns: Sequence[str]) -> Parts:
        """The final parts in the order they were made, and the cuts."""
        final = [part for part in range(len(self.slices)) if part not in self.cut_by]
        place = {part: ~i for i, part in enumerate(final)} | {part: i for i, part in enumerate(self.cut_by)}
        ids = np.empty(len(self.goes_left), np.int32)
        line = self.data.orders[0] if len(columns) else np.arange(len(ids))
        for i, part in enumerate(final):
            begin, end = self.slices[part]
            ids[line[begin:end]] = i
        cuts = [self._cut(columns[column], column, first, place) for column, first in self.cut_by.values()]
        return Parts(ids, len(final), tuple(cuts))

    def _cut(self, name: str, column: int, first: int, place: Mapping[int, int]) -> Cut:
        line, ranks, values = self.data.orders[0], self.data.ranks[column], self.data.values[column]
        left, right = (ranks[line[begin:end]] for begin, end in self.slices[first : first + 2])
        sides = place[first], place[first + 1]
        if self.data.category[column]:
            here, there = (tuple(values[np.unique(side)].astype(int).tolist()) for side in (left, right))
            return Cut(name, None, here, there, len(left) >= len(right), *sides)
        low, high = float(values[left.max()]), float(values[right.min()])
        middle = low + (high - low) / 2 if np.isfinite(low) else low
        return Cut(name, middle if middle < high else low, (), (), len(left) >= len(right), *sides)


def _goes_left(cut: Cut, values: NDArray[Any]) -> NDArray[np.bool_]:
    """Which records of a part go left."""
    if cut.threshold is not None:
        return np.asarray(missing_values(values) | (values <= cut.threshold))
    return np.asarray(~np.isin(values, cut.others) if cut.larger_left else np.isin(values, cut.values))
