"""Discernibility metric DM: the cost of records in a group being indistinguishable (survey; errata S1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Flags, Integers
from hushwood.measures.groups import groups_of, released_groups
from hushwood.measures.protocol import Context, Measure, Measurement, NotComputable
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class Discernibility(Measure):
    """DM over the square of the number of records: 1/n if all records differ, 1 if none does.

    Every record costs the size of its group, a suppressed or dropped one the size of the table. C_AVG compares the mean
    group size with `k`, by default the smallest group of the release.
    """

    name = "discernibility"
    title = "Records that look alike"
    question = "On average, what share of the table has the same quasi-identifiers as a record?"
    meaning = (
        "On average, this share of the table has the same quasi-identifiers as a record and cannot be "
        "told from it by them."
    )
    side = "utility"
    unit = "share"
    better = "lower"
    bounds = (0.0, 1.0)
    marked = False
    judged_on = "groups"
    quick = False

    k: int | None = None

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Sum of the squares of group sizes, over the square of the number of records."""
        groups = released_groups(released, context.generalised)
        if isinstance(groups, NotComputable):
            return groups
        withheld = _withheld(released, groups.names, context)
        dropped = _dropped(original, released, context)
        records = released.rows + dropped
        sizes = np.bincount(groups.ids[~withheld])
        sizes = sizes[sizes > 0]
        penalty = int((sizes * sizes).sum()) + (int(withheld.sum()) + dropped) * records
        value = penalty / records**2
        if context.value_only:
            return Measurement(value)
        own = groups_of(original, groups.names, {}).sizes if original.rows else np.zeros(0, np.int64)
        details = {
            "quasi_identifiers": list(groups.names),
            "discernibility": penalty,
            "original_discernibility": int((own * own).sum()),
            "groups": len(sizes),
            "suppressed_records": int(withheld.sum()),
            "dropped_records": dropped,
            "c_avg": self._average(sizes),
        }
        return Measurement(value, details)

    def _average(self, sizes: Integers) -> float | None:
        """C_AVG: records per group, divided by the required group size."""
        if not len(sizes):
            return None
        return float(sizes.mean() / (self.k or sizes.min()))


def _withheld(released: Table, names: tuple[str, ...], context: Context) -> Flags:
    """Records all of whose quasi-identifiers are suppressed."""
    cells = [context.generalised.get(name) for name in names]
    if any(cell is None for cell in cells):
        return np.zeros(released.rows, bool)
    return np.asarray(np.all([cell.suppressed for cell in cells if cell is not None], axis=0))


def _dropped(original: Table, released: Table, context: Context) -> int:
    """Original records without a released partner; if rows are not paired, as many as the release has fewer."""
    if context.partner is None:
        return max(original.rows - released.rows, 0)
    return int((context.partner < 0).sum())
