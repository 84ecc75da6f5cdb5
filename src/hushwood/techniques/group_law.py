"""What is stated about a group technique's draws of one record, in all the ways that its cells may take.

The ways themselves are in `fallbacks`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hushwood.random_streams import Rows, Streams
from hushwood.techniques.cells import Cells, Integers, Marks, Matrix
from hushwood.techniques.number_groups import NumberGroup
from hushwood.techniques.protocol import Columns

if TYPE_CHECKING:
    from hushwood.techniques.fallbacks import GroupPerturber

LAW_RECORDS = 1 << 16  # a law may need a matrix for every record, so it looks at this many at once


@dataclass(frozen=True, slots=True)
class GroupLaw:
    """The law of one record of a group.

    Where the method cannot work, or turns numbers in ways that no formula tells, nothing is claimed but the box: every
    place in it counts the same. So it is for the share of a cell's records that exchange numbers with such cells.
    """

    perturber: GroupPerturber

    @property
    def dependent(self) -> bool:
        """Whether a record's draw depends on other records."""
        return self.perturber.whole_column

    @property
    def independent(self) -> bool:
        """Whether nothing but its segment ties a record's new numbers to its old ones, in all segments."""
        perturber = self.perturber
        return perturber.method.independent and bool(perturber.dealt_with().all())

    @property
    def attributes(self) -> tuple[str, ...]:
        """The columns of the group."""
        return self.perturber.attributes

    def log_prob(self, original: Columns, released: Columns, segment_ids: NDArray[Any]) -> Matrix:
        """The method's law of a record, or the box."""
        found = [np.zeros(0)]
        for begin in range(0, len(segment_ids), LAW_RECORDS):
            here = slice(begin, begin + LAW_RECORDS)
            old, new = ({n: np.asarray(v)[here] for n, v in x.items()} for x in (original, released))
            found.append(self._log_prob(old, new, segment_ids[here]))
        return np.concatenate(found)

    def _log_prob(self, original: Columns, released: Columns, segment_ids: NDArray[Any]) -> Matrix:
        group, cells = self.perturber.group, self.perturber.cells
        if not self.attributes:
            return np.zeros(len(segment_ids))
        cell = cells.of(segment_ids, group.numbers(original))
        stated = self.perturber.method.stated.log_prob(original, released, segment_ids)
        anywhere = _in_the_box(group, cells, cell, group.numbers(released))
        share = np.where(self._claimed(), self.perturber.exchanged_share(), 1.0)[cell]
        with np.errstate(divide="ignore"):
            return np.asarray(np.logaddexp(np.log1p(-share) + stated, np.log(share) + anywhere))

    def _claimed(self) -> Marks:
        cells = self.perturber.cells
        return self.perturber.method.claims(cells) | ~cells.known.any(axis=1)

    def sample(
        self, original: Columns, segment_ids: NDArray[Any], row_ids: Rows, streams: Streams
    ) -> Columns:
        """The perturber's own draws: they need all records."""
        return self.perturber.perturb(original, segment_ids, row_ids, streams)

    def described(self) -> dict[str, Any]:
        """The method's law, and the segments in which only the box is claimed."""
        cells = self.perturber.cells
        others = np.unique(cells.segment[~self._claimed()])
        return {
            **self.perturber.method.stated.described(),
            "dependent": self.dependent,
            "only_the_box": others.tolist(),
        }


def _in_the_box(group: NumberGroup, cells: Cells, cell: Integers, numbers: Matrix) -> Matrix:
    """Log density of the even law in every record's box; -inf outside."""
    segment, known = cells.segment[cell], cells.known[cell]
    low, high = group.low[segment], group.high[segment]
    width = high - low + group.decimal
    fits = ((numbers >= low) & (numbers <= high)) == known
    with np.errstate(invalid="ignore"):
        each = np.where(known & (width > 0), -np.log(np.where(width > 0, width, 1.0)), 0.0)
    return np.where(fits.all(axis=1), each.sum(axis=1), -np.inf)
