"""Columns as codes of few cells, the same for both tables, so that combinations of several columns can be counted.

A number is in one of the original's quantile cells (`distributions`); a category is itself if it is one of the most
frequent of the original, otherwise it is among the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.measures.columns.distributions import NumericCells
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, class_labels, label_columns

MISSING = 0


@dataclass(frozen=True, slots=True)
class JointColumn:
    """One column of both tables: the cell of every record, and what each cell is called (None: not one value).

    Cell 0 is that of missing values; the last one of a categorical column is that of the rest.
    """

    name: str
    before: Integers
    after: Integers
    words: tuple[str | None, ...]

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.words)


def joint_columns(original: Table, released: Table, cells: int) -> list[JointColumn]:
    """All columns of two tables, the class included (a binned class by its bins), in about this many cells each."""
    before, after = (label_columns(table.schema, table.columns) for table in (original, released))
    found = []
    for attribute in original.schema.measured:
        both = before[attribute.name], after[attribute.name]
        if attribute.kind == "numeric":
            found.append(_numbers(attribute.name, both, cells, original.weights))
        else:
            names = _names(original, attribute)
            found.append(_categories(attribute.name, names, both, cells, original.weights))
    return found


def _names(table: Table, attribute: Attribute) -> tuple[str, ...]:
    return class_labels(table)[1] if attribute.bins else attribute.categories


def _numbers(name: str, both: tuple[Floats, Floats], cells: int, weights: Floats | None) -> JointColumn:
    before, after = both
    cut = NumericCells.of(before, cells, weights)
    codes = cut.codes(before)
    size = 4 + (0 if cut.cuts is None else len(cut.cuts))
    low, high = np.full(size, np.inf), np.full(size, -np.inf)
    there = np.isfinite(before)
    np.minimum.at(low, codes[there], before[there])
    np.maximum.at(high, codes[there], before[there])
    inside = [_span(*ends) for ends in zip(low[2:-1].tolist(), high[2:-1].tolist(), strict=True)]
    words = (None, f"below {cut.low:.6g}", *inside, f"above {cut.high:.6g}")
    return JointColumn(name, codes, cut.codes(after), words)


def _span(low: float, high: float) -> str | None:
    """The values of the original in a cell; None if it has none."""
    if low > high:
        return None
    return f"{low:.6g}" if low == high else f"{low:.6g} to {high:.6g}"


def _categories(
    name: str, names: tuple[str, ...], both: tuple[Array, Array], cells: int, weights: Floats | None
) -> JointColumn:
    before, after = both
    counts = np.bincount(before + 1, weights, minlength=len(names) + 1)[1:]
    kept = np.argsort(-counts, kind="stable")[:cells]
    place = np.full(len(names) + 1, len(kept) + 1, np.int64)
    place[kept] = 1 + np.arange(len(kept))
    place[-1] = MISSING  # the code of a missing value is -1
    words = (None, *(names[code] for code in kept.tolist()), None)
    return JointColumn(name, place[before], place[after], words)
