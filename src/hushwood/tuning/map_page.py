"""What a search found as the page of the risk-utility map."""

from __future__ import annotations

from hushwood.reports.charts.risk_utility import CLEARED, CORNER, NOT_CLEARED, SAMPLED, MapPoint
from hushwood.reports.tuning import CheckedRelease, MapView, map_page
from hushwood.tuning.outcome import Outcome, Point
from hushwood.tuning.scores import Risk, Score, yardsticks
from hushwood.version import __version__


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
