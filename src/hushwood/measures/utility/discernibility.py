"""Discernibility metric DM: what it costs that records of a group cannot be told apart (survey; errata S1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.protocol import Context, Direction, Measurement, NotComputable, Side
from hushwood.measures.risk.equivalence import groups_of, quasi_identifiers, released_groups
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class Discernibility:
    """DM over the square of the number of records: 1/n if all records differ, 1 if none does.

    Every record costs the size of its group, a suppressed or dropped one the size of the table. `k` is the group
    size that C_AVG compares with; without it, the smallest group of the release.
    """

    name: ClassVar[str] = "discernibility"
    question: ClassVar[str] = (
        "From what share of the table can a record not be told apart by its quasi-identifiers?"
    )
    side: ClassVar[Side] = "utility"
    better: ClassVar[Direction] = "lower"
    bounds: ClassVar[tuple[float | None, float | None]] = (0.0, 1.0)
    best: ClassVar[float | None] = None

    k: int | None = None

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Sum of the squares of group sizes, over the square of the number of records."""
        groups = released_groups(released, context.generalised)
        if isinstance(groups, NotComputable):
            return groups
        names = quasi_identifiers(released.schema)
        withheld = _withheld(released, names, context)
        dropped = _dropped(original, released, context)
        records = released.rows + dropped
        sizes = np.bincount(groups.ids[~withheld])
        sizes = sizes[sizes > 0]
        penalty = int((sizes * sizes).sum()) + (int(withheld.sum()) + dropped) * records
        value = penalty / records**2
        if context.value_only:
            return Measurement(value)
        own = groups_of(original, names, {}).sizes if original.rows else np.zeros(0, np.int64)
        details = {
            "quasi_identifiers": list(names),
            "discernibility": penalty,
            "original_discernibility": int((own * own).sum()),
            "groups": len(sizes),
            "suppressed_records": int(withheld.sum()),
            "dropped_records": dropped,
            "c_avg": self._average(sizes),
        }
        return Measurement(value, details)

    def _average(self, sizes: NDArray[np.int64]) -> float | None:
        """C_AVG: records per group, over the group size that was asked for."""
        if not len(sizes):
            return None
        return float(sizes.mean() / (self.k or sizes.min()))


def _withheld(released: Table, names: tuple[str, ...], context: Context) -> NDArray[np.bool_]:
    """Records all of whose quasi-identifiers are suppressed."""
    cells = [context.generalised.get(name) for name in names]
    if any(cell is None for cell in cells):
        return np.zeros(released.rows, bool)
    return np.asarray(np.all([cell.suppressed for cell in cells if cell is not None], axis=0))


def _dropped(original: Table, released: Table, context: Context) -> int:
    """Original records that the release lacks; if rows are not paired, as many as it is shorter by."""
    if context.partner is None:
        return max(original.rows - released.rows, 0)
    return int((context.partner < 0).sum())
