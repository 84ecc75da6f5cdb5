"""Before and after of every column: histograms on common, round edges, and counts of the largest categories.

Who stands out is counted in `release_facts`; the charts are in `reports`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.schema import Attribute
from hushwood.tables.table import Array, Table
from hushwood.tables.value_texts import value_text

BINS = 20
TOP_CATEGORIES = 12
_ROUND_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


def distribution_facts(original: Table, released: Table) -> list[dict[str, Any]]:
    """One entry per column that the release holds, in table order."""
    return [_column(a, original.columns[a.name], released.columns[a.name]) for a in original.schema.kept]


def round_edges(low: float, high: float, precision: int | None) -> NDArray[np.float64]:
    """At most about BINS equal bins with round limits that cover [low, high].

    On a grid the limits lie half a step beside it, so that no value can sit on one.

    >>> round_edges(18, 21, 0).tolist()
    [17.5, 18.5, 19.5, 20.5, 21.5]
    >>> round_edges(0.0, 1.0, None).tolist()[:3]
    [0.0, 0.05, 0.1]
    """
    grid = 0.0 if precision is None else 10.0**-precision
    smallest = max(16 * float(np.spacing(max(abs(low), abs(high)))), 1e-250)
    width = max(_round_up(high / BINS - low / BINS), grid) or 1.0
    width = max(width, _round_up(smallest))
    if grid:
        width = grid * math.ceil(width / grid - 1e-9)
    first = math.floor(low / width)
    last = math.floor(high / width) + 1 if grid else max(math.ceil(high / width), first + 1)
    edges = np.arange(first, last + 1, dtype=np.float64) * width - grid / 2
    edges[[0, -1]] = min(edges[0], low), max(edges[-1], high)
    return edges


def bin_labels(edges: NDArray[np.float64], precision: int | None, storage: str = "Float64") -> list[str]:
    """Readable names of the bins: the values they hold on a grid, their limits otherwise.

    >>> bin_labels(np.array([17.5, 18.5, 19.5]), 0), bin_labels(np.array([19.5, 24.5, 29.5]), 0)
    (['18', '19'], ['20 – 24', '25 – 29'])
    """
    half = 0.0 if precision is None else 10.0**-precision / 2
    lows, highs = (edges[:-1] + half).tolist(), (edges[1:] - half).tolist()
    return [
        value_text(low, storage)
        if math.isclose(low, high, abs_tol=half / 2)
        else f"{value_text(low, storage)} – {value_text(high, storage)}"
        for low, high in zip(lows, highs, strict=True)
    ]


def _column(attribute: Attribute, before: Array, after: Array) -> dict[str, Any]:
    head = {
        "column": attribute.name,
        "kind": attribute.kind,
        "role": attribute.role,
        "storage": attribute.storage,
    }
    if attribute.kind == "numeric":
        return head | _numeric(attribute, before, after)
    return head | _categorical(attribute, before, after)


def _numeric(attribute: Attribute, before: Array, after: Array) -> dict[str, Any]:
    known_before, known_after = before[np.isfinite(before)], after[np.isfinite(after)]
    both = [values for values in (known_before, known_after) if len(values)]
    if not both:
        return {"edges": [], "labels": [], "before": [], "after": []}
    edges = round_edges(min(v.min() for v in both), max(v.max() for v in both), attribute.precision)
    return {
        "edges": edges.tolist(),
        "labels": bin_labels(edges, attribute.precision, attribute.storage),
        "before": _counts(known_before, edges),
        "after": _counts(known_after, edges),
    }


def _counts(values: Array, edges: NDArray[np.float64]) -> list[int]:
    counts, _ = np.histogram(values, bins=len(edges) - 1, range=(edges[0], edges[-1]))
    return [int(count) for count in counts]


def _categorical(attribute: Attribute, before: Array, after: Array) -> dict[str, Any]:
    size = len(attribute.categories)
    counts = np.stack([np.bincount(codes + 1, minlength=size + 1) for codes in (before, after)])
    missing, counts = counts[:, 0], counts[:, 1:]
    order = np.argsort(-counts[0], kind="stable")
    top, rest = np.sort(order[:TOP_CATEGORIES]), order[TOP_CATEGORIES:]
    names = [attribute.categories[i] for i in top]
    columns = counts[:, top]
    if len(rest):
        columns = np.column_stack([columns, counts[:, rest].sum(axis=1)])
    return {
        "categories": names,
        "others": len(rest),
        "before": columns[0].tolist(),
        "after": columns[1].tolist(),
        "missing": missing.tolist(),
    }


def _round_up(width: float) -> float:
    if width <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(width))
    return next(step * power for step in _ROUND_STEPS if step * power >= width * (1 - 1e-9))
