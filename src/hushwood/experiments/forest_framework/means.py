"""The numbers of the Forest Framework experiment compared: which technique is ahead of which, on which tables.

`claims` asks these questions for the sentences of the paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.experiments.forest_framework.names import (
    FF,
    GADP,
    LABELS,
    PERCENT,
    PRINTED_WAYS,
    RT,
    SERS,
    SHORTFALL,
    F,
    key,
)

CHANCE = 0.05
# With fewer folds a t test hardly ever tells anything, and "not told apart" would mean nothing.
FEWEST_FOLDS = 5
OTHERS = (F, GADP, RT)


@dataclass(frozen=True, slots=True)
class Folds:
    """All numbers by key, one a fold; `columns` are numeric columns that do not look normal, and all, by table."""

    numbers: Mapping[str, Sequence[float]]
    columns: Mapping[str, tuple[int, int]]

    @property
    def complete(self) -> bool:
        """Whether every table was part of the run: the sentences are about all of them."""
        return all(key(label, way, SERS) in self.numbers for label in LABELS for way in PRINTED_WAYS)

    @property
    def can_tell(self) -> bool:
        """Whether there are folds enough for a t test."""
        return all(len(self.numbers[key(label, FF, SERS)]) >= FEWEST_FOLDS for label in LABELS)

    def mean(self, label: str, way: str, measure: str) -> float:
        """The mean over the folds."""
        return float(np.mean(self.numbers[key(label, way, measure)]))

    def difference(self, label: str, one: str, other: str, measure: str) -> float:
        """By how much one technique is ahead of the other."""
        return self.mean(label, one, measure) - self.mean(label, other, measure)

    def ahead(self, measure: str, way: str = FF, of: Sequence[str] = OTHERS) -> list[str]:
        """The tables on which a technique is ahead of all the others."""
        return [
            label for label in LABELS if all(self.difference(label, way, other, measure) > 0 for other in of)
        ]

    def behind(self, measure: str, way: str, of: Sequence[str]) -> list[str]:
        """The tables on which a technique is behind all the others."""
        return [
            label for label in LABELS if all(self.difference(label, way, other, measure) < 0 for other in of)
        ]

    def told_apart(self, measure: str, one: str, other: str) -> list[str]:
        """The tables on which a paired t test over the folds tells two techniques apart."""
        return [label for label in LABELS if self._apart(label, one, other, measure)]

    def _apart(self, label: str, one: str, other: str, measure: str) -> bool:
        from scipy.stats import ttest_1samp

        first, second = (np.asarray(self.numbers[key(label, way, measure)]) for way in (one, other))
        differences = first - second
        if len(differences) < 2:
            return False
        if np.ptp(differences) == 0:
            return bool(differences[0] != 0)
        return bool(ttest_1samp(differences, 0.0).pvalue < CHANCE)

    def listed(self, measure: str, ways: Sequence[str], labels: Sequence[str] = LABELS) -> str:
        """The means of some techniques on every table, in words."""
        places = 1 if measure in PERCENT else 4 if measure == SHORTFALL else 3
        tables = [
            f"{label} {' / '.join(f'{self.mean(label, way, measure):.{places}f}' for way in ways)}"
            for label in labels
        ]
        return f"{measure}, of {' / '.join(ways)}: {', '.join(tables)}"


def on(labels: Sequence[str]) -> str:
    """On which tables something is so, in words.

    >>> on(["Wine", "WBC"]), on([]), on(LABELS)
    ('on 2 of 5 tables (Wine, WBC)', 'on none of the 5 tables', 'on all 5 tables')
    """
    if not labels:
        return f"on none of the {len(LABELS)} tables"
    if len(labels) == len(LABELS):
        return f"on all {len(LABELS)} tables"
    return f"on {len(labels)} of {len(LABELS)} tables ({', '.join(labels)})"
