"""L-diversity: how many values the sensitive attribute may have for those whose group is known (Machanavajjhala et
al. 2007), in four readings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.protocol import Context, Direction, Measurement, NotComputable, Side
from hushwood.measures.risk.equivalence import Groups, quasi_identifiers, released_groups
from hushwood.measures.risk.sensitive import Counts, Sensitive, counts_within, sensitive_columns
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class LDiversity:
    """Strong L: one over the share of the most frequent sensitive value, in the group where that is worst.

    `c` is the constant of recursive (c, L)-diversity.
    """

    name: ClassVar[str] = "l_diversity"
    question: ClassVar[str] = (
        "Who knows somebody's quasi-identifiers: between how many values of a sensitive attribute must he guess?"
    )
    side: ClassVar[Side] = "risk"
    better: ClassVar[Direction] = "higher"
    bounds: ClassVar[tuple[float | None, float | None]] = (1.0, None)
    best: ClassVar[float | None] = None

    c: float = 3.0

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Smallest strong L over groups and sensitive attributes; a missing sensitive value counts as a value."""
        groups = released_groups(released, context.generalised)
        if isinstance(groups, NotComputable):
            return groups
        columns = sensitive_columns(released)
        counted = [counts_within(groups.ids, column.codes) for column in columns]
        value = min(float(_strong(counts, groups).min()) for counts in counted)
        if context.value_only:
            return Measurement(value)
        details = {
            "quasi_identifiers": list(quasi_identifiers(released.schema)),
            "groups": len(groups.sizes),
            "c": self.c,
            "attributes": [
                self._described(column, counts, groups)
                for column, counts in zip(columns, counted, strict=True)
            ],
        }
        return Measurement(value, details)

    def _described(self, column: Sensitive, counts: Counts, groups: Groups) -> dict[str, Any]:
        distinct = np.bincount(counts.group)
        certain = distinct == 1
        return {
            "name": column.name,
            "distinct": int(distinct.min()),
            "entropy": float(_entropy(counts, groups).min()),
            "recursive": int(_recursive(counts, self.c).min()),
            "strong": float(_strong(counts, groups).min()),
            "groups_with_one_value": int(certain.sum()),
            "records_with_one_value": int(groups.sizes[certain].sum()),
        }


def _strong(counts: Counts, groups: Groups) -> NDArray[np.float64]:
    """Group size over the count of its most frequent value."""
    return groups.sizes / np.maximum.reduceat(counts.count, counts.starts)


def _entropy(counts: Counts, groups: Groups) -> NDArray[np.float64]:
    """Two to the entropy: as many equally likely values would be as uncertain."""
    share = counts.count / groups.sizes[counts.group]
    # The smallest possible number is 1; rounding may leave a hair less.
    return np.maximum(2.0 ** -np.add.reduceat(share * np.log2(share), counts.starts), 1.0)


def _recursive(counts: Counts, c: float) -> NDArray[np.int64]:
    """Largest L with r1 < c (rL + ... + rm), r the counts in descending order; 0 if not even L = 1."""
    order = np.lexsort((-counts.count, counts.group))
    count, starts = counts.count[order], counts.starts
    ends = np.append(starts[1:], len(count)) - 1
    sums = np.cumsum(count)
    tail = sums[ends][counts.group] - sums + count
    holds = count[starts][counts.group] < c * tail
    return np.add.reduceat(holds.astype(np.int64), starts)
