from __future__ import annotations

import numpy as np
import pytest
from frontier.neighbours import BLOCK, nearest, own_is_nearest


def test_distances_against_all_pairs() -> None:
    draw = np.random.default_rng(1)
    targets, points = draw.normal(size=(BLOCK + 7, 3)), draw.normal(size=(50, 3))
    every = np.sort(np.linalg.norm(targets[:, None] - points, axis=2), axis=1)
    assert nearest(targets, points, 5) == pytest.approx(every[:, :5], abs=1e-6)


def test_fewer_points_than_asked_for() -> None:
    assert nearest(np.zeros((1, 1)), np.array([[3.0], [4.0]]), 4).tolist() == [[3, 4, 4, 4]]


def test_ties_share_the_chance() -> None:
    targets = np.array([[0.0], [0.0], [5.0]])
    assert own_is_nearest(targets, np.array([[0.0], [0.0], [9.0]])).tolist() == [0.5, 0.5, 1.0]
    assert own_is_nearest(targets, np.array([[5.0], [0.0], [0.0]])).tolist() == [0.0, 0.5, 0.0]
