"""A technique's own method for the cells of a group of numbers, the fallbacks for the other cells, and the rounding."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers, one_thread
from hushwood.random_streams import Rows, Streams
from hushwood.techniques.blurring.blur import Blur
from hushwood.techniques.laws.group_law import GroupLaw
from hushwood.techniques.laws.noise import NoiseParameters
from hushwood.techniques.protocol import Columns, Law
from hushwood.techniques.together import fallbacks
from hushwood.techniques.together.cells import Cells, NumberGroup
from hushwood.techniques.together.copula import order_in_cells
from hushwood.techniques.together.group_rows import Given, GroupRows


class RecordLaw(Protocol):
    """The law of one record's numbers; all of the draw if records do not depend on each other."""

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """Natural logarithm of the probability (density) of every released record."""

    def described(self) -> dict[str, Any]:
        """The law's parameters as plain data."""


class Method(Protocol):
    """How a technique draws the numbers of the cells that it can handle."""

    @property
    def by_record(self) -> bool:
        """Whether a record's draw depends on no other record of its chunk."""

    @property
    def independent(self) -> bool:
        """Whether a record's draw depends on its cell and the given columns alone, not on its own numbers."""

    @property
    def copies(self) -> bool:
        """Whether it hands out the numbers of the table instead of drawing new ones."""

    @property
    def falls_to(self) -> tuple[fallbacks.Fallback, ...]:
        """The fallbacks for the other cells, in order."""

    def able(self, cells: Cells) -> Flags:
        """The cells that it can handle, judged by their sizes."""

    def claims(self, cells: Cells) -> Flags:
        """The cells for which it states more than the box."""

    def drawn(self, rows: GroupRows, able: Flags) -> tuple[Floats, Flags]:
        """New numbers of the records in able cells, and the cells in which they fit."""

    @property
    def stated(self) -> RecordLaw:
        """What it draws from; for one record alone, where records depend on each other."""


class DrawnLaw(Law, Protocol):
    """A law of a group that draws numbers before they are released."""

    @property
    def independent(self) -> bool:
        """Whether a record's own numbers play no part."""

    def drawn(self, rows: GroupRows) -> Floats:
        """New numbers of every record, in steps."""


@dataclass(frozen=True, slots=True)
class RecordDraws:
    """The method of GADP, C-GADP and correlated noise: each record is drawn from its law, without the others.

    Cells without `spare` records more than columns are left to the fallbacks.
    """

    stated: DrawnLaw
    spare: int | None = 2
    by_record: bool = True
    copies: bool = False
    falls_to: tuple[fallbacks.Fallback, ...] = (
        fallbacks.ROTATION,
        fallbacks.SHUFFLE,
        fallbacks.PERMUTATION,
        fallbacks.NOISE,
        fallbacks.KEPT,
    )

    @property
    def independent(self) -> bool:
        return self.stated.independent

    def able(self, cells: Cells) -> Flags:
        """Cells with enough records; all without `spare`."""
        return np.ones(cells.count, bool) if self.spare is None else enough_records(cells, self.spare)

    def claims(self, cells: Cells) -> Flags:
        return self.able(cells)

    def drawn(self, rows: GroupRows, able: Flags) -> tuple[Floats, Flags]:
        return self.stated.drawn(rows), np.ones(rows.cells.count, bool)


def enough_records(cells: Cells, spare: int) -> Flags:
    """Cells with `spare` records more than columns: their covariances are not singular by chance."""
    return np.asarray(cells.sizes >= cells.known.sum(axis=1) + spare)


