"""t-closeness: how far the sensitive values of a group are from those of the whole table (Li, Li and
Venkatasubramanian 2007)."""

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
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.table import Table

_LIMITS = (0.1, 0.2, 0.3)
# A group at exactly 0.1 is not above it. Sums of shares are off by less than this, and distances that differ at all by
# more, unless groups times records are a thousand million.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class TCloseness(Measure):
    """Largest earth mover's distance between a group's sensitive values and the whole release's."""

    name = "t_closeness"
    title = "Closeness (t)"
    question = "How much does knowing a person's group reveal about a sensitive attribute, at worst?"
    meaning = (
        "0 means that every group has the whole table's mix of sensitive values; 1 means that a group "
        "reveals its members' values."
    )
    side = "risk"
    unit = "number"
    better = "lower"
    bounds = (0.0, 1.0)
    marked = False
    judged_on = "groups"

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Largest distance over groups and sensitive attributes."""
        groups = released_groups(released, context.generalised)
        if isinstance(groups, NotComputable):
            return groups
        columns = sensitive_columns(released)
        distances = [_distances(column, groups) for column in columns]
        value = max(float(found.max(initial=0.0)) for found in distances)
        if context.value_only:
            return Measurement(value)
        details = {
            "quasi_identifiers": list(groups.names),
            "groups": len(groups.sizes),
            "attributes": [
                _described(column, found, groups) for column, found in zip(columns, distances, strict=True)
            ],
        }
        return Measurement(value, details)

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """The distances of every sensitive attribute."""
        if not details:
            return ()
        limits = sorted({limit for a in details["attributes"] for limit in a["records_above"]}, key=float)
        table = DetailTable.of(
            "Closeness of sensitive attributes",
            "Distance of a group's values from the whole table's; lower is better.",
            {
                "Attribute": "text",
                **dict.fromkeys(("largest", "mean"), "number"),
                **dict.fromkeys((f"records above {limit}" for limit in limits), "count"),
            },
            (
                (a["name"], a["largest"], a["mean"], *(a["records_above"].get(limit, 0) for limit in limits))
                for a in details["attributes"]
            ),
        )
        return (table,)


def _described(column: Sensitive, distances: Floats, groups: EqualGroups) -> dict[str, Any]:
    sizes = groups.sizes
    return {
        "name": column.name,
        "distance": "ordered" if column.ordered else "equal",
        "largest": float(distances.max(initial=0.0)),
        "mean": float(np.average(distances, weights=sizes)),
        "records_above": {str(limit): int(sizes[distances > limit + _ROUNDING].sum()) for limit in _LIMITS},
        "missing": int(column.missing.sum()),
    }


def _distances(column: Sensitive, groups: EqualGroups) -> Floats:
    """Distance of every group; a missing category is a value, a missing number has no order and does not count."""
    if not column.ordered:
        return equal_distances(counts_within(groups.ids, column.codes))
    known = ~column.missing
    found = np.zeros(len(groups.sizes))
    if known.any():
        counts = counts_within(groups.ids[known], dense_codes(column.codes[known])[1])
        found[counts.group[counts.starts]] = ordered_distances(counts)
    return found


def equal_distances(counts: Counts) -> Floats:
    """Half the sum of |p - q| over values, for each group that occurs: all values are equally far apart.

    Values that do not occur in a group add q each, and all q sum to one, so only values that occur need be visited.
    """
    starts, group, totals = _groups(counts)
    whole = np.bincount(counts.value, weights=counts.count) / totals.sum()
    q = whole[counts.value]
    gaps = np.asarray(np.abs(counts.count / totals[group] - q) - q)
    return np.clip((1.0 + np.add.reduceat(gaps, starts)) / 2.0, 0.0, 1.0)


def ordered_distances(counts: Counts) -> Floats:
    """Sum of |P - Q| over values in order, P and Q cumulative shares, over the number of values less one.

    P is constant between two values of a group, and Q never falls, so the sum over such a stretch follows from the
    place where Q passes P and from running sums of Q.
    """
    starts, group, totals = _groups(counts)
    last = int(counts.value.max())
    if last == 0:
        return np.zeros(len(starts))
    cumulative = np.cumsum(np.bincount(counts.value, weights=counts.count)) / totals.sum()
    running = np.append(0.0, np.cumsum(cumulative))
    counted = np.cumsum(counts.count) - np.append(0, np.cumsum(totals)[:-1])[group]
    following = np.append(counts.value[1:], last)
    following[np.append(starts[1:], len(group)) - 1] = last
    stretches = _stretch(cumulative, running, counted / totals[group], counts.value, following)
    before = running[counts.value[starts]]
    return np.clip(np.asarray(np.add.reduceat(stretches, starts) + before) / last, 0.0, 1.0)


def _groups(counts: Counts) -> tuple[Integers, Integers, Integers]:
    """Where groups begin, the group of each count numbered from 0 without gaps, and the records of each group."""
    starts = counts.starts
    group = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(counts.count))))
    return starts, group, np.add.reduceat(counts.count, starts)


def _stretch(cumulative: Floats, running: Floats, level: Floats, start: Integers, end: Integers) -> Floats:
    """Sum of |level - Q| over the places from start up to end."""
    passed = np.clip(np.searchsorted(cumulative, level), start, end)
    below = level * (passed - start) - (running[passed] - running[start])
    above = running[end] - running[passed] - level * (end - passed)
    return np.asarray(below + above)
