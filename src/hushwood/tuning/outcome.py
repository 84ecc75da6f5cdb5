"""What a search found: all points of the risk-utility map, its front, the winner, why it won in words, and the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hushwood.policies.policy import Policy
from hushwood.reports.charts.risk_utility import CLEARED, CORNER, NOT_CLEARED, SAMPLED, MapPoint
from hushwood.reports.tuning import CheckedRelease, MapView, map_page
from hushwood.tuning.candidates import Candidate
from hushwood.tuning.scores import Risk, Score, yardsticks
from hushwood.tuning.search import Scored, Searched, difference, standings
from hushwood.version import __version__

Place = tuple[float, float]  # risk as a share of its limit, and utility


@dataclass(frozen=True, slots=True)
class Point:
    """A candidate on the map: `risk` is the worst of the policy's risks as a share of its limit, smoothed.

    `judged` says whether it was judged on the whole table as its release is; others were compared on samples only.
    """

    candidate: Candidate
    score: Score
    risk: float
    utility: float
    judged: bool
    front: bool = False

    @property
    def cleared(self) -> bool:
        """Whether the policy clears it, by all the evidence that a release has."""
        return self.judged and self.score.cleared

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "technique": self.candidate.technique,
            "options": self.candidate.spelt,
            "risk": self.risk,
            "utility": self.utility,
            "front": self.front,
            "judged": self.judged,
            "cleared": self.cleared,
            "score": self.score.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """All points, the untouched table and pure noise as corners, the winner, and why it won.

    If nothing was cleared, the winner is what comes nearest.
    """

    policy: Policy
    points: tuple[Point, ...]
    corners: tuple[Score, Score]
    winner: Point
    why: tuple[str, ...]

    @property
    def cleared(self) -> bool:
        """Whether the winner was cleared."""
        return self.winner.cleared

    @property
    def front(self) -> tuple[Point, ...]:
        """The points that no other beats, compared on the same records; by rising risk."""
        return tuple(sorted((point for point in self.points if point.front), key=lambda point: point.risk))

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "format": "hushwood-tuning",
            "version": 1,
            "policy": self.policy.name,
            "winner": self.winner.candidate.label,
            "cleared": self.cleared,
            "why": list(self.why),
            "utility_measures": [measure.name for measure in yardsticks()],
            "points": [point.to_json() for point in self.points],
            "corners": [corner.to_json() for corner in self.corners],
        }


def outcome_of(found: Searched, policy: Policy) -> Outcome:
    """Put the points on the map and choose the winner."""
    points = _points(found)
    judged = [point for point in points if point.judged]
    cleared = sorted((p for p in judged if p.cleared), key=lambda p: p.score.utility, reverse=True)
    winner = cleared[0] if cleared else _nearest(judged)
    why = _why_won(winner, cleared[1:], judged, policy) if cleared else _why_none(winner, points, policy)
    return Outcome(policy, points, found.corners, winner, tuple(why))


def _points(found: Searched) -> tuple[Point, ...]:
    judged = {candidate.label for candidate, _ in found.judged}
    places = {one.candidate.label: (one.risk, one.utility) for one in standings(found.latest)}
    front = front_of([_places(ground) for ground in found.grounds])
    return tuple(
        Point(c, score, *places[c.label], c.label in judged, c.label in front) for c, score in found.latest
    )


def _places(scored: Scored) -> dict[str, Place]:
    return {one.candidate.label: (one.risk, one.utility) for one in standings(scored)}


def front_of(grounds: Sequence[Mapping[str, Place]]) -> set[str]:
    """What nothing else beats: is better in risk or utility without being worse in the other.

    Two are compared on the most thorough ground that both met, because less evidence makes risks look larger: the
    worst of several uncertain numbers is too high.

    >>> sorted(front_of([{"a": (0.1, 0.5), "b": (0.2, 0.9), "c": (0.2, 0.4)}]))
    ['a', 'b']
    """
    return {one for one in grounds[0] if not any(_beaten(one, other, grounds) for other in grounds[0])}


def _beaten(one: str, other: str, grounds: Sequence[Mapping[str, Place]]) -> bool:
    ground = next(ground for ground in reversed(grounds) if one in ground and other in ground)
    (risk, utility), (its_risk, its_utility) = ground[one], ground[other]
    return its_risk <= risk and its_utility >= utility and ground[one] != ground[other]


def _nearest(judged: Sequence[Point]) -> Point:
    order = {one.candidate.label: one.order for one in standings([(p.candidate, p.score) for p in judged])}
    return min(judged, key=lambda point: order[point.candidate.label])


def _why_won(
    winner: Point, others: Sequence[Point], judged: Sequence[Point], policy: Policy
) -> Iterator[str]:
    label, useful = winner.candidate.label, winner.score.utility
    tried = f"{len(judged)} judged on the whole table" if len(judged) > 1 else "one judged on the whole table"
    yield (
        f"{label} is the most useful release that the policy {policy.name} clears: it keeps {100 * useful:.0f} % of "
        f"the way from pure noise to the untouched table ({tried})."
    )
    tight = max(
        (risk for risk in winner.score.risks if risk.value is not None),
        key=lambda risk: risk.share(risk.high),
        default=None,
    )
    if tight is not None:
        yield (
            f"Its tightest check is {tight.check}: at most {tight.high:.3f} by the upper end of the interval, and "
            f"{tight.at_most:g} is allowed."
        )
    if others:
        yield _over(winner, others[0])
    failed = [p for p in judged if not p.cleared and p.score.utility > useful]
    if failed:
        best = max(failed, key=lambda point: point.score.utility)
        broken = [risk for risk in best.score.risks if risk.status != "pass"]
        yield (
            f"{best.candidate.label} would be more useful ({100 * best.score.utility:.0f} %), but is not cleared: "
            f"{'; '.join(map(_against_limit, broken)) or ' '.join(best.score.blocking)}."
        )


def _over(winner: Point, other: Point) -> str:
    gap, half = difference(winner.score, other.score)
    ahead = f"by {100 * gap:.1f} points of utility"
    if half is None:
        return f"It is ahead of {other.candidate.label} {ahead}; one split gives no interval."
    sure = "" if gap - half > 0 else ", so the two are about equally useful"
    return (
        f"It is ahead of {other.candidate.label}, the next that is cleared, {ahead} (95 % interval "
        f"{100 * (gap - half):.1f} to {100 * (gap + half):.1f}, on the same splits){sure}."
    )


def _why_none(winner: Point, points: Sequence[Point], policy: Policy) -> Iterator[str]:
    """Why nothing was cleared: the best reachable of every check that fails, what it costs, and other policies."""
    yield (
        f"No release was found that the policy {policy.name} clears. {winner.candidate.label} comes nearest; its "
        f"utility is {100 * winner.score.utility:.0f} %."
    )
    yield from winner.score.blocking
    judged = [point for point in points if point.judged]
    for place, risk in enumerate(winner.score.risks):
        if risk.status == "pass":
            continue
        known = [point for point in judged if point.score.risks[place].value is not None]
        if not known:
            yield f"{risk.check} cannot be judged: {risk.reason}"
            continue
        best = min(known, key=lambda point: point.score.risks[place].high)
        yield (
            f"The best reachable is {_against_limit(best.score.risks[place])} with {best.candidate.label}, at a "
            f"utility of {100 * best.score.utility:.0f} %."
        )
    if winner.score.status == "not proven":
        yield (
            "Its estimates are below their limits and only the intervals are not: more throw-away releases "
            "(--evidence full) or more records would narrow them."
        )
    yield from _other_policies(judged, policy)


def _other_policies(judged: Sequence[Point], policy: Policy) -> Iterator[str]:
    """Which built-in policies would clear the most useful of the same releases."""
    names = dict.fromkeys(name for point in judged for name in point.score.cleared_by if name != policy.name)
    for name in names:
        best = max((p for p in judged if name in p.score.cleared_by), key=lambda p: p.score.utility)
        yield (
            f"The policy {name} would clear {best.candidate.label}, with a utility of "
            f"{100 * best.score.utility:.0f} %."
        )
    if not names:
        yield "No other built-in policy would clear any of these releases by this evidence."


def _against_limit(risk: Risk) -> str:
    if risk.value is None:
        return f"{risk.check} is not proven ({risk.reason.removesuffix('.')})"
    ends = f"{risk.low:.3f} to {risk.high:.3f}"
    return f"{risk.check} {risk.value:.3f} (interval {ends}, where {risk.at_most:g} is allowed)"


def page_of(outcome: Outcome, table: str, records: int) -> str:
    """The page about a table with that name."""
    judged = sorted((p for p in outcome.points if p.judged), key=lambda p: -p.score.utility)
    label = outcome.winner.candidate.label
    return map_page(
        MapView(
            table,
            records,
            outcome.policy.name,
            outcome.cleared,
            f"{label} is released" if outcome.cleared else "Nothing that was tried is cleared",
            outcome.why,
            map_points(outcome),
            [risk.check for risk in outcome.winner.score.risks],
            [CheckedRelease(p.candidate.label, [_words(risk) for risk in p.score.risks]) for p in judged],
            [measure.title for measure in yardsticks()],
            __version__,
        )
    )


def map_points(outcome: Outcome) -> list[MapPoint]:
    """All points, the corners last."""
    points = [_point(point, winner=point == outcome.winner) for point in outcome.points]
    return [*points, *(_corner(score) for score in outcome.corners)]


def _point(point: Point, *, winner: bool) -> MapPoint:
    kind = SAMPLED if not point.judged else CLEARED if point.cleared else NOT_CLEARED
    upper = _worst(point.score, upper=True)
    return MapPoint(point.candidate.label, point.utility, point.risk, upper, kind, point.front, winner)


def _corner(score: Score) -> MapPoint:
    return MapPoint(score.label, score.utility, _worst(score), _worst(score, upper=True), CORNER)


def _worst(score: Score, *, upper: bool = False) -> float:
    known = (risk for risk in score.risks if risk.value is not None)
    return max((risk.share(risk.high if upper else risk.value or 0.0) for risk in known), default=0.0)


def _words(risk: Risk) -> str:
    mark = {"pass": "", "fail": " ✕", "not proven": " ?"}[risk.status]
    if risk.value is None:
        return f"–{mark}"
    return f"{risk.value:.3f} ({risk.low:.3f} to {risk.high:.3f}){mark}"
