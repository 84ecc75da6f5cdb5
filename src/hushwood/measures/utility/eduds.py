"""EDUDS: how similar the boxes are in which the two forests place every record (FF paper, 4).

A record's box is the intersection of its leaves in all trees of a forest, as `segments` finds it; nothing is averaged
over trees. Readings of the paper's equations: errata G1 to G3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Flags, Floats, Integers
from hushwood.measures.models.rule_matching import NO_RULE
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.segments.partition import combine, intersections
from hushwood.segments.segments import Segments
from hushwood.tables.domains import whole_domain
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest

QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)


@dataclass(frozen=True, slots=True)
class Eduds(Measure):
    """Mean similarity of the sub-domains of every original record in the two forests (equation 3)."""

    name = "eduds"
    title = "Same ranges (EDUDS)"
    question = "Do the rules of both forests place every record in the same ranges of values?"
    meaning = (
        "1 means that forests grown on both tables place every record in exactly the same ranges of values."
    )
    about = "rules"
    side = "utility"
    unit = "number"
    better = "higher"
    bounds = (0.0, 1.0)
    best = 1.0
    headline = 6

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Route the original's records through both forests and compare their boxes."""
        refused = context.nothing_to_learn()
        if refused is not None:
            return refused
        if not original.rows:
            return NotComputable("The original table has no records.")
        before, after = context.original_grown, context.released_grown
        found = _compare(original, before.forest, after.forest, context.threads)
        value = float(found.similarity.mean())
        if context.value_only:
            return Measurement(value)
        one_tree = _compare(original, before.tree, after.tree, context.threads)
        details = {
            **_summary(found),
            "attributes": _by_attribute(original, found),
            "trees": {"original": len(before.forest.trees), "released": len(after.forest.trees)},
            "intersections": {"original": found.boxes[0], "released": found.boxes[1]},
            "one_tree": float(one_tree.similarity.mean()),
        }
        return Measurement(value, details)

    def says_nothing(self, details: Details) -> str:
        """One box holds every record if there is no rule."""
        return NO_RULE if details.get("intersections", {}).get("original") == 1 else ""


@dataclass(frozen=True, slots=True)
class _ComparedBoxes:
    """Similarity of every record; per attribute the difference of every pair of boxes (NaN: discounted), and how many
    records are in each pair."""

    similarity: Floats
    differences: Floats
    records: Integers
    boxes: tuple[int, int]


def _compare(table: Table, before: Forest, after: Forest, threads: int) -> _ComparedBoxes:
    """Compare each pair of boxes that some record is in, once."""
    one, other = (intersections(table, forest, threads) for forest in (before, after))
    pair_of_each, members = combine([one.ids, other.ids])
    inputs = table.schema.inputs
    differences = np.stack([_difference(a, one, other, members) for a in inputs])
    counted = ~np.isnan(differences)
    number = counted.sum(axis=0)
    tested = np.any([_tested(a.name, one, other, members) for a in inputs], axis=(0, 1))
    # Boxes without any test are the same; a test of a column that is constant in the original has no size to compare.
    similarity = np.where(tested, 0.0, 1.0)
    total = np.where(counted, differences, 0.0).sum(axis=0)
    np.divide(number - total, number, out=similarity, where=number > 0)
    records = np.bincount(pair_of_each, minlength=members.shape[1])
    return _ComparedBoxes(similarity[pair_of_each], differences, records, (one.count, other.count))


def _tested(name: str, one: Segments, other: Segments, members: Integers) -> Flags:
    """Whether each side's rules test the attribute, as [side, pair]."""
    return np.stack([one.influential[name][members[0]], other.influential[name][members[1]]])


def _difference(attribute: Attribute, one: Segments, other: Segments, members: Integers) -> Floats:
    """Diff of equations 1 and 2 for every pair of boxes; NaN where neither tests the attribute."""
    tested = _tested(attribute.name, one, other, members)
    if attribute.kind == "numeric":
        difference = _numeric_difference(attribute, one, other, members)
    else:
        difference = np.where(tested.all(axis=0), _set_distance(attribute.name, one, other, members), 1.0)
    return np.where(tested.any(axis=0), difference, np.nan)


def _numeric_difference(attribute: Attribute, one: Segments, other: Segments, members: Integers) -> Floats:
    domain = whole_domain(attribute)
    smallest, largest = float(domain.low[0]), float(domain.high[0])
    if largest <= smallest:
        return np.full(members.shape[1], np.nan)
    moved = np.zeros(members.shape[1])
    for end in ("low", "high"):
        first, second = (
            np.clip(getattr(side.intervals[attribute.name], end), smallest, largest)[of_pair]
            for side, of_pair in zip((one, other), members, strict=True)
        )
        moved += np.abs(first - second)
    # A record with a value lies in both boxes, and 1 is the limit; without one the boxes may lie far apart.
    return np.asarray(np.minimum(moved / (largest - smallest), 1.0))


def _set_distance(name: str, one: Segments, other: Segments, members: Integers) -> Floats:
    """Jaccard distance of the category sets of every pair of boxes; whether missing values fit does not count."""
    first, second = (side.allowed[name].sets[:, :-1].astype(np.float64) for side in (one, other))
    common = first @ second.T
    together = first.sum(axis=1)[:, None] + second.sum(axis=1) - common
    distance = 1.0 - np.divide(common, together, out=np.ones_like(common), where=together > 0)
    return np.asarray(
        distance[one.allowed[name].of_segment[members[0]], other.allowed[name].of_segment[members[1]]]
    )


def _summary(found: _ComparedBoxes) -> dict[str, Any]:
    quantiles = np.quantile(found.similarity, QUANTILES).tolist()
    return {
        "records": len(found.similarity),
        "deviation": float(found.similarity.std()),
        "identical": float((found.similarity == 1.0).mean()),
        "quantiles": [
            {"share": share, "similarity": value} for share, value in zip(QUANTILES, quantiles, strict=True)
        ],
    }


def _by_attribute(table: Table, found: _ComparedBoxes) -> list[dict[str, Any]]:
    """Mean difference of every attribute over the records for which it counts, and their share."""
    rows = []
    for attribute, differences in zip(table.schema.inputs, found.differences, strict=True):
        counts = np.where(np.isnan(differences), 0, found.records)
        weight = int(counts.sum())
        mean = float(np.nansum(differences * found.records)) / weight if weight else None
        rows.append({"name": attribute.name, "difference": mean, "counted": weight / table.rows})
    return rows
