"""K-anonymity: how many records share the quasi-identifiers of the most exposed one (Samarati and Sweeney)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.protocol import Context, Direction, Measurement, NotComputable, Side
from hushwood.measures.risk.equivalence import Groups, groups_of, quasi_identifiers, released_groups
from hushwood.tables.table import Table

_BELOW = (2, 3, 5, 10)
_SIZES = (1, 2, 3, 4, 5, 10, 20, 50, 100, 1000)


@dataclass(frozen=True, slots=True)
class KAnonymity:
    """Size of the smallest group of records that are alike in all quasi-identifiers."""

    name: ClassVar[str] = "k_anonymity"
    question: ClassVar[str] = "How many released records share the quasi-identifiers of the most exposed one?"
    side: ClassVar[Side] = "risk"
    better: ClassVar[Direction] = "higher"
    bounds: ClassVar[tuple[float | None, float | None]] = (1.0, None)
    best: ClassVar[float | None] = None

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Smallest group of the release."""
        groups = released_groups(released, context.generalised)
        if isinstance(groups, NotComputable):
            return groups
        value = float(groups.sizes.min())
        if context.value_only:
            return Measurement(value)
        names = quasi_identifiers(original.schema)
        own = groups_of(original, names, {}).sizes if original.rows else None
        details = {
            "quasi_identifiers": list(names),
            "groups": len(groups.sizes),
            "average_group": released.rows / len(groups.sizes),
            "records_below": {str(k): _records_below(groups.sizes, k) for k in _BELOW},
            "group_sizes": _histogram(groups.sizes),
            "original_k": None if own is None else int(own.min()),
        }
        return Measurement(value, details, _of_records(groups, context.partner))


def _records_below(sizes: NDArray[np.int64], k: int) -> int:
    return int(sizes[sizes < k].sum())


def _histogram(sizes: NDArray[np.int64]) -> list[dict[str, Any]]:
    """Groups and records by the size of the group; `to` is None in the last row."""
    limits = [*pairwise(_SIZES), (_SIZES[-1], None)]
    rows = []
    for start, after in limits:
        held = sizes[(sizes >= start) & (sizes < (after or np.inf))]
        rows.append(
            {"from": start, "to": after and after - 1, "groups": len(held), "records": int(held.sum())}
        )
    return rows


def _of_records(groups: Groups, partner: NDArray[np.int64] | None) -> dict[str, NDArray[np.float64]]:
    """Group size of every original record's partner."""
    if partner is None:
        return {}
    sizes = groups.sizes[groups.ids].astype(np.float64)
    return {"group_size": np.where(partner >= 0, sizes[partner], np.nan)}
