from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from frontier.charts import PANELS, picture, specification
from frontier.label_places import Placed, placed_labels
from frontier.yardstick import RISK

from support.frontier_document import NAMES, small_document

DOCUMENT = small_document()


def test_every_contender_with_runs_is_a_point_in_both_panels() -> None:
    spec = specification(DOCUMENT, ("wbc",), "wbc")
    for panel in spec["hconcat"]:
        assert [row["name"] for row in panel["data"]["values"]] == [n for n in NAMES if n != "rankswap"]


def test_a_point_lies_at_its_worst_risk_and_its_utility() -> None:
    rows = {
        row["name"]: row for row in specification(DOCUMENT, ("wine",), "")["hconcat"][0]["data"]["values"]
    }
    # framework is the second of the contenders: excess 0.1, and 2 · (0.5 + 0.1) − 1 for membership
    assert rows["framework"]["risk"] == pytest.approx(0.2)
    assert rows["framework"]["lift_share"] == pytest.approx(0.87)
    assert rows["framework"]["across"] == pytest.approx(0.2**0.5)
    assert rows["framework"]["up"] == pytest.approx((0.87 - 0.5) / 0.6)
    assert len(RISK) == 7


def test_values_beyond_the_ends_are_drawn_at_the_ends() -> None:
    lift, queries = PANELS
    assert [lift.height(value) for value in (-3, 0.8, 7)] == pytest.approx([0, 0.5, 1])
    assert (queries.height(0.9), queries.height(0.0)) == (0, 1)


def test_the_picture_has_colours_points_and_labels() -> None:
    drawn = picture(DOCUMENT, ("wbc", "wine"), "Two tables")
    assert drawn.startswith("<svg")
    assert "NaN" not in drawn
    assert "var(--" not in drawn
    assert ">Two tables<" in drawn
    assert drawn.count(">rankswap<") == 2


def test_a_lonely_point_has_its_label_on_the_right() -> None:
    assert placed_labels([Placed(100, 50, "k=50")]) == [Placed(108, 50, "k=50", "left")]


def test_labels_cover_neither_each_other_nor_a_point() -> None:
    draw = np.random.default_rng(1)
    points = [Placed(float(x), float(y), "a label") for x, y in draw.uniform(50, 250, (25, 2))]
    shown = [place.box for place in placed_labels(points) if place.shown]
    assert len(shown) > 15
    for (left, top, right, bottom), (left2, top2, right2, bottom2) in combinations(shown, 2):
        assert right <= left2 or right2 <= left or bottom <= top2 or bottom2 <= top
    for left, top, right, bottom in shown:
        assert not any(left < p.x < right and top < p.y < bottom for p in points)


def test_a_label_without_room_is_not_shown() -> None:
    crowd = [
        Placed(100.0 + x, 100.0 + y, "crowded label") for x in range(-60, 61, 6) for y in range(-30, 31, 6)
    ]
    assert not any(place.shown for place in placed_labels(crowd)[100:110])
