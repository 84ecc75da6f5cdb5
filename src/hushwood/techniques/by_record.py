"""Group methods whose draws know their record alone: GADP, C-GADP and correlated noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from hushwood.techniques.cells import Cells, Marks, Matrix
from hushwood.techniques.fallbacks import KEPT, NOISE, PERMUTATION, ROTATION, SHUFFLE
from hushwood.techniques.group_rows import GroupRows
from hushwood.techniques.protocol import Law


class DrawnLaw(Law, Protocol):
    """A law of a group that draws numbers before they are released."""

    @property
    def independent(self) -> bool:
        """Whether a record's own numbers play no part."""

    def drawn(self, rows: GroupRows) -> Matrix:
        """New numbers of every record, in steps."""


@dataclass(frozen=True, slots=True)
class ByRecord:
    """Draws from a law; cells without `spare` records more than columns are left to the other ways."""

    stated: DrawnLaw
    spare: int | None = 2
    by_record: bool = True
    copies: bool = False
    falls_to: tuple[int, ...] = (ROTATION, SHUFFLE, PERMUTATION, NOISE, KEPT)

    @property
    def independent(self) -> bool:
        """Whether a record's own numbers play no part."""
        return self.stated.independent

    def able(self, cells: Cells) -> Marks:
        """Cells with enough records; all without `spare`."""
        return np.ones(cells.count, bool) if self.spare is None else enough_records(cells, self.spare)

    def claims(self, cells: Cells) -> Marks:
        """All cells that it can deal with."""
        return self.able(cells)

    def drawn(self, rows: GroupRows, able: Marks) -> tuple[Matrix, Marks]:
        """One draw of every record."""
        return self.stated.drawn(rows), np.ones(rows.cells.count, bool)


def enough_records(cells: Cells, spare: int) -> Marks:
    """Cells with `spare` records more than columns: their covariances are not singular by chance."""
    return np.asarray(cells.sizes >= cells.known.sum(axis=1) + spare)
