"""What happens in cells where a group technique cannot work: rotation, else shuffling, else permutation, else noise.

A cell may have too few records for its covariances, or draws that do not fit its box. The order is the same for all
techniques, and the report counts the records that took each way. Shuffling, which promises to keep the values of every
segment, exchanges numbers with other cells before it resorts to noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hushwood.random_streams import Rows, Streams, keyed_order
from hushwood.tables.domains import to_steps
from hushwood.techniques.balanced_rounding import balanced
from hushwood.techniques.cells import Cells, Integers, Marks, Matrix
from hushwood.techniques.conditioning import Given
from hushwood.techniques.exchange import can_exchange, exchanged, share_exchanged
from hushwood.techniques.group_law import GroupLaw
from hushwood.techniques.group_rows import GroupRows
from hushwood.techniques.noise import NoiseParameters
from hushwood.techniques.number_groups import NumberGroup
from hushwood.techniques.protocol import Columns
from hushwood.techniques.rotation_walk import fewest_to_turn, walked
from hushwood.techniques.shuffling import fewest_to_shuffle, shuffled

WAYS = ("own", "rotation", "shuffle", "permutation", "exchange", "noise", "kept")
OWN, ROTATION, SHUFFLE, PERMUTATION, EXCHANGE, NOISE, KEPT = range(len(WAYS))
_LEAST = {PERMUTATION: 2, NOISE: 1, KEPT: 1}  # records of a cell
_COPIES = (SHUFFLE, PERMUTATION, EXCHANGE, KEPT)  # ways that hand out the numbers of the table


class RecordLaw(Protocol):
    """The law of one record's numbers; all of the draw if records do not depend on each other."""

    def log_prob(self, original: Columns, released: Columns, segment_ids: NDArray[Any]) -> Matrix:
        """Natural logarithm of the probability (density) of every released record."""

    def described(self) -> dict[str, Any]:
        """The law's parameters as plain data."""


class Method(Protocol):
    """How a technique draws the numbers of the cells that it can deal with."""

    @property
    def by_record(self) -> bool:
        """Whether a record's draw depends on no other record of its chunk."""

    @property
    def independent(self) -> bool:
        """Whether a record's own numbers tell nothing about its draw beyond its cell and the given columns."""

    @property
    def copies(self) -> bool:
        """Whether it hands out the numbers of the table instead of drawing new ones."""

    @property
    def falls_to(self) -> tuple[int, ...]:
        """The ways for the other cells, in their order."""

    def able(self, cells: Cells) -> Marks:
        """The cells that it can deal with, as far as their sizes tell."""

    def claims(self, cells: Cells) -> Marks:
        """The cells for which it states more than the box."""

    def drawn(self, rows: GroupRows, able: Marks) -> tuple[Matrix, Marks]:
        """New numbers of the records in able cells, and the cells in which they fit."""

    @property
    def stated(self) -> RecordLaw:
        """What it draws from; of one record alone, where records depend on each other."""


