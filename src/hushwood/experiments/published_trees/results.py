"""What the experiment on published trees found, table by table, and as numbers by key.

The keys are here alone: by them `figures` finds what it draws. `claims` asks the
results themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from hushwood.experiments.published_trees.folds import ASKED, MONDRIAN, ORIGINAL, PARTS, TPP, Run

KINDS = (ORIGINAL, TPP, ASKED, MONDRIAN, PARTS)
RELEASES = (TPP, ASKED, MONDRIAN)
K, K_OF_FOLDS, L_OF_FOLDS = "K, all records", "K, training records", "L, training records"
_SCORES = {"adult": "% of unseen records right", "abalone": "R squared on unseen records"}


@dataclass(frozen=True, slots=True)
class Results:
    """All trees on one table; `whole` is K of the releases of all records, by kind and leaves."""

    table: str
    runs: tuple[Run, ...]
    whole: Mapping[tuple[str, int], int]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of leaves, ascending."""
        return tuple(sorted({run.leaves for run in self.runs}))

    def of(self, grown_from: str, leaves: int) -> tuple[Run, ...]:
        """The runs of all folds of one kind and size, the first fold first."""
        return tuple(run for run in self.runs if (run.grown_from, run.leaves) == (grown_from, leaves))

    def score(self, grown_from: str, leaves: int) -> float:
        """The mean accuracy (or R squared) over the folds."""
        return float(np.mean([run.score for run in self.of(grown_from, leaves)]))

    def preserved(self, grown_from: str) -> tuple[int, int]:
        """How many trees of a kind are the original's, and how many there are."""
        same = [run.same for run in self.runs if run.grown_from == grown_from]
        return sum(same), len(same)


def numbers_of(results: Results) -> Iterator[tuple[str, list[float]]]:
    """Every number with its key: what the trees predict, how many are the original's, K and L."""
    table, factor = results.table, 100 if results.table == "adult" else 1
    for kind in KINDS:
        for leaves in results.sizes:
            yield score_key(table, kind, leaves), [factor * run.score for run in results.of(kind, leaves)]
    for kind in (TPP, MONDRIAN):
        same, trees = results.preserved(kind)
        yield f"{table.capitalize()}, {kind}: % of trees that are the original's", [100 * same / trees]
    for kind in RELEASES:
        for leaves in results.sizes:
            runs = results.of(kind, leaves)
            yield key(table, kind, leaves, K), [results.whole[kind, leaves]]
            yield key(table, kind, leaves, K_OF_FOLDS), [run.k for run in runs]
            diverse = [run.l for run in runs if run.l is not None]
            if kind == TPP and diverse:
                yield key(table, kind, leaves, L_OF_FOLDS), diverse


def key(table: str, kind: str, leaves: int, what: str) -> str:
    """What a number is about, in words.

    >>> key("adult", "TPP", 4, K)
    'Adult, TPP, 4 leaves: K, all records'
    """
    return f"{table.capitalize()}, {kind}, {leaves} leaves: {what}"


def score_key(table: str, kind: str, leaves: int) -> str:
    """The key of accuracy, or of R squared."""
    return key(table, kind, leaves, _SCORES[table])


def time_key(what: str, size: int) -> str:
    """The key of the seconds for so many records or attributes.

    >>> time_key("records", 5000)
    'Adult, 5,000 records: seconds to publish'
    """
    return f"Adult, {size:,} {what}: seconds to publish"
