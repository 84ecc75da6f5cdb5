"""K-anonymity: how many records share the quasi-identifiers of the most exposed one (Samarati and Sweeney)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.detail_tables import DetailTable
from hushwood.measures.groups import EqualGroups, groups_of, released_groups
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.tables.table import Table

_BELOW = (2, 3, 5, 10)
_SIZES = (1, 2, 3, 4, 5, 10, 20, 50, 100, 1000)


@dataclass(frozen=True, slots=True)
class KAnonymity(Measure):
    """Size of the smallest group of records with the same quasi-identifiers."""

    name = "k_anonymity"
    title = "Smallest group (k)"
    question = "How many released records share the quasi-identifiers of the most exposed record?"
    meaning = "Every combination of quasi-identifiers in the release is shared by at least this many records."
    side = "risk"
    unit = "records"
    better = "higher"
    bounds = (1.0, None)
    headline = 4
    marked = False
    judged_on = "groups"

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Smallest group of the release."""
        groups = released_groups(released, context.generalised)
        if isinstance(groups, NotComputable):
            return groups
        value = float(groups.sizes.min())
        if context.value_only:
            return Measurement(value)
        own = groups_of(original, groups.names, {}).sizes if original.rows else None
        details = {
            "quasi_identifiers": list(groups.names),
            "groups": len(groups.sizes),
            "average_group": released.rows / len(groups.sizes),
            "records_below": {str(k): int(groups.sizes[groups.sizes < k].sum()) for k in _BELOW},
            "group_sizes": _histogram(groups.sizes),
            "original_k": None if own is None else int(own.min()),
        }
        return Measurement(value, details, _of_records(groups, context.partner))

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """Groups and records by the size of the group."""
        if not details:
            return ()
        table = DetailTable.of(
            "Groups that share all quasi-identifiers",
            f"By {', '.join(details['quasi_identifiers'])}. Records in small groups are exposed.",
            {"Records in the group": "band", "groups": "count", "records": "count"},
            (
                ((row["from"], row["to"]), row["groups"], row["records"])
                for row in details["group_sizes"]
                if row["groups"]
            ),
        )
        return (table,)


def _histogram(sizes: Integers) -> list[dict[str, Any]]:
    """Groups and records by the size of the group; `to` is None in the last row."""
    limits = [*pairwise(_SIZES), (_SIZES[-1], None)]
    rows = []
    for start, after in limits:
        held = sizes[(sizes >= start) & (sizes < (after or np.inf))]
        rows.append(
            {"from": start, "to": after and after - 1, "groups": len(held), "records": int(held.sum())}
        )
    return rows


def _of_records(groups: EqualGroups, partner: Integers | None) -> dict[str, Floats]:
    """The group size of every original record's partner."""
    if partner is None:
        return {}
    sizes = groups.sizes[groups.ids].astype(np.float64)
    return {"group_size": np.where(partner >= 0, sizes[partner], np.nan)}
