"""What thesis 7.3 says in words about means and correlations: kept, not kept, completely lost.

What it says about rules is in `claims`, about accuracies in `accuracy_claims`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import NormalDist

import numpy as np

from hushwood.experiments.protocol import Finding
from hushwood.experiments.thesis_frameworks.numbers import Run, Runs
from hushwood.experiments.thesis_frameworks.ways import (
    EXTENDED,
    FRAMEWORK,
    ORIGINAL,
    RANDOM,
    RANDOM_EXTENDED,
    Way,
)
from hushwood.reports.wording import things

# Correlations are not kept if their changes are at least so large beside what they were, means if one of them
# moved by so many standard deviations.
NOT_KEPT = 0.5
SURE = 0.95
_BETTER = (
    (EXTENDED, (FRAMEWORK,)),
    (RANDOM_EXTENDED, (FRAMEWORK, EXTENDED, RANDOM)),
)


def about_correlations(runs: Runs) -> Iterator[tuple[str, Finding]]:
    """A finding for every such sentence whose ways were run."""
    for way in (FRAMEWORK, RANDOM):
        if runs.of_way(way) and runs.of_way(ORIGINAL):
            correlations, means = _not_kept(runs, way), _means_moved(runs.of_way(way))
            yield f"{way}: correlations are not kept", correlations
            yield (
                f"{way}: means and correlations are not kept",
                Finding(correlations.holds and means.holds, f"{correlations.numbers}; {means.numbers}"),
            )
            yield f"{way}: correlations are completely lost", _lost(runs, way)
    for way, others in _BETTER:
        if all(map(runs.of_way, (way, *others))):
            names = ", ".join(map(str, others))
            yield f"{way}: correlations kept better than by {names}", _kept_better(runs, way, others)


def _not_kept(runs: Runs, way: Way) -> Finding:
    """The changes of all correlations beside the correlations, both as root mean squares."""
    before = np.array(runs.of_way(ORIGINAL)[0]["correlations"])
    after = np.array([run["correlations"] for run in runs.of_way(way)])
    changes = np.sqrt(((after - before) ** 2).mean(axis=1) / (before**2).mean())
    return Finding(
        bool(changes.min() >= NOT_KEPT),
        f"the changes of the correlations are {changes.min():.2f} to {changes.max():.2f} times as large as the "
        f"correlations were (root mean squares; 1 if none were left, {NOT_KEPT:g} is taken for not kept)",
    )


def _means_moved(of_way: Sequence[Run]) -> Finding:
    shifts = [run["shift"] for run in of_way]
    return Finding(
        min(shifts) >= NOT_KEPT,
        f"a mean moved by {min(shifts):.2f} to {max(shifts):.2f} standard deviations (at least {NOT_KEPT:g} is taken "
        "for not kept)",
    )


def _lost(runs: Runs, way: Way) -> Finding:
    """No correlation that is left is larger than chance makes the largest of as many that are none."""
    left = np.abs([run["correlations"] for run in runs.of_way(way)])
    largest, (total, pairs) = left.max(axis=1), left.shape
    limit = NormalDist().inv_cdf((1 + SURE ** (1 / pairs)) / 2) / sqrt(runs.records[0])
    above = int((largest > limit).sum())
    return Finding(
        above <= (1 - SURE) * total,
        f"the largest correlation left is {largest.min():.3f} to {largest.max():.3f}; of {pairs} pairs of columns that "
        f"have nothing to do with each other it would be below {limit:.3f} in {100 * SURE:g} of 100 runs, ours is in "
        f"{total - above} of {things(total, 'run')}",
    )


def _kept_better(runs: Runs, way: Way, others: Sequence[Way]) -> Finding:
    """No run of the way changes any correlation as much as the mildest run of the others."""
    ours = [run["change"] for run in runs.of_way(way)]
    theirs = {other: [run["change"] for run in runs.of_way(other)] for other in others}
    told = ", ".join(f"{other} {min(changes):.3f} to {max(changes):.3f}" for other, changes in theirs.items())
    return Finding(
        max(ours) < min(min(changes) for changes in theirs.values()),
        f"the largest change of a correlation is {min(ours):.3f} to {max(ours):.3f}; {told}",
    )
