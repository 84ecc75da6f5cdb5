"""What thesis 7.3 says in words about accuracies: which way's trees are right more often, and which are poor.

Runs of two ways have other noise, so they are compared as two samples, by the rank test of Mann and Whitney. What the
thesis says about rules is in `claims`, about correlations in `correlation_claims`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from statistics import fmean

from hushwood.experiments.protocol import Finding
from hushwood.experiments.thesis_frameworks.keys import PLACES, count_key
from hushwood.experiments.thesis_frameworks.matrices import Values
from hushwood.experiments.thesis_frameworks.numbers import Runs
from hushwood.experiments.thesis_frameworks.ways import (
    EXTENDED,
    FRAMEWORK,
    GADP,
    ORIGINAL,
    RANDOM,
    RANDOM_EXTENDED,
    Way,
)
from hushwood.reports.wording import things

SIGNIFICANT = 0.05
# Points below the original tree that are taken for "very poor", and that are too many for "slightly lower".
VERY_POOR = 10.0
SLIGHTLY = 3.0


@dataclass(frozen=True, slots=True)
class Order:
    """One way is right less often than others on some tables; if `slightly`, not by much."""

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
    """The tree on a release is as right on it as the original tree is on the original."""
    before = runs.shares_right(ORIGINAL, 0)[0]
    apart = [abs(share - before) for share in runs.shares_right(way, 0)]
    within = sum(points < limit for points in apart)
    return Finding(
        within == len(apart),
        f"the difference is {min(apart):.3f} to {max(apart):.3f} points, below {limit:g} in "
        f"{within} of {things(len(apart), 'run')}",
    )


def _poor(runs: Runs, places: Sequence[int]) -> Finding:
    told, holds = [], True
    for place in places:
        before, ours = runs.shares_right(ORIGINAL, place)[0], runs.shares_right(RANDOM, place)
        holds &= before - max(ours) >= VERY_POOR
        told.append(
            f"{min(ours):.1f} to {max(ours):.1f} % on {PLACES[place]}, where the original tree has {before:.1f}"
        )
    return Finding(holds, f"right are {'; '.join(told)}; {VERY_POOR:g} points below are very poor")


def _enough(runs: Runs, way: Way, other: Way) -> bool:
    """Whether there are runs enough for the test to find anything."""
    ours, theirs = len(runs.of_way(way)), len(runs.of_way(other))
    outcomes = 2**ours if other == ORIGINAL else comb(ours + theirs, ours)
    return bool(ours and theirs) and outcomes * SIGNIFICANT > 1


def _less_right(runs: Runs, order: Order) -> Finding:
    told, holds = [], True
    for other in order.others:
        for place in order.places:
            ours, theirs = (runs.shares_right(way, place) for way in (order.way, other))
            chance = _chance(ours, theirs)
            below = fmean(theirs) - fmean(ours)
            holds &= chance < SIGNIFICANT and (not order.slightly or below < SLIGHTLY)
            told.append(
                f"{fmean(ours):.1f} against {fmean(theirs):.1f} % by {other} on {PLACES[place]} (p = {chance:.2g})"
            )
    much = f", and by less than {SLIGHTLY:g} points" if order.slightly else ""
    return Finding(holds, f"{'; '.join(told)}; it holds if every p is below {SIGNIFICANT:g}{much}")


def _chance(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The chance of runs as far below the others if both ways were as good; the original tree is a single one."""
    from scipy.stats import binomtest, mannwhitneyu

    if len(set(ours) | set(theirs)) == 1:
        return 1.0
    if len(theirs) == 1:
        below = sum(share < theirs[0] for share in ours)
        return float(binomtest(below, len(ours), 0.5, alternative="greater").pvalue)
    return float(mannwhitneyu(ours, theirs, alternative="less").pvalue)


def _as_printed(runs: Runs, theirs: Values, points: float) -> Finding:
    """The mean of our runs is within so many points of every printed run, on all three tables."""
    told, holds = [], True
    for place, name in enumerate(PLACES):
        total = runs.records[1] if place == 2 else runs.records[0]
        ours = fmean(runs.shares_right(FRAMEWORK, place))
        printed = [100 * count / total for count in theirs.get(count_key(FRAMEWORK, place), ())]
        holds &= all(abs(ours - share) <= points for share in printed)
        told.append(f"{ours:.2f} against {' and '.join(f'{share:.2f}' for share in printed)} % on {name}")
    return Finding(
        holds,
        f"{'; '.join(told)} (means of {things(len(runs.of_way(FRAMEWORK)), 'run')}; within {points:g} points)",
    )
