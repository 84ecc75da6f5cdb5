"""Before and after of every column: histograms with common, round limits, and counts of the largest categories."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from hushwood.arrays import Array, Floats
from hushwood.evaluation.plain_data import INLINED
from hushwood.tables.columns.value_texts import value_text
from hushwood.tables.schema import Attribute, Kind, Role
from hushwood.tables.table import Table

BINS = 20
TOP_CATEGORIES = 12
_ROUND_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Histogram:
    """Records per bin of a numeric column before and after; None was withheld because it is small."""

    edges: tuple[float, ...]
    labels: tuple[str, ...]
    before: tuple[int | None, ...]
    after: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class CategoryCounts:
    """Records per category before and after; the last count pools `others` if there are any."""

    categories: tuple[str, ...]
    others: int
    before: tuple[int | None, ...]
    after: tuple[int | None, ...]
    missing: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Distribution:
    """A column's values before and after: a histogram or counts of categories."""

    column: str
    kind: Kind
    role: Role
    storage: str
    histogram: Annotated[Histogram | None, INLINED] = None
    counts: Annotated[CategoryCounts | None, INLINED] = None


def distributions(original: Table, released: Table) -> tuple[Distribution, ...]:
    """One entry per column that the release holds, in table order."""
    return tuple(
        _distribution(a, original.columns[a.name], released.columns[a.name]) for a in original.schema.kept
    )


def round_edges(low: float, high: float, precision: int | None) -> Floats:
    """At most about BINS equal bins with round limits that cover [low, high].

    On a grid the limits lie half a step off it, so that no value can equal one.

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


def bin_labels(edges: Floats, precision: int | None, storage: str = "Float64") -> list[str]:
    """Readable names of the bins: the values they hold on a grid, their limits otherwise.

    >>> bin_labels(np.array([17.5, 18.5, 19.5]), 0), bin_labels(np.array([19.5, 24.5, 29.5]), 0)
    (['18', '19'], ['20 – 24', '25 – 29'])
    """
    half = 0.0 if precision is None else 10.0**-precision / 2
    lows, highs = (edges[:-1] + half).tolist(), (edges[1:] - half).tolist()
    return [
        value_text(low, storage, precision)
        if math.isclose(low, high, abs_tol=half / 2)
        else f"{value_text(low, storage, precision)} – {value_text(high, storage, precision)}"
        for low, high in zip(lows, highs, strict=True)
    ]


def _distribution(attribute: Attribute, before: Array, after: Array) -> Distribution:
    numeric = attribute.kind == "numeric"
    return Distribution(
        attribute.name,
        attribute.kind,
        attribute.role,
        attribute.storage,
        _histogram(attribute, before, after) if numeric else None,
        None if numeric else _category_counts(attribute, before, after),
    )


def _histogram(attribute: Attribute, before: Array, after: Array) -> Histogram:
    known_before, known_after = before[np.isfinite(before)], after[np.isfinite(after)]
    both = [values for values in (known_before, known_after) if len(values)]
    if not both:
        return Histogram((), (), (), ())
    edges = round_edges(min(v.min() for v in both), max(v.max() for v in both), attribute.precision)
    return Histogram(
        tuple(edges.tolist()),
        tuple(bin_labels(edges, attribute.precision, attribute.storage)),
        _counts(known_before, edges),
        _counts(known_after, edges),
    )


def _counts(values: Array, edges: Floats) -> tuple[int, ...]:
    counts, _ = np.histogram(values, bins=len(edges) - 1, range=(edges[0], edges[-1]))
    return tuple(counts.tolist())


def _category_counts(attribute: Attribute, before: Array, after: Array) -> CategoryCounts:
    size = len(attribute.categories)
    counts = np.stack([np.bincount(codes + 1, minlength=size + 1) for codes in (before, after)])
    missing, counts = counts[:, 0], counts[:, 1:]
    order = np.argsort(-counts[0], kind="stable")
    top, rest = np.sort(order[:TOP_CATEGORIES]), order[TOP_CATEGORIES:]
    columns = counts[:, top]
    if len(rest):
        columns = np.column_stack([columns, counts[:, rest].sum(axis=1)])
    return CategoryCounts(
        tuple(attribute.categories[i] for i in top),
        len(rest),
        tuple(columns[0].tolist()),
        tuple(columns[1].tolist()),
        tuple(missing.tolist()),
    )


def _round_up(width: float) -> float:
    if width <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(width))
    return next(step * power for step in _ROUND_STEPS if step * power >= width * (1 - 1e-9))
