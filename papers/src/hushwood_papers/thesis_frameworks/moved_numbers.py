"""What thesis 7.3 says about means, correlations and accuracies, judged by our runs.

Runs of two techniques have different noise, so their accuracies are compared as two samples, by the rank test of Mann
and Whitney. Sentences about rules are in `claims`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb, sqrt
from statistics import NormalDist, fmean

import numpy as np

from hushwood.reports.wording import things
from hushwood_papers.protocol import Finding
from hushwood_papers.thesis_frameworks.numbers_by_key import PLACES, Run, Runs, Values, count_key
from hushwood_papers.thesis_frameworks.releases import (
    EXTENDED,
    FRAMEWORK,
    GADP,
    ORIGINAL,
    RANDOM,
    RANDOM_EXTENDED,
    Way,
)

# Correlations are not kept if their changes reach this share of the correlations, means if one of them moved by this
# many standard deviations.
NOT_KEPT = 0.5
SURE = 0.95
_BETTER = ((EXTENDED, (FRAMEWORK,)), (RANDOM_EXTENDED, (FRAMEWORK, EXTENDED, RANDOM)))


def about_correlations(runs: Runs) -> Iterator[tuple[str, Finding]]:
    """A finding for every such sentence whose techniques were run."""
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
    """By the changes of all correlations relative to the correlations, as root mean squares."""
    before = np.array(runs.of_way(ORIGINAL)[0]["correlations"])
    after = np.array([run["correlations"] for run in runs.of_way(way)])
    changes = np.sqrt(((after - before) ** 2).mean(axis=1) / (before**2).mean())
    return Finding(
        bool(changes.min() >= NOT_KEPT),
        f"the changes of the correlations are {changes.min():.2f} to {changes.max():.2f} times as large as the "
        f"correlations were (root mean squares; 1 if none were left, not kept from {NOT_KEPT:g})",
    )


def _means_moved(of_way: Sequence[Run]) -> Finding:
    shifts = [run["shift"] for run in of_way]
    return Finding(
        min(shifts) >= NOT_KEPT,
        f"a mean moved by {min(shifts):.2f} to {max(shifts):.2f} standard deviations (not kept from {NOT_KEPT:g})",
    )


def _lost(runs: Runs, way: Way) -> Finding:
    """No remaining correlation is larger than chance makes the largest of as many zero correlations."""
    left = np.abs([run["correlations"] for run in runs.of_way(way)])
    largest, (total, pairs) = left.max(axis=1), left.shape
    limit = NormalDist().inv_cdf((1 + SURE ** (1 / pairs)) / 2) / sqrt(runs.records[0])
    above = int((largest > limit).sum())
    return Finding(
        above <= (1 - SURE) * total,
        f"the largest remaining correlation is {largest.min():.3f} to {largest.max():.3f}; with {pairs} pairs of "
        f"unrelated columns it would be below {limit:.3f} in {100 * SURE:g} of 100 runs, and ours is in "
        f"{total - above} of {things(total, 'run')}",
    )


def _kept_better(runs: Runs, way: Way, others: Sequence[Way]) -> Finding:
    """No run of the technique changes any correlation as much as the mildest run of the others."""
    ours = [run["change"] for run in runs.of_way(way)]
    theirs = {other: [run["change"] for run in runs.of_way(other)] for other in others}
    listed = ", ".join(
        f"{other} {min(changes):.3f} to {max(changes):.3f}" for other, changes in theirs.items()
    )
    return Finding(
        max(ours) < min(min(changes) for changes in theirs.values()),
        f"the largest change of a correlation is {min(ours):.3f} to {max(ours):.3f}; {listed}",
    )


SIGNIFICANT = 0.05
# Points below the original tree that count as "very poor", and that are too many for "slightly lower".
VERY_POOR = 10.0
SLIGHTLY = 3.0


@dataclass(frozen=True, slots=True)
class Order:
    """One technique is less accurate than others on some tables; if `slightly`, not by much."""

    way: Way
    others: tuple[Way, ...]
    places: tuple[int, ...] = (0, 1, 2)
    slightly: bool = False

    @property
    def key(self) -> str:
        """The key of the sentence."""
        how = "slightly less" if self.slightly else "less"
        return f"{self.way} is right {how} often than {' and '.join(map(str, self.others))}"


ORDERS = (
    Order(RANDOM, (ORIGINAL, FRAMEWORK), (1, 2)),
    Order(RANDOM, (FRAMEWORK,)),
    Order(EXTENDED, (FRAMEWORK,), slightly=True),
    Order(RANDOM, (EXTENDED,)),
    Order(RANDOM_EXTENDED, (EXTENDED, FRAMEWORK)),
    Order(RANDOM_EXTENDED, (ORIGINAL, EXTENDED)),
    Order(GADP, (EXTENDED,), (1, 2)),
)


def about_accuracies(
    runs: Runs, limits: Mapping[Way, float], points: float, theirs: Values
) -> Iterator[tuple[str, Finding]]:
    """A finding for every such sentence that these runs can judge; `limits` and `points` are in points."""
    for way, limit in limits.items():
        if runs.of_way(way) and runs.of_way(ORIGINAL):
            yield f"{way}: near the original tree on its own records", _near(runs, way, limit)
    if runs.of_way(RANDOM) and runs.of_way(ORIGINAL):
        yield f"{RANDOM}: very poor on its own records", _poor(runs, (0,))
        yield f"{RANDOM}: very poor on all records", _poor(runs, (0, 1, 2))
    for order in ORDERS:
        if all(_enough(runs, order.way, other) for other in order.others):
            yield order.key, _less_right(runs, order)
    if runs.of_way(FRAMEWORK) and theirs.get(count_key(FRAMEWORK, 0)):
        yield f"{FRAMEWORK}: accuracies as printed", _as_printed(runs, theirs, points)


def _near(runs: Runs, way: Way, limit: float) -> Finding:
    """The tree on a release is as accurate on it as the original tree on the original."""
    before = runs.shares_right(ORIGINAL, 0)[0]
    apart = [abs(share - before) for share in runs.shares_right(way, 0)]
    within = sum(points < limit for points in apart)
    return Finding(
        within == len(apart),
        f"the difference is {min(apart):.3f} to {max(apart):.3f} points, below {limit:g} in "
        f"{within} of {things(len(apart), 'run')}",
    )


def _poor(runs: Runs, places: Sequence[int]) -> Finding:
    parts, holds = [], True
    for place in places:
        before, ours = runs.shares_right(ORIGINAL, place)[0], runs.shares_right(RANDOM, place)
        holds &= before - max(ours) >= VERY_POOR
        parts.append(
            f"{min(ours):.1f} to {max(ours):.1f} % on {PLACES[place]}, where the original tree has {before:.1f}"
        )
    return Finding(holds, f"correct: {'; '.join(parts)} ({VERY_POOR:g} points below are very poor)")


def _enough(runs: Runs, way: Way, other: Way) -> bool:
    """Whether there are enough runs for the test to find anything."""
    ours, theirs = len(runs.of_way(way)), len(runs.of_way(other))
    outcomes = 2**ours if other == ORIGINAL else comb(ours + theirs, ours)
    return bool(ours and theirs) and outcomes * SIGNIFICANT > 1


def _less_right(runs: Runs, order: Order) -> Finding:
    parts, holds = [], True
    for other in order.others:
        for place in order.places:
            ours, theirs = (runs.shares_right(way, place) for way in (order.way, other))
            chance = _chance(ours, theirs)
            below = fmean(theirs) - fmean(ours)
            holds &= chance < SIGNIFICANT and (not order.slightly or below < SLIGHTLY)
            parts.append(
                f"{fmean(ours):.1f} against {fmean(theirs):.1f} % by {other} on {PLACES[place]} (p = {chance:.2g})"
            )
    much = f", and by less than {SLIGHTLY:g} points" if order.slightly else ""
    return Finding(holds, f"{'; '.join(parts)}; it holds if every p is below {SIGNIFICANT:g}{much}")


def _chance(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The chance of runs this far below the others if both were equally good; the original is a single tree."""
    from scipy.stats import binomtest, mannwhitneyu

    if len(set(ours) | set(theirs)) == 1:
        return 1.0
    if len(theirs) == 1:
        below = sum(share < theirs[0] for share in ours)
        return float(binomtest(below, len(ours), 0.5, alternative="greater").pvalue)
    return float(mannwhitneyu(ours, theirs, alternative="less").pvalue)


def _as_printed(runs: Runs, theirs: Values, points: float) -> Finding:
    """The mean of our runs is within these points of every printed run, on all three tables."""
    parts, holds = [], True
    for place, name in enumerate(PLACES):
        total = runs.records[1] if place == 2 else runs.records[0]
        ours = fmean(runs.shares_right(FRAMEWORK, place))
        printed = [100 * count / total for count in theirs.get(count_key(FRAMEWORK, place), ())]
        holds &= all(abs(ours - share) <= points for share in printed)
        parts.append(f"{ours:.2f} against {' and '.join(f'{share:.2f}' for share in printed)} % on {name}")
    return Finding(
        holds,
        f"{'; '.join(parts)} (means of {things(len(runs.of_way(FRAMEWORK)), 'run')}; within {points:g} points)",
    )
