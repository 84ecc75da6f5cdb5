"""What can be said about a release by counting alone: its segments, and who stands out.

All functions go from arrays to plain numbers; `distributions` has the before and after of each column, the counting
measures are in `measures/risk`, and `document` puts everything together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.category_labels import named_in
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Array, Table, missing_values

# Groups with fewer records than this are called rare or small, and are not shown exactly to outsiders.
SMALL = 5
_SIZE_STEPS = (1, 2, 5)


def schema_facts(table: Table) -> list[dict[str, Any]]:
    """Each column: what it was taken for, its domain, and how many values are missing."""
    return [_column_facts(table, attribute) for attribute in table.schema.attributes]


def segment_facts(segment_ids: NDArray[np.integer]) -> dict[str, Any]:
    """How many segments there are, how large, and how many records sit alone or in small ones."""
    sizes = np.unique(segment_ids, return_counts=True)[1]
    if not len(sizes):
        counts = dict.fromkeys(("count", "alone", "below_small", "median", "smallest", "largest"), 0)
        return counts | {"small": SMALL, "sizes": []}
    limits = np.array(_size_limits(int(sizes.max())))
    band = np.searchsorted(limits, sizes, side="right") - 1
    segments = np.bincount(band, minlength=len(limits))
    records = np.bincount(band, weights=sizes, minlength=len(limits))
    uppers = [*(limits[1:] - 1).tolist(), None]
    return {
        "count": len(sizes),
        "alone": int((sizes == 1).sum()),
        "below_small": int(sizes[sizes < SMALL].sum()),
        "small": SMALL,
        "median": float(np.median(sizes)),
        "smallest": int(sizes.min()),
        "largest": int(sizes.max()),
        "sizes": [
            {"from": int(low), "to": high, "segments": int(s), "records": int(r)}
            for low, high, s, r in zip(limits, uppers, segments, records, strict=True)
        ],
    }


def rare_categories(original: Table, released: Table) -> dict[str, Any]:
    """The categories with fewer than five records, per column, and how many of these records kept theirs."""
    # The values of a class that is cut into groups are numbers, not categories.
    attributes = [a for a in _attributes(original, "categorical") if not a.bins]
    columns = [_rare_in_column(a, original.columns[a.name], released.columns[a.name]) for a in attributes]
    columns = [column for column in columns if column["count"]]
    totals = {key: sum(column[key] for column in columns) for key in ("count", "records", "unchanged")}
    return totals | {"columns": columns}


def unreleased_categories(original: Table, released: Table) -> dict[str, list[str]]:
    """The categories of each column that no released value names, alone or in a group."""
    found: dict[str, list[str]] = {}
    for attribute in _attributes(original, "categorical"):
        codes = released.columns[attribute.name]
        texts = (released.schema[attribute.name].categories[code] for code in np.unique(codes[codes >= 0]))
        named = {name for text in texts for name in named_in(text)}
        gone = [name for name in attribute.categories if name not in named]
        found |= {attribute.name: gone} if gone and not attribute.bins else {}
    return found


def unique_extremes(original: Table, released: Table) -> dict[str, Any]:
    """Lowest and highest values that a single record holds, and how many of these records still have them."""
    values = []
    for attribute in _attributes(original, "numeric"):
        before, after = original.columns[attribute.name], released.columns[attribute.name]
        if not np.isfinite(before).any():
            continue
        for end, value in (("lowest", np.nanmin(before)), ("highest", np.nanmax(before))):
            holders = np.flatnonzero(before == value)
            if len(holders) == 1:
                same = bool(after[holders[0]] == value)
                values.append(
                    {"column": attribute.name, "end": end, "value": float(value), "unchanged": same}
                )
    return {"count": len(values), "unchanged": sum(v["unchanged"] for v in values), "values": values}


def _column_facts(table: Table, attribute: Attribute) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "name": attribute.name,
        "kind": attribute.kind,
        "role": attribute.role,
        "storage": attribute.storage,
        "missing": _missing(table, attribute),
    }
    if attribute.carried:
        return facts
    if attribute.kind == "numeric":
        return facts | {"low": attribute.low, "high": attribute.high, "precision": attribute.precision}
    return facts | {"categories": len(attribute.categories)}


def _missing(table: Table, attribute: Attribute) -> int:
    if attribute.name in table.columns:
        return int(missing_values(table.columns[attribute.name]).sum())
    if attribute.name in table.carried.columns:
        return int(table.carried[attribute.name].null_count())
    return 0


def _attributes(table: Table, kind: str) -> list[Attribute]:
    return [a for a in table.schema.kept if a.kind == kind]


def _rare_in_column(attribute: Attribute, before: Array, after: Array) -> dict[str, Any]:
    size = len(attribute.categories)
    present = before >= 0
    records = np.bincount(before[present], minlength=size)
    kept = np.bincount(before[present & (before == after)], minlength=size)
    rare = np.flatnonzero((records > 0) & (records < SMALL))
    return {
        "column": attribute.name,
        "count": len(rare),
        "records": int(records[rare].sum()),
        "unchanged": int(kept[rare].sum()),
        "categories": [
            {"category": attribute.categories[i], "records": int(records[i]), "unchanged": int(kept[i])}
            for i in rare
        ],
    }


def _size_limits(largest: int) -> list[int]:
    limits = [step * 10**power for power in range(len(str(largest)) + 1) for step in _SIZE_STEPS]
    return [limit for limit in limits if limit <= largest]
