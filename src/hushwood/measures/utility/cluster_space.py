"""Records as points among which clusters are looked for: numbers in standard deviations, categories as 0 and 1.

A table makes its own space, as a miner who has nothing else would; records of another table can be put into it too.
The clusters themselves are found in `clustering`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.utility.numeric_columns import Numbers, common_unit, is_constant, known
from hushwood.tables.table import Array, Table

MOST_CATEGORIES = 30  # of a column; the rarer ones share a place
FARTHEST = 1e6  # standard deviations

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ClusterSpace:
    """Unit, mean and deviation of every numeric input that varies; the places of every categorical input's codes."""

    numeric: dict[str, tuple[float, float, float]]
    categorical: dict[str, NDArray[np.int64]]

    @staticmethod
    def of(table: Table, rows: NDArray[np.int64]) -> ClusterSpace:
        """The space of some records of a table, without the class."""
        numeric, categorical = {}, {}
        for attribute in table.schema.inputs:
            values = table.columns[attribute.name][rows]
            if attribute.kind == "categorical":
                categorical[attribute.name] = _places(values, len(attribute.categories))
            elif not is_constant(known(values)):
                numeric[attribute.name] = _scale(known(values))
        return ClusterSpace(numeric, categorical)

    def points(self, table: Table, rows: NDArray[np.int64]) -> Points:
        """The records as points; a missing number lies at the mean, a missing category is a category."""
        parts: list[Points] = []
        for name, (unit, mean, deviation) in self.numeric.items():
            with np.errstate(over="ignore"):
                values = (table.columns[name][rows] / unit - mean) / deviation
            parts.append(np.clip(np.nan_to_num(values), -FARTHEST, FARTHEST)[:, None])
        for name, places in self.categorical.items():
            parts.append(np.eye(int(places.max()) + 1)[places[table.columns[name][rows]]])
        return np.hstack(parts) if parts else np.empty((len(rows), 0))


def _scale(values: Numbers) -> tuple[float, float, float]:
    unit = common_unit(values)
    scaled = values / unit
    return unit, float(scaled.mean()), float(scaled.std()) or 1.0


def _places(codes: Array, size: int) -> NDArray[np.int64]:
    """The place of every category, the most frequent first, then the rarer ones together; last the missing value's."""
    counts = np.bincount(codes[codes >= 0], minlength=size)
    order = np.argsort(-counts, kind="stable")
    places = np.empty(size + 1, np.int64)
    places[order] = np.minimum(np.arange(size), MOST_CATEGORIES)
    places[-1] = min(size, MOST_CATEGORIES + 1)
    return places
