"""Which candidates look best: risks smoothed along each dial, distance to clearing first, then utility.

Along a dial risk falls on average, but not in single runs, so an isotonic fit comes before every choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from hushwood.tuning.candidates import Candidate
from hushwood.tuning.scores import SMALLEST_LIMIT, Risk, Score

UNKNOWN = 1.0  # the distance to clearing of a check without evidence


@dataclass(frozen=True, slots=True)
class Standing:
    """A candidate with its score, and what is expected of it: `distance` to clearing (0: cleared) and utility.

    `risk` is the worst smoothed estimate as a share of its limit.
    """

    candidate: Candidate
    score: Score
    distance: float
    utility: float
    risk: float

    @property
    def order(self) -> tuple[float, float]:
        """Smaller is better."""
        return self.distance, -self.utility


def standings(scored: Sequence[tuple[Candidate, Score]], narrower: float = 1.0) -> list[Standing]:
    """All candidates, the best first; `narrower` is the width of the final intervals as a share of these."""
    risks = _smoothed_risks(scored)
    useful = _along_dials(scored, [score.utility for _, score in scored])
    found = []
    for place, (candidate, score) in enumerate(scored):
        values = risks[place]
        beyond = max(
            (distance(risk, value, narrower) for risk, value in zip(score.risks, values, strict=True)),
            default=0.0,
        )
        shares = [
            risk.share(value) for risk, value in zip(score.risks, values, strict=True) if value is not None
        ]
        found.append(Standing(candidate, score, beyond, useful[place], max(shares, default=0.0)))
    return sorted(found, key=lambda one: one.order)


def difference(one: Score, other: Score) -> tuple[float, float | None]:
    """How much more useful one is than the other, and half the width of its 95 % interval.

    Both met the same splits, so the differences on them are paired; a single split gives no interval.
    """
    from scipy.stats import t

    pairs = list(zip(one.splits, other.splits, strict=False))
    gaps = [first - second for first, second in pairs]
    if len(gaps) < 2:
        return fmean(gaps), None
    return fmean(gaps), float(t.ppf(0.975, len(gaps) - 1)) * stdev(gaps) / sqrt(len(gaps))


def falling(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The nearest values that never rise.

    >>> falling([3.0, 1.0, 2.0], [1.0, 1.0, 1.0])
    [3.0, 1.5, 1.5]
    """
    from sklearn.isotonic import isotonic_regression

    return [float(v) for v in isotonic_regression(values, sample_weight=weights, increasing=False)]


def _smoothed_risks(scored: Sequence[tuple[Candidate, Score]]) -> list[list[float | None]]:
    """The risk of every check of every candidate, smoothed along its dial; None where there is none."""
    found: list[list[float | None]] = [[risk.value for risk in score.risks] for _, score in scored]
    for check in range(len(scored[0][1].risks) if scored else 0):
        rows = [place for place in range(len(scored)) if found[place][check] is not None]
        smooth = _along_dials(
            [scored[row] for row in rows], [float(found[row][check] or 0.0) for row in rows]
        )
        for row, value in zip(rows, smooth, strict=True):
            found[row][check] = value
    return found


def _along_dials(scored: Sequence[tuple[Candidate, Score]], values: Sequence[float]) -> list[float]:
    """Numbers of candidates, made to fall along each dial."""
    smooth = list(values)
    for family in dict.fromkeys(candidate.family for candidate, _ in scored):
        rows = [place for place, (candidate, _) in enumerate(scored) if candidate.family == family]
        rows.sort(key=lambda place: scored[place][0].value)
        weights = [scored[row][1].weight for row in rows]
        for row, value in zip(rows, falling([values[row] for row in rows], weights), strict=True):
            smooth[row] = value
    return smooth


def distance(risk: Risk, value: float | None, narrower: float) -> float:
    """How far the interval that is expected in the end lies beyond the limit, as a share of the limit."""
    if value is None or risk.value is None:
        return 0.0 if risk.status == "pass" else UNKNOWN
    high = value + narrower * (risk.high - risk.value)
    beyond = high - risk.at_most
    if risk.not_shown_above is not None:
        low = value - narrower * (risk.value - risk.low)
        beyond = max(beyond, low - risk.not_shown_above)
    return max(beyond, 0.0) / max(risk.at_most, SMALLEST_LIMIT)
