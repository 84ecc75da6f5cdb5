from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.tables.automatic_taxonomies import automatic_taxonomy
from hushwood.tables.taxonomies import check_complete, check_taxonomy, leaves_under
from mixed_tables import category


@pytest.mark.parametrize("names", [(), ("a",), ("a", "b"), ("a", "b", "c")])
def test_few_values_go_straight_to_the_root(names: tuple[str, ...]) -> None:
    found = automatic_taxonomy(category("x", names), np.ones((len(names), 2)))
    assert found.levels == {name: (name, "*") for name in names}


def test_values_with_like_classes_are_grouped_first() -> None:
    counts = np.array([[9, 1], [1, 9], [8, 2], [20, 80]])
    found = automatic_taxonomy(category("x", "abcd"), counts)
    assert found.levels == {
        "a": ("a", "{a, c}", "*"),
        "b": ("b", "{b, d}", "*"),
        "c": ("c", "{a, c}", "*"),
        "d": ("d", "{b, d}", "*"),
    }


def test_values_without_records_go_with_the_whole_table() -> None:
    counts = np.array([[5, 5], [10, 0], [0, 10], [0, 0]])
    assert automatic_taxonomy(category("x", "abcd"), counts).levels["d"][1] == "{a, d}"


def test_tables_without_classes_or_with_very_many_values() -> None:
    assert automatic_taxonomy(category("x", "abcd"), np.zeros((4, 0))).height == 1
    many = tuple(map(str, range(2001)))
    assert automatic_taxonomy(category("x", many), np.ones((2001, 2))).height == 1


@given(st.integers(4, 40), st.integers(1, 4), st.integers(0, 99))
def test_every_level_halves_the_groups(size: int, classes: int, seed: int) -> None:
    counts = np.random.default_rng(seed).integers(0, 5, (size, classes))
    names = tuple(f"v{i}" for i in range(size))
    found = automatic_taxonomy(category("x", names), counts)
    check_taxonomy(found)
    check_complete(found, names)
    for level in range(found.height + 1):
        groups = {way[level] for way in found.levels.values()}
        assert len(groups) == -(-size // 2**level)
    assert leaves_under(found)["*"] == list(names)