@dataclass(frozen=True, slots=True)
class GroupPerturber:
    """A method for the cells that it can deal with, and the ways for the others; `alone` is the noise of the last.

    Numbers that are not `bounded` may leave their box, and even the column's domain.
    """

    group: NumberGroup
    given: Given
    cells: Cells
    method: Method
    purpose: str
    alone: NoiseParameters | None
    bounded: bool = True

    @property
    def attributes(self) -> tuple[str, ...]:
        """The columns of the group."""
        return self.group.names

    @property
    def whole_column(self) -> bool:
        """Only draws that know their record alone take any chunk."""
        return not (self.method.by_record and bool(self.dealt_with().all()))

    def covers(self, attribute: str) -> NDArray[np.bool_] | None:
        """All segments."""
        return None

    def perturb(
        self, columns: Columns, segment_ids: NDArray[Any], row_ids: Rows, streams: Streams
    ) -> Columns:
        """New numbers of the group, on their grids."""
        if not self.attributes:
            return {}
        rows = self._rows(columns, segment_ids, row_ids, streams)
        numbers, way = self.drawn(rows)
        if self.whole_column:
            copied = np.isin(way, _COPIES) | ((way == OWN) & self.method.copies)
            numbers = balanced(rows, numbers, copied)
        return rows.released(numbers, self.bounded)

    def drawn(self, rows: GroupRows) -> tuple[Matrix, Integers]:
        """The numbers before they are rounded, and the way that every cell took."""
        if not self.attributes:
            return rows.numbers, np.full(self.cells.count, OWN)
        able = self.dealt_with()
        with _steady_sums(self.method.by_record):
            numbers, fits = self.method.drawn(rows, able)
        way = np.where(able & fits, OWN, -1)
        for next_way in self.method.falls_to:
            way[(way < 0) & self._possible(next_way, rows)] = next_way
        # Exchanges come last, because they take from records that went other ways.
        for next_way in sorted(self.method.falls_to, key=EXCHANGE.__eq__):
            numbers = _WAYS[next_way](self, rows, way == next_way, numbers)
        return numbers, way

    def ways(
        self, columns: Columns, segment_ids: NDArray[Any], row_ids: Rows, streams: Streams
    ) -> Mapping[str, tuple[int, int]]:
        """How many segments and records took each way; a segment with gaps may take several."""
        rows = self._rows(columns, segment_ids, row_ids, streams)
        _, way = self.drawn(rows)
        any_known = self.cells.known.any(axis=1)
        found = {}
        for i, name in enumerate(WAYS):
            here = (way == i) & any_known
            found[name] = len(np.unique(self.cells.segment[here])), int(self.cells.sizes[here].sum())
        return {name: counts for name, counts in found.items() if counts[1]}

    def law(self) -> GroupLaw:
        """What `perturb` draws from."""
        return GroupLaw(self)

    def _rows(
        self, columns: Columns, segment_ids: NDArray[Any], row_ids: Rows, streams: Streams
    ) -> GroupRows:
        return GroupRows.of(
            self.group, self.given, self.cells, columns, segment_ids, row_ids, streams, self.purpose
        )

    def dealt_with(self) -> Marks:
        """The cells that the method can deal with, or that have no numbers at all."""
        return self.method.able(self.cells) | ~self.cells.known.any(axis=1)

    def exchanged_share(self) -> Matrix:
        """How many of the records of every cell, at most, get a number by an exchange with another cell."""
        if EXCHANGE not in self.method.falls_to:
            return np.zeros(self.cells.count)
        exchanging = ~self.dealt_with() & (self.cells.sizes < _LEAST[PERMUTATION]) & can_exchange(self.cells)
        return share_exchanged(self.cells, exchanging)

    def _possible(self, way: int, rows: GroupRows) -> Marks:
        if way == EXCHANGE:
            return can_exchange(self.cells)
        if way == NOISE and (self.alone is None or self.alone.noise == 0):
            return np.zeros(self.cells.count, bool)
        least = {**_LEAST, ROTATION: fewest_to_turn(rows.given), SHUFFLE: fewest_to_shuffle(rows)}
        return np.asarray(self.cells.sizes >= least[way])


def _steady_sums(by_record: bool) -> AbstractContextManager[Any]:
    """One thread for long sums, so that they come out the same with any number of threads."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    return nullcontext() if by_record else threadpool_limits(1, "blas")


def _turned(perturber: GroupPerturber, rows: GroupRows, chosen: Marks, numbers: Matrix) -> Matrix:
    return walked(rows, chosen, _original(rows, chosen, numbers))


def _shuffled(perturber: GroupPerturber, rows: GroupRows, chosen: Marks, numbers: Matrix) -> Matrix:
    return shuffled(rows, chosen, numbers)


def _permuted(perturber: GroupPerturber, rows: GroupRows, chosen: Marks, numbers: Matrix) -> Matrix:
    """Every column dealt out anew on its own."""
    if not chosen.any():
        return numbers
    part, places = rows.taken(chosen)
    layout = part.layout
    dealt = np.empty(part.numbers.shape)
    for j, name in enumerate(part.group.names):
        words = part.streams.words(part.purpose, name, 1, part.row_ids)
        dealt[layout.order, j] = part.numbers[keyed_order(words, part.cell), j]
    out = numbers.copy()
    out[places] = dealt
    return out


def _exchanged(perturber: GroupPerturber, rows: GroupRows, chosen: Marks, numbers: Matrix) -> Matrix:
    return exchanged(rows, chosen, _original(rows, chosen, numbers))


def _noisy(perturber: GroupPerturber, rows: GroupRows, chosen: Marks, numbers: Matrix) -> Matrix:
    """Noise inside the box for a record that has nobody to exchange with."""
    if perturber.alone is None or not chosen.any():
        return numbers
    part, places = rows.taken(chosen)
    segments = part.cells.segment[part.cell]
    new = np.empty(part.numbers.shape)
    for j, (name, inside) in enumerate(zip(part.group.names, part.group.intervals, strict=True)):
        law = perturber.alone.law(name, replace(inside, coarsest=np.inf), part.purpose + " alone")
        drawn = law.sample(part.columns, segments, part.row_ids, part.streams)
        new[:, j] = np.nan_to_num(to_steps(drawn[name], inside.precision))
    out = numbers.copy()
    out[places] = new
    return out


def _kept(perturber: GroupPerturber, rows: GroupRows, chosen: Marks, numbers: Matrix) -> Matrix:
    return _original(rows, chosen, numbers)


def _original(rows: GroupRows, chosen: Marks, numbers: Matrix) -> Matrix:
    """The numbers, with those of the chosen cells as they came."""
    return np.where(chosen[rows.cell][:, None], rows.numbers, numbers) if chosen.any() else numbers


_WAYS = {
    ROTATION: _turned,
    SHUFFLE: _shuffled,
    PERMUTATION: _permuted,
    EXCHANGE: _exchanged,
    NOISE: _noisy,
    KEPT: _kept,
}
