from __future__ import annotations

from itertools import combinations

import numpy as np
from frontier.label_places import Placed, placed_labels


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
