"""Tables whose dependences are known: what a synthesis must keep, and what it must not invent."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Array
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.tables.table import Table
from hushwood.techniques.synthesis.synthesis import Synthesis
from support.mixed_tables import category, number, table_of, target

STREAMS = Streams(bytes(range(32)))


def dependent_table(rows: int = 1500, seed: int = 1) -> Table:
    """y is x and a little noise, z is independent of all; the town follows x, the class follows the town and x."""
    chance = np.random.default_rng(seed)
    x = np.round(chance.normal(50, 10, rows), 2)
    y = np.round(x + chance.normal(0, 1, rows), 2)
    z = np.round(chance.gamma(2.0, 3.0, rows), 2)
    town = np.digitize(x + chance.normal(0, 2, rows), [42, 50, 58])
    ill = (x + 5 * (town == 1) + chance.normal(0, 3, rows) > 52).astype(int)
    return table_of(
        {
            "x": (number("x", float(x.min()), float(x.max()), 2), x.tolist()),
            "y": (number("y", float(y.min()), float(y.max()), 2), y.tolist()),
            "z": (number("z", float(z.min()), float(z.max()), 2), z.tolist()),
            "town": (category("town", "abcd"), town.tolist()),
            "ill": (target("ill", ("no", "yes")), ill.tolist()),
        }
    )


def normal_table(correlation: float, rows: int = 3000, seed: int = 2) -> Table:
    """Two normal columns of full precision with this correlation, and a class that is independent of both."""
    chance = np.random.default_rng(seed)
    x = chance.normal(size=rows)
    y = correlation * x + np.sqrt(1 - correlation**2) * chance.normal(size=rows)
    numbers = {
        name: (number(name, float(v.min()), float(v.max()), None), v.tolist())
        for name, v in (("x", x), ("y", y))
    }
    return table_of({**numbers, "k": (target("k", "ab"), chance.integers(0, 2, rows).tolist())})


def synthesised(technique: Synthesis, table: Table, streams: Streams = STREAMS) -> dict[str, Array]:
    """The table as the technique makes it up."""
    segments = whole_table(table)
    names = [attribute.name for attribute in table.schema.kept]
    perturber = technique.prepare(table, names, segments)
    return dict(perturber.perturb(table.columns, segments.ids, range(table.rows), streams))


def correlation_of(columns: dict[str, Array], one: str, other: str) -> float:
    """The correlation of two columns."""
    return float(np.corrcoef(columns[one], columns[other])[0, 1])


def largest_gap(before: Array, after: Array) -> float:
    """The Kolmogorov-Smirnov distance of two columns."""
    from scipy.stats import ks_2samp

    return float(ks_2samp(before, after).statistic)


def copied_rare_numbers(before: Array, after: Array) -> float:
    """The share of released numbers that equal one which fewer than five records have."""
    values, counts = np.unique(before, return_counts=True)
    return float(np.isin(after, values[counts < 5]).mean())
