"""Values that occur, and groups of alike ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.value_clusters.grouping.records import (
    AlikeValues,
    groups_of_values,
    observed_values,
    similar_pairs,
)
from support.mixed_tables import category, mixed_table, number, table_of, target


def test_values_that_occur() -> None:
    """Unused categories and constant columns are left out; a missing value is one, with an empty name."""
    table = table_of(
        {
            "b": (category("b", ("p", "never", "q")), [0, 2, 0, 0, -1]),
            "a": (category("a", ("x", "y")), [1, 0, 1, 1, 1]),
            "constant": (category("constant", ("c", "d")), [0] * 5),
            "x": (number("x", 0, 9), [1, 2, 3, 4, 5]),
        }
    )
    found = observed_values(table)
    assert found.names == ("a", "b")
    assert found.values == (("x", "y"), ("", "p", "q"))
    assert (found.records, found.sizes) == (5, (2, 3))
    assert found.weight.tolist()[0] == 3
    held = {(*codes,): w for *codes, w in zip(*found.codes.tolist(), found.weight.tolist(), strict=True)}
    assert held == {(1, 1): 3, (0, 2): 1, (1, 0): 1}


def test_named_columns_only() -> None:
    table = mixed_table(3, 100)
    assert observed_values(table, ("risk", "city")).names == ("city", "risk")
    for name in ("count", "nothing", "absent"):
        with pytest.raises(InputError, match=f"'{name}' cannot be clustered.*There are city, job, risk"):
            observed_values(table, ("city", name))


def test_a_binned_class_is_its_bins() -> None:
    wages = target("wage", tuple(str(w) for w in range(1, 7)))
    table = table_of(
        {"a": (category("a", "xy"), [0, 1] * 3), "wage": (replace(wages, bins=(3.0,)), [0, 1, 2, 3, 4, 5])}
    )
    found = observed_values(table)
    assert found.values == (("x", "y"), ("<= 3", "> 3"))


def test_no_columns() -> None:
    found = observed_values(table_of({"x": (number("x", 0, 9), [1, 2])}))
    assert (found.names, found.records, found.sizes) == ((), 0, ())


CARS = category("car", ("Ford", "Holden", "Nissan", "Toyota"))


def test_pairs() -> None:
    assert similar_pairs([("b", "a", "c"), ("c", "d"), ("e",)]) == {
        *(("a", "b"), ("a", "c"), ("b", "c")),
        ("c", "d"),
    }
    assert similar_pairs([]) == set()


def test_a_value_in_several_clusters_is_in_that_of_most_records() -> None:
    clusters = [AlikeValues(("Ford", "Holden"), 10), AlikeValues(("Ford", "Toyota", ""), 30)]
    groups = groups_of_values(CARS, clusters)
    assert groups is not None
    ford, holden, nissan, toyota, missing = groups.of_code.tolist()
    assert ford == toyota == missing
    assert len({ford, holden, nissan}) == 3
    assert sorted(set(groups.of_code.tolist())) == [0, 1, 2]


def test_the_first_of_equal_clusters_wins() -> None:
    groups = groups_of_values(CARS, [AlikeValues(("Ford", "Holden"), 9), AlikeValues(("Ford", "Toyota"), 9)])
    assert groups is not None
    ford, holden, _, toyota, _ = groups.of_code.tolist()
    assert ford == holden != toyota


def test_without_two_values_together_there_are_no_groups() -> None:
    assert groups_of_values(CARS, []) is None
    assert groups_of_values(CARS, [AlikeValues(("Ford",), 9), AlikeValues(("Nissan",), 3)]) is None
    assert groups_of_values(CARS, [AlikeValues(("Ford", "Toyota"), 1)]) is not None


def test_records_are_looked_up_by_their_own_value() -> None:
    groups = groups_of_values(CARS, [AlikeValues(("Ford", "Toyota"), 1)])
    assert groups is not None
    found = groups.group_of({"car": np.array([0, 3, 1, -1], np.int32)})
    assert found[0] == found[1]
    assert len(set(found.tolist())) == 3
    assert (groups.reads, groups.siblings) == (("car",), {})
