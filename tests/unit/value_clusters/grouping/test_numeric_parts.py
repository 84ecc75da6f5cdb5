"""Cells parted by k-means: clear clumps, missing numbers, constants, and cells that are too small."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.value_clusters.detective import numeric_parts
from support.mixed_tables import number, table_of

CLUMPS = [1.0, 2.0, 1.5, 90.0, 92.0, 91.0]


def test_clumps_become_parts() -> None:
    """Two cells: in the first, small and large numbers; in the second, the same the other way round."""
    table = table_of(
        {"x": (number("x", 0, 99, 1), CLUMPS + CLUMPS[::-1]), "y": (number("y", 5, 5), [5.0] * 12)}
    )
    cell = np.repeat([0, 1], 6)
    parts = numeric_parts(table, cell, ("x", "y"), 2, 4)
    assert parts.part_of(cell, table.columns).tolist() == [0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0]
    first = (1.5 - sum(CLUMPS) / 6) / float(np.std(CLUMPS))
    assert parts.centres[0, 0].tolist() == pytest.approx([first, 0])


def test_three_parts() -> None:
    table = table_of({"x": (number("x", 0, 999, 0), [1.0, 2.0, 500.0, 501.0, 900.0, 901.0])})
    cell = np.zeros(6, np.int64)
    assert numeric_parts(table, cell, ("x",), 3, 2).part_of(cell, table.columns).tolist() == [
        *(0, 0, 1, 1, 2, 2)
    ]


def test_a_missing_number_counts_as_the_mean() -> None:
    """The mean of all is nearer to the large numbers here."""
    table = table_of({"x": (number("x", 0, 99, 0), [1.0, 2.0, 80.0, 81.0, 82.0, 83.0, np.nan])})
    cell = np.zeros(7, np.int64)
    parts = numeric_parts(table, cell, ("x",), 2, 2).part_of(cell, table.columns)
    assert parts.tolist() == [0, 0, 1, 1, 1, 1, 1]


def test_small_and_constant_cells_stay_whole() -> None:
    table = table_of({"x": (number("x", 0, 99, 1), [*CLUMPS, 7.0, 7.0, 7.0, 7.0, 1.0, 90.0])})
    cell = np.repeat([0, 1, 2], [6, 4, 2])
    part = numeric_parts(table, cell, ("x",), 2, 4).part_of(cell, table.columns)
    assert part.tolist() == [0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0]


def test_more_parts_than_different_points() -> None:
    table = table_of({"x": (number("x", 0, 9, 0), [1.0, 1.0, 9.0, 9.0])})
    cell = np.zeros(4, np.int64)
    assert numeric_parts(table, cell, ("x",), 3, 2).part_of(cell, table.columns).tolist() == [0, 0, 1, 1]


def test_without_numbers_there_is_one_part() -> None:
    table = table_of({"x": (number("x", 0, 99, 1), CLUMPS), "void": (number("void", 0, 0), [np.nan] * 6)})
    cell = np.zeros(6, np.int64)
    assert not numeric_parts(table, cell, (), 2, 2).part_of(cell, table.columns).any()
    assert not numeric_parts(table, cell, ("void",), 2, 2).part_of(cell, table.columns).any()
    assert not numeric_parts(table, cell, ("x",), 1, 2).part_of(cell, table.columns).any()
