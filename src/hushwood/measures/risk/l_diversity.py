"""L-diversity: how many values a sensitive attribute may have for a person whose group is known (Machanavajjhala et al.
2007), in four readings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.detail_tables import DetailTable
from hushwood.measures.groups import (
    Counts,
    EqualGroups,
    Sensitive,
    counts_within,
    released_groups,
    sensitive_columns,
)
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class LDiversity(Measure):
    """Strong L: one over the share of the most frequent sensitive value, in the worst group.

    `c` is the constant of recursive (c, L)-diversity.
    """

    name = "l_diversity"
    title = "Diversity (l)"
    question = (
        "Knowing a person's quasi-identifiers, between how many values of a sensitive attribute must an "
        "intruder guess?"
    )
    meaning = "In the worst group, guessing the most frequent sensitive value is right one time in this many."
    side = "risk"
    unit = "number"
    better = "higher"
    bounds = (1.0, None)
    marked = False
    judged_on = "groups"

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
            "quasi_identifiers": list(groups.names),
            "groups": len(groups.sizes),
            "c": self.c,
            "attributes": [
                self._described(column, counts, groups)
                for column, counts in zip(columns, counted, strict=True)
            ],
        }
        return Measurement(value, details)

    def _described(self, column: Sensitive, counts: Counts, groups: EqualGroups) -> dict[str, Any]:
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

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """The four readings, for every sensitive attribute."""
        if not details:
            return ()
        readings = ("distinct", "entropy", "recursive", "strong")
        table = DetailTable.of(
            "Diversity of sensitive attributes, in the worst group",
            "Higher is better; 1 means that all members of some group have the same value, so that knowing the group "
            f"reveals it. Recursive diversity is for c = {details['c']:g}.",
            {
                "Attribute": "text",
                **dict.fromkeys(readings, "number"),
                "records whose value is revealed": "count",
            },
            (
                (a["name"], *(a[reading] for reading in readings), a["records_with_one_value"])
                for a in details["attributes"]
            ),
        )
        return (table,)


def _strong(counts: Counts, groups: EqualGroups) -> Floats:
    """Group size over the count of its most frequent value."""
    return groups.sizes / np.maximum.reduceat(counts.count, counts.starts)


def _entropy(counts: Counts, groups: EqualGroups) -> Floats:
    """Two to the power of the entropy: this many equally likely values would be as uncertain."""
    share = counts.count / groups.sizes[counts.group]
    # The smallest possible number is 1; rounding may give slightly less.
    return np.maximum(2.0 ** -np.add.reduceat(share * np.log2(share), counts.starts), 1.0)


def _recursive(counts: Counts, c: float) -> Integers:
    """Largest L with r1 < c (rL + ... + rm), r the counts in descending order; 0 if not even L = 1."""
    order = np.lexsort((-counts.count, counts.group))
    count, starts = counts.count[order], counts.starts
    ends = np.append(starts[1:], len(count)) - 1
    sums = np.cumsum(count)
    tail = sums[ends][counts.group] - sums + count
    holds = count[starts][counts.group] < c * tail
    return np.add.reduceat(holds.astype(np.int64), starts)