@dataclass(frozen=True, slots=True)
class GroupPerturber:
    """A method for the cells that it can handle, and fallbacks for the others; `alone` is the noise of the last.

    Numbers that are not `bounded` may leave their box, and even the column's domain. Numbers of the table that are
    handed out are blurred, if there is a `blur`. `ways_drawn` keeps the way that each cell took in the latest draw of
    all records.
    """

    group: NumberGroup
    given: Given
    cells: Cells
    method: Method
    purpose: str
    alone: NoiseParameters | None
    bounded: bool = True
    blur: Blur | None = None
    ways_drawn: list[Integers] = field(default_factory=list, repr=False, compare=False)

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.group.names

    @property
    def whole_column(self) -> bool:
        """Only draws of single records can take any chunk."""
        return not (self.method.by_record and bool(self.handled().all()))

    def covers(self, attribute: str) -> Flags | None:
        """All segments."""
        return None

    def perturb(self, columns: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """New numbers of the group, on their grids."""
        if not self.attributes:
            return {}
        rows = GroupRows.of(self, columns, segment_ids, row_ids, streams)
        numbers, way = self.drawn(rows)
        copied = np.isin(way, fallbacks.COPYING) | ((way == fallbacks.OWN) & self.method.copies)
        if self.whole_column:
            numbers = balanced(rows, numbers, copied)
        columns = rows.released(numbers, self.bounded)
        # Where cells exchange numbers, one that was drawn may have got a number of the table too.
        handed_out = (copied | self.method.copies)[rows.cell]
        return columns if self.blur is None else _blurred(rows, columns, handed_out, self.blur)

    def drawn(self, rows: GroupRows) -> tuple[Floats, Integers]:
        """The numbers before they are rounded, and the way that every cell took."""
        if not self.attributes:
            return rows.numbers, np.full(self.cells.count, fallbacks.OWN)
        able = self.handled()
        # One thread for long sums, so that they come out the same with any number of threads.
        with nullcontext() if self.method.by_record else one_thread("blas"):
            numbers, fits = self.method.drawn(rows, able)
        way = np.where(able & fits, fallbacks.OWN, -1)
        for next_way in self.method.falls_to:
            way[(way < 0) & fallbacks.can_take(next_way, rows, self.alone)] = next_way
        self.ways_drawn[:] = [way]
        # Exchanges come last, because they take from records that went other ways.
        for next_way in sorted(self.method.falls_to, key=fallbacks.EXCHANGE.__eq__):
            numbers = fallbacks.take(next_way, rows, way == next_way, numbers, self.alone)
        return numbers, way

    def ways(self) -> Mapping[str, tuple[int, int]]:
        """How many segments and records took each way in the draw; segments with missing values may take several."""
        chunked = not self.whole_column or not self.attributes
        way = np.full(self.cells.count, fallbacks.OWN) if chunked else self.ways_drawn[0]
        any_known = self.cells.known.any(axis=1)
        found = {}
        for one in fallbacks.Fallback:
            here = (way == one) & any_known
            found[one.name.lower()] = (
                len(np.unique(self.cells.segment[here])),
                int(self.cells.sizes[here].sum()),
            )
        return {name: counts for name, counts in found.items() if counts[1]}

    def law(self) -> GroupLaw:
        return GroupLaw(self)

    def handled(self) -> Flags:
        """The cells that the method can handle, or that have no numbers at all."""
        return self.method.able(self.cells) | ~self.cells.known.any(axis=1)

    def exchanged_share(self) -> Floats:
        """At most what share of every cell's records get a number by an exchange with another cell."""
        if fallbacks.EXCHANGE not in self.method.falls_to:
            return np.zeros(self.cells.count)
        return fallbacks.exchanged_share(self.cells, ~self.handled())


def _blurred(rows: GroupRows, columns: dict[str, Floats], handed_out: Flags, blur: Blur) -> Columns:
    """The columns, blurred in the records to which numbers of the table were handed out."""
    here = np.flatnonzero(handed_out)
    segments, row_ids = rows.cells.segment[rows.cell[here]], rows.ids_of(here)
    for name, values in columns.items():
        values[here] = blur.drawn(name, values[here], segments, row_ids, rows.streams)
    return columns


def balanced(rows: GroupRows, numbers: Floats, copied: Flags) -> Floats:
    """The numbers, on the grids of their boxes, with every cell's totals kept to half a step.

    Plain rounding moves the mean of a cell, most of all at the end of a box, where all numbers are rounded inwards; so
    the numbers nearest to the next step go the other way. Cells that hand out `copied` numbers keep them unchanged.
    """
    out = numbers.copy()
    group, segment = rows.group, rows.cells.segment
    first, last, step = group.first[segment], group.last[segment], group.step[segment]
    start = rows.layout.start
    for j in range(len(group.names)):
        # In steps from the first grid point: far from zero sums of the numbers themselves would lose the steps.
        unit, lowest = step[rows.cell, j], first[rows.cell, j]
        place, highest = (numbers[:, j] - lowest) / unit, (last[rows.cell, j] - lowest) / unit
        rounded = np.clip(np.rint(place), 0.0, highest)
        lost = place - rounded
        steps = np.rint(np.bincount(rows.cell, lost, minlength=rows.cells.count))
        if steps.any():
            way = np.sign(steps)[rows.cell]
            free = (rounded + way >= 0) & (rounded + way <= highest) & (way != 0)
            order = order_in_cells(np.where(free, -way * lost, np.inf), rows.cell, rows.cells.count)
            turn = np.empty(len(order), np.int64)
            turn[order] = np.arange(len(order)) - start[rows.cell[order]]
            rounded += np.where(free & (turn < np.abs(steps)[rows.cell]), way, 0.0)
        fitted = lowest + rounded * unit
        out[:, j] = fitted if group.decimal[j] else np.where(copied[rows.cell], out[:, j], fitted)
    return out
