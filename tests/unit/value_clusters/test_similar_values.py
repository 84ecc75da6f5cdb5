"""Sets of like values as similar pairs and as CAPT's groups."""

from __future__ import annotations

import numpy as np

from hushwood.value_clusters.similar_values import LikeValues, groups_of_values, similar_pairs
from mixed_tables import category

CARS = category("car", ("Ford", "Holden", "Nissan", "Toyota"))


def test_pairs() -> None:
    assert similar_pairs([("b", "a", "c"), ("c", "d"), ("e",)]) == {
        *(("a", "b"), ("a", "c"), ("b", "c")),
        ("c", "d"),
    }
    assert similar_pairs([]) == set()


def test_a_value_in_several_clusters_is_in_that_of_most_records() -> None:
    clusters = [LikeValues(("Ford", "Holden"), 10), LikeValues(("Ford", "Toyota", ""), 30)]
    groups = groups_of_values(CARS, clusters)
    assert groups is not None
    ford, holden, nissan, toyota, missing = groups.of_code.tolist()
    assert ford == toyota == missing
    assert len({ford, holden, nissan}) == 3
    assert sorted(set(groups.of_code.tolist())) == [0, 1, 2]


def test_the_first_of_equal_clusters_wins() -> None:
    groups = groups_of_values(CARS, [LikeValues(("Ford", "Holden"), 9), LikeValues(("Ford", "Toyota"), 9)])
    assert groups is not None
    ford, holden, _, toyota, _ = groups.of_code.tolist()
    assert ford == holden != toyota


def test_without_two_values_together_there_are_no_groups() -> None:
    assert groups_of_values(CARS, []) is None
    assert groups_of_values(CARS, [LikeValues(("Ford",), 9), LikeValues(("Nissan",), 3)]) is None
    assert groups_of_values(CARS, [LikeValues(("Ford", "Toyota"), 1)]) is not None


def test_records_are_looked_up_by_their_own_value() -> None:
    groups = groups_of_values(CARS, [LikeValues(("Ford", "Toyota"), 1)])
    assert groups is not None
    found = groups.group_of({"car": np.array([0, 3, 1, -1], np.int32)})
    assert found[0] == found[1]
    assert len(set(found.tolist())) == 3
    assert (groups.reads, groups.siblings) == (("car",), {})
