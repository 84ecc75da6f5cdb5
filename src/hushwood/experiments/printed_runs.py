"""What the thesis prints of its own runs in section 7.3: means, correlations and accuracies, as data.

The numbers are in `printed/extended_framework.toml`, as printed; `extended_framework` makes ours.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import unknown_name

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PrintedMoments:
    """A mean vector and a correlation matrix, made symmetric from the entries above its diagonal."""

    means: Vector
    correlations: Matrix


@dataclass(frozen=True, slots=True)
class PrintedAccuracies:
    """Shares of records that a tree classifies rightly: of its own table, the training table and the test table."""

    own: float
    training: float
    test: float


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """All that is printed about one table; runs by technique, as many as there are."""

    attributes: tuple[str, ...]
    original: PrintedMoments
    moments: Mapping[str, tuple[PrintedMoments, ...]]
    accuracies: Mapping[str, tuple[PrintedAccuracies, ...]]

    def changes(self, technique: str) -> tuple[float, ...]:
        """The largest change of a correlation in every run that is printed."""
        found = (np.abs(m.correlations - self.original.correlations) for m in self.moments.get(technique, ()))
        return tuple(float(change.max()) for change in found)

    def shifts(self, technique: str, spreads: Vector) -> tuple[float, ...]:
        """The largest shift of a mean in every run, in standard deviations, which the thesis does not print."""
        found = (np.abs(m.means - self.original.means) for m in self.moments.get(technique, ()))
        return tuple(float((shift / spreads).max()) for shift in found)


@cache
def printed_table(name: str) -> PrintedTable:
    """The numbers of Adult or of WBC; rows that repeat another table by mistake are left out (errata D5)."""
    text = (files("hushwood.experiments") / "printed" / "extended_framework.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    if name not in tables:
        raise unknown_name("table of the thesis", name, tables)
    table = tables[name]
    moments: dict[str, tuple[PrintedMoments, ...]] = {}
    for matrix in table["matrices"]:
        moments[matrix["technique"]] = (*moments.get(matrix["technique"], ()), _moments(matrix))
    accuracies: dict[str, tuple[PrintedAccuracies, ...]] = {}
    for row in table["accuracies"]:
        if not row.get("misprint", False):
            shares = _shares(row["correct"], table["records"])
            accuracies[row["technique"]] = (*accuracies.get(row["technique"], ()), shares)
    return PrintedTable(tuple(table["attributes"]), _moments(table["original"]), moments, accuracies)


def _moments(printed: Mapping[str, Any]) -> PrintedMoments:
    above = np.triu(np.array(printed["correlations"], float), 1)
    return PrintedMoments(np.array(printed["means"], float), above + above.T + np.eye(len(above)))


def _shares(correct: Sequence[int], records: Sequence[int]) -> PrintedAccuracies:
    own, training, test = (right / all_ for right, all_ in zip(correct, records, strict=True))
    return PrintedAccuracies(own, training, test)
