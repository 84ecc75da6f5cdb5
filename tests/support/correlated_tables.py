"""Tables that are hard on methods that perturb numbers together, cut into segments, and what such methods make of them.

Columns that depend on each other, wholly or nearly, constant ones, grids, single precision, large offsets and scales.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.random_streams import Streams
from hushwood.segments.segments import Segments, domain_intervals
from hushwood.tables.domains import first_above, last_below
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Technique, Within
from hushwood.techniques.together.group_perturber import GroupPerturber
from hushwood.techniques.together.group_rows import GroupRows
from support.mixed_tables import category, table_of, target

STREAMS = Streams(bytes(range(32)))


# Every kind of column, made of what all columns share and of noise of its own.
KINDS: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "real": lambda shared, own: 0.6 * shared + 0.8 * own,
    "shared": lambda shared, own: shared,
    "double": lambda shared, own: 2 * shared + 1,
    "near 1e-6": lambda shared, own: shared + 1e-6 * own,
    "near 1e-9": lambda shared, own: shared + 1e-9 * own,
    "near 1e-12": lambda shared, own: shared + 1e-12 * own,
    "constant": lambda shared, own: np.full(len(own), 0.1),
    "offset": lambda shared, own: 1e9 + 0.6 * shared + 0.8 * own,
    "small": lambda shared, own: 1e-15 * (0.6 * shared + 0.8 * own),
    "large": lambda shared, own: 1e15 * (0.6 * shared + 0.8 * own),
    "zeros": lambda shared, own: np.where(own > 0.5, np.exp(shared), 0.0),
    "single": lambda shared, own: (0.6 * shared + 0.8 * own).astype(np.float32).astype(float),
    "whole": lambda shared, own: np.rint(5 * (0.6 * shared + 0.8 * own)),
    "decimal": lambda shared, own: np.rint(100 * (0.6 * shared + 0.8 * own)) / 100,
    "binary": lambda shared, own: (shared + own > 0).astype(float),
    "constant whole": lambda shared, own: np.full(len(own), 7.0),
}
PRECISION = {"whole": 0, "decimal": 2, "binary": 0, "constant whole": 0}


def hard_table(seed: int, rows: int, kinds: Sequence[str], gaps: float = 0.0) -> Table:
    """Numbers x0, x1, ... of these kinds, a category and a class, with a share of missing values in all of them."""
    chance = np.random.default_rng(seed)
    shared = chance.normal(size=rows)
    columns: dict[str, tuple[Attribute, Sequence[float]]] = {}
    for i, kind in enumerate(kinds):
        values = np.where(chance.random(rows) < gaps, np.nan, KINDS[kind](shared, chance.normal(size=rows)))
        columns[f"x{i}"] = described(f"x{i}", values, PRECISION.get(kind), kind == "single"), values.tolist()
    job = np.where(chance.random(rows) < gaps, -1, chance.integers(0, 3, rows))
    label = np.where(chance.random(rows) < gaps, -1, (shared > 0) + (chance.random(rows) < 0.3))
    columns["job"] = category("job", "abc"), job.tolist()
    columns["k"] = target("k", "xyz"), label.tolist()
    return table_of(columns)


def described(name: str, values: Floats, precision: int | None, single: bool = False) -> Attribute:
    """A number with the domain of its values."""
    known = values[~np.isnan(values)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    storage = "Float32" if single else "Float64"
    return Attribute(name, "numeric", low=low, high=high, precision=precision, storage=storage)


def widened(table: Table) -> Table:
    """The same table with domains that every draw fits."""
    for name in numbers_of(table):
        wide = replace(table.schema[name], low=-1e6, high=1e6)
        table = replace(table, schema=table.schema.with_attribute(wide))
    return table


def numbers_of(table: Table) -> list[str]:
    return [a.name for a in table.schema.inputs if a.kind == "numeric"]


def cut(table: Table, *tests: tuple[str, float]) -> Segments:
    """Segments by tests (column, quantile), as a tree with the same test everywhere on a level makes them."""
    numeric = [a for a in table.schema.inputs if a.kind == "numeric"]
    intervals = {a.name: domain_intervals(a, 2 ** len(tests)) for a in numeric}
    ids = np.zeros(table.rows, np.int32)
    for level, (name, quantile) in enumerate(tests):
        values, precision = table.columns[name], table.schema[name].precision
        threshold = np.nanquantile(values, quantile, method="lower")
        ids += (values > threshold).astype(np.int32) << level
        inside = intervals[name]
        above = (np.arange(2 ** len(tests)) >> level) % 2 == 1
        low = np.maximum(inside.low, np.where(above, first_above(threshold, precision), -np.inf))
        high = np.minimum(inside.high, np.where(above, np.inf, last_below(threshold, precision)))
        intervals[name] = replace(inside, low=low, high=high)
    return Segments(ids, 2 ** len(tests), intervals, {}, {})


def of_sizes(table: Table, sizes: Sequence[int]) -> Segments:
    """Segments of so many records, all with the whole domain."""
    ids = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    numeric = [a for a in table.schema.inputs if a.kind == "numeric"]
    return Segments(ids, len(sizes), {a.name: domain_intervals(a, len(sizes)) for a in numeric}, {}, {})


@dataclass(frozen=True)
class Drawn:
    """What a technique made of a table: numbers [record, column] in steps before and after, and how."""

    perturber: GroupPerturber
    rows: GroupRows
    before: Floats
    after: Floats
    ways: Integers

    @property
    def cell(self) -> Integers:
        return self.rows.cell

    @property
    def way(self) -> Integers:
        """The way of every record's cell."""
        return self.ways[self.cell]


def drawn_by(technique: Technique, table: Table, segments: Segments, streams: Streams = STREAMS) -> Drawn:
    """Draw new numbers, before they are rounded."""
    perturber = technique.prepare(table, numbers_of(table), segments)
    assert isinstance(perturber, GroupPerturber)
    rows = GroupRows.of(perturber, table.columns, segments.ids, range(table.rows), streams)
    numbers, ways = perturber.drawn(rows)
    before = perturber.group.numbers(table.columns)
    return Drawn(perturber, rows, before, np.where(np.isnan(before), np.nan, numbers), ways)


def released_by(
    technique: Technique, table: Table, segments: Segments, streams: Streams = STREAMS
) -> dict[str, Floats]:
    """The columns that go out."""
    perturber = technique.prepare(table, numbers_of(table), segments)
    return dict(perturber.perturb(table.columns, segments.ids, range(table.rows), streams))


def outside(table: Table, segments: Segments, within: Within, released: Mapping[str, Floats]) -> list[str]:
    """The columns with a released value that is not allowed: off the grid, out of the box, not storable, a new gap."""
    return [name for name, values in released.items() if not _allowed(table, segments, within, name, values)]


def _allowed(table: Table, segments: Segments, within: Within, name: str, values: Floats) -> bool:
    attribute, original = table.schema[name], table.columns[name]
    domain = domain_intervals(attribute, 1)
    box = segments.intervals[name].take(segments.ids) if within == "segment" else domain
    known = ~np.isnan(original)
    if attribute.precision is not None:
        steps = values * 10.0**attribute.precision
        if not np.array_equal(values[known], np.rint(steps[known]) / 10.0**attribute.precision):
            return False
        values = np.rint(steps)
    inside = (values >= box.low) & (values <= box.high)
    storable = attribute.storage != "Float32" or np.array_equal(values[known], np.float32(values[known]))
    return bool(inside[known].all() and np.isnan(values[~known]).all() and storable)
