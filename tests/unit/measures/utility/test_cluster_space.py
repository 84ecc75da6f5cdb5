"""Records as points, on tables that can be worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.measures.utility.cluster_space import FARTHEST, MOST_CATEGORIES, ClusterSpace
from hushwood.tables.table import Table
from mixed_tables import category, mixed_table, number, table_of, target

ROWS = np.arange(4)


def small(values: list[float], codes: list[int]) -> Table:
    classes = [0, 1] * (len(values) // 2)
    return table_of(
        {
            "x": (number("x", 0, 9), values),
            "c": (category("c", "ab"), codes),
            "k": (target("k", "no"), classes),
        }
    )


def test_numbers_in_deviations_and_categories_as_marks() -> None:
    """1, 1, 3 and 3 have mean 2 and deviation 1; b is the more frequent category, so it comes first."""
    table = small([1, 1, 3, 3], [1, 1, 0, -1])

    found = ClusterSpace.of(table, ROWS).points(table, ROWS)

    assert found.tolist() == [[-1, 1, 0, 0], [-1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1]]


def test_another_table_is_put_into_the_same_space() -> None:
    space = ClusterSpace.of(small([1, 1, 3, 3], [1, 1, 0, 1]), ROWS)

    found = space.points(small([5, np.nan, 2, 1e300], [0, 0, 1, -1]), ROWS)

    assert found[:, 0].tolist() == [3, 0, 0, FARTHEST]
    assert found[:, 1:].tolist() == [[0, 1, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]]


def test_numbers_of_any_size() -> None:
    table = small([1e308, -1e308, 1e308, -1e308], [0, 0, 0, 0])

    assert ClusterSpace.of(table, ROWS).points(table, ROWS)[:, 0] == pytest.approx([1, -1, 1, -1])


def test_columns_that_do_not_vary_have_no_place() -> None:
    space = ClusterSpace.of(mixed_table(1, 30), np.arange(30))

    assert set(space.numeric) == {"count", "price", "ratio"}
    assert set(space.categorical) == {"city", "job", "nothing"}


def test_rare_categories_share_a_place() -> None:
    names = [f"c{i}" for i in range(MOST_CATEGORIES + 10)]
    codes = [*range(len(names)), *range(MOST_CATEGORIES)]
    table = table_of({"c": (category("c", names), codes), "k": (target("k", "no"), [0] * len(codes))})
    rows = np.arange(len(codes))

    found = ClusterSpace.of(table, rows).points(table, rows)

    assert found.shape[1] == MOST_CATEGORIES + 2
    assert found.sum(axis=0).tolist() == [2] * MOST_CATEGORIES + [10, 0]
