"""The risk-utility map of a search: where each release that was tried stands in the picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

WIDTH, HEIGHT, MARGIN = 640, 360, 48
_FARTHEST = 4.0  # times the limit; what is riskier stands at the right edge


@dataclass(frozen=True, slots=True)
class Placed:
    """A release on the map: its place in the picture and what was found about it."""

    number: int
    label: str
    x: float
    y: float
    what: str
    chosen: bool
    point: Mapping[str, Any]


def placed(tried: Mapping[str, Any]) -> list[Placed]:
    """Every point of a search; risk grows to the right on a square-root scale, utility upwards."""
    found = []
    for number, point in enumerate(tried["points"], start=1):
        what = (
            "cleared"
            if point["cleared"]
            else "not cleared"
            if point["judged"]
            else "compared on a sample only"
        )
        label = point["score"]["label"]
        chosen = label == tried["winner"]
        found.append(Placed(number, label, across(point["risk"]), up(point["utility"]), what, chosen, point))
    return found


def across(risk: float) -> float:
    """Where a risk stands, as a multiple of its limit.

    >>> across(0), round(across(1)), across(99)
    (48.0, 320, 592.0)
    """
    return round(MARGIN + (WIDTH - 2 * MARGIN) * sqrt(min(max(risk, 0.0), _FARTHEST) / _FARTHEST), 1)


def up(utility: float) -> float:
    """Where a utility from 0 to 1 stands.

    >>> up(0.0), up(1.0)
    (312.0, 48.0)
    """
    return round(HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * min(max(utility, 0.0), 1.0), 1)
