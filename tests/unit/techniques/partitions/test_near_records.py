from __future__ import annotations

import numpy as np

from hushwood.techniques.partitions.near_records import blocks, near_records
from hushwood.techniques.together.cells import CellLayout


def test_large_cells_are_halved_along_their_widest_column() -> None:
    chance = np.random.default_rng(7)
    points = chance.normal(size=(103, 2)) * [1.0, 5.0]
    cell = np.repeat([0, 1], [100, 3])
    layout = blocks(points, CellLayout.of(cell, 2), 50)
    sizes = np.diff(layout.start)
    assert sizes.tolist() == [50, 3, 50]
    low, small, high = np.split(layout.order, layout.start[1:-1])
    assert points[low, 1].max() < points[high, 1].min()
    assert small.tolist() == [100, 101, 102]
    assert np.diff(blocks(points, CellLayout.of(cell, 2), 49).start).max() <= 49
    assert blocks(points, CellLayout.of(cell, 2), 100).order.tolist() == list(range(103))


def test_groups_are_made_among_records_with_the_same_numbers_missing() -> None:
    numbers = np.array([[1.0, 1.0], [1.1, np.nan], [5.0, np.nan], [1.0, 1.0], [5.0, 5.0], [5.1, 5.0]])
    found = near_records(numbers, np.zeros(6, int), "table", 2)
    groups = {frozenset(np.flatnonzero(found == g).tolist()) for g in set(found.tolist())}
    assert groups == {frozenset({1, 2}), frozenset({0, 3}), frozenset({4, 5})}
    alone = near_records(numbers, np.arange(6), "segment", 2)
    assert len(set(alone.tolist())) == 6
