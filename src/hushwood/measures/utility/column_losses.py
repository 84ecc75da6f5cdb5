"""How much of its attribute's domain each cell of a released column leaves open.

`generalisation_loss` sums it up over columns; how many taxonomy levels that is, is in `levels_climbed`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.domains import whole_domain
from hushwood.tables.generalised import Generalised
from hushwood.tables.schema import Attribute
from hushwood.tables.table import missing_values

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ColumnLoss:
    """The loss of one column.

    `open` is the LM of every cell that can be read: 0 for one value, 1 for the whole domain. `most` is the ILoss of
    the whole domain, so that ILoss is LM times `most`. `newly_missing` cells are missing beyond the original's
    share, `unknown` ones hold texts that stand for nothing known and are left out.
    """

    open: Floats
    most: float
    suppressed: int
    newly_missing: int
    unknown: int

    @property
    def cells(self) -> int:
        """Cells that the means are taken over."""
        return len(self.open) + self.newly_missing

    @property
    def lm(self) -> float:
        """Mean LM; a value that went missing is as open as a suppressed one."""
        lost = float(self.open.sum()) + (self.newly_missing if self.most > 0 else 0)
        return lost / self.cells if self.cells else 0.0

    @property
    def iloss(self) -> float:
        """Mean ILoss, without a weight."""
        return self.lm * self.most


def column_loss(
    attribute: Attribute, original: NDArray[Any], released: NDArray[Any], cells: Generalised | None
) -> ColumnLoss:
    """Read one column of both tables; without `cells` every released cell stands for itself."""
    known = ~missing_values(released)
    gone = _newly_missing(~known, missing_values(original))
    hidden = 0 if cells is None else int((cells.suppressed & known).sum())
    if attribute.kind == "numeric":
        return ColumnLoss(_numeric(attribute, known, cells), _most_numeric(attribute), hidden, gone, 0)
    covers = None if cells is None else cells.covers
    if covers is None:
        size = len(attribute.categories)
        return ColumnLoss(np.zeros(int(known.sum())), _most(size), hidden, gone, 0)
    covered = covers.sum(axis=1)[released[known]]
    read, size = covered[covered > 0], covers.shape[1]
    return ColumnLoss((read - 1) / max(size - 1, 1), _most(size), hidden, gone, len(covered) - len(read))


def _newly_missing(released: NDArray[np.bool_], original: NDArray[np.bool_]) -> int:
    """Missing cells beyond the original's share: noise may move missing values about, suppression adds some."""
    expected = float(original.mean()) * len(released) if len(original) else 0.0
    return max(int(released.sum()) - int(np.ceil(expected - 1e-9)), 0)


def _numeric(attribute: Attribute, known: NDArray[np.bool_], cells: Generalised | None) -> Floats:
    """(U - L) / (max - min), for the part of the interval inside the domain (errata S7)."""
    low, high = attribute.low or 0.0, attribute.high or 0.0
    if cells is None or cells.low is None or cells.high is None or high <= low:
        return np.zeros(int(known.sum()))
    width = np.clip(cells.high[known], low, high) - np.clip(cells.low[known], low, high)
    return width / (high - low)


def _most_numeric(attribute: Attribute) -> float:
    """On a grid the domain is a number of values, on reals a range."""
    if attribute.low is None or attribute.high is None or attribute.high <= attribute.low:
        return 0.0
    return _most(float(whole_domain(attribute).width[0])) if attribute.precision is not None else 1.0


def _most(size: float) -> float:
    return (size - 1) / size if size > 0 else 0.0
