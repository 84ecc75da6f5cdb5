"""What can be said about a release by counting alone: who stands out, what stayed, which classes moved.

All functions go from arrays to plain numbers; `distributions` has the before and after of each column, and
`document` puts everything together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.schema import Attribute
from hushwood.tables.table import Array, Table

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


def unchanged_cells(original: Table, released: Table, columns: Sequence[str]) -> dict[str, Any]:
    """The measure `unchanged_cells`: the share of cells in the perturbed columns that left as they came.

    A missing number stays missing by design and is counted apart; a missing category is a value like others.
    `by_chance` is what shuffling the whole column would leave in place on average: the sum of squared shares.
    """
    found = [_unchanged_column(original, released, name) for name in columns]
    cells = sum(column["cells"] for column in found)
    unchanged = sum(column["unchanged"] for column in found)
    chance = sum(column["by_chance"] * column["cells"] for column in found)
    return {
        "name": "unchanged_cells",
        "value": unchanged / cells if cells else 0.0,
        "better": "lower",
        "bounds": [0.0, 1.0],
        "details": {
            "cells": cells,
            "unchanged": unchanged,
            "untouched_table": 1.0,
            "by_chance": chance / cells if cells else 0.0,
            "columns": found,
        },
    }


def rare_categories(original: Table, released: Table) -> dict[str, Any]:
    """The categories with fewer than five records, per column, and how many of these records kept theirs."""
    # The values of a class that is cut into groups are numbers, not categories.
    attributes = [a for a in _kept_attributes(original, "categorical") if not a.bins]
    columns = [_rare_in_column(a, original.columns[a.name], released.columns[a.name]) for a in attributes]
    columns = [column for column in columns if column["count"]]
    totals = {key: sum(column[key] for column in columns) for key in ("count", "records", "unchanged")}
    return totals | {"columns": columns}


def unique_extremes(original: Table, released: Table) -> dict[str, Any]:
    """Lowest and highest values that a single record holds, and how many of these records still have them."""
    values = []
    for attribute in _kept_attributes(original, "numeric"):
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


def changed_classes(original: Array, released: Array, segment_ids: NDArray[np.integer]) -> dict[str, Any]:
    """The measure `changed_classes`: records whose class moved, against E(N) of a shuffle within segments.

    E(N) is the sum over segments of N − Σ n_c²/N (errata A6). Its spread is Hoeffding's variance of a
    permutation statistic, (S − 2T/N + S²/N²)/(N − 1) with S = Σ n_c², T = Σ n_c³. A missing class is a class.
    """
    rows = len(original)
    changed = int((original != released).sum())
    expected, variance = _shuffle_moments(original, segment_ids) if rows else (0.0, 0.0)
    return {
        "name": "changed_classes",
        "value": changed / rows if rows else 0.0,
        "better": "higher",
        "bounds": [0.0, 1.0],
        "details": {
            "changed": changed,
            "records": rows,
            "expected": expected,
            "deviation": variance**0.5,
            "untouched_table": 0,
        },
    }


def perturbed_columns(plan: Sequence[Mapping[str, Any]], table: Table) -> list[str]:
    """The columns that some technique of the plan was to change, in table order."""
    planned = {name for entry in plan for name in entry["columns"]}
    return [name for name in table.schema.names if name in planned and name in table.columns]


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
        return int(_is_missing(table.columns[attribute.name]).sum())
    if attribute.name in table.carried.columns:
        return int(table.carried[attribute.name].null_count())
    return 0


def _is_missing(values: Array) -> NDArray[np.bool_]:
    return np.isnan(values) if values.dtype.kind == "f" else np.asarray(values < 0)


def _kept_attributes(table: Table, kind: str) -> list[Attribute]:
    return [a for a in table.schema.attributes if a.kind == kind and a.name in table.columns]


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


def _unchanged_column(original: Table, released: Table, name: str) -> dict[str, Any]:
    before, after = original.columns[name], released.columns[name]
    numeric = before.dtype.kind == "f"
    gone = _is_missing(before)
    cells = len(before) - int(gone.sum()) if numeric else len(before)
    unchanged = int((before == after).sum())
    repeats = np.unique(before[~gone] if numeric else before, return_counts=True)[1]
    return {
        "column": name,
        "cells": cells,
        "unchanged": unchanged,
        "share": unchanged / cells if cells else 0.0,
        "by_chance": float(((repeats / cells) ** 2).sum()) if cells else 0.0,
        "missing_kept": int((gone & _is_missing(after)).sum()) if numeric else 0,
    }


def _shuffle_moments(classes: Array, segment_ids: NDArray[np.integer]) -> tuple[float, float]:
    codes = classes.astype(np.int64) + 1
    width = int(codes.max()) + 1
    segment = np.unique(segment_ids, return_inverse=True)[1].astype(np.int64)
    pairs, counts = np.unique(segment * width + codes, return_counts=True)
    owner, counts = pairs // width, counts.astype(np.float64)
    size = np.bincount(owner, weights=counts)
    squares = np.bincount(owner, weights=counts**2)
    cubes = np.bincount(owner, weights=counts**3)
    spread = squares - 2 * cubes / size + (squares / size) ** 2
    variance = np.where(size > 1, spread / np.maximum(size - 1, 1), 0.0)
    return float((size - squares / size).sum()), float(np.maximum(variance, 0.0).sum())
