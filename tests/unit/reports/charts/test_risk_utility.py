"""The risk-utility map: points, the front, the limit, and the same numbers as a table."""

from __future__ import annotations

import json
from typing import Any

from hushwood.reports.charts.risk_utility import CLEARED, CORNER, NOT_CLEARED, MapPoint, map_chart

POINTS = (
    MapPoint("safe", 0.4, 0.2, 0.3, CLEARED, front=True),
    MapPoint("best", 0.8, 0.5, 0.9, CLEARED, front=True, winner=True),
    MapPoint("risky", 0.9, 2.0, 2.5, NOT_CLEARED, front=True),
    MapPoint("untouched", 1.0, 20.0, 20.5, CORNER),
)


def layers_of(mark: str) -> list[dict[str, Any]]:
    return [one for one in map_chart(POINTS).spec["layer"] if one["mark"]["type"] == mark]


def test_the_numbers_are_in_the_table_the_most_useful_first() -> None:
    rows = map_chart(POINTS).rows
    assert [row[0] for row in rows] == ["untouched", "risky", "best (released)", "safe"]
    assert rows[2][1:] == ("80\N{NO-BREAK SPACE}%", "0.50", "0.90", "cleared", "yes")


def test_all_points_fit_and_the_limit_is_drawn_at_one() -> None:
    spec = map_chart(POINTS).spec
    drawn = spec["datasets"]["rows"]
    (points, ring) = layers_of("point")
    domain = points["encoding"]["x"]["scale"]["domain"]
    assert domain[0] == 0
    assert domain[1] >= max(row["upper"] for row in drawn)
    assert layers_of("rule")[0]["encoding"]["x"]["datum"] == 1
    assert ring["transform"] == [{"filter": "datum.winner"}]


def test_only_kinds_that_occur_are_in_the_legend() -> None:
    (points, _) = layers_of("point")
    assert points["encoding"]["color"]["scale"]["domain"] == [CLEARED, NOT_CLEARED, CORNER]
    assert len(points["encoding"]["shape"]["scale"]["range"]) == 3


def test_the_specification_is_plain_data() -> None:
    assert json.loads(json.dumps(map_chart(POINTS).spec))["layer"]
