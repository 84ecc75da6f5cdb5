from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.tables.table import Table
from hushwood.techniques.partitions.mondrian_parts import Limits, mondrian_parts
from oracles import mondrian as oracle
from support.mixed_tables import category, number, table_of, target
from support.small_random_tables import groups_of, plain_column, random_table

KINDS = ("n", "nn", "d", "c", "cc", "nc", "cn", "dcn", "ncd", "nncc")


def expected(
    table: Table, names: Sequence[str], limits: Limits, sensitive: Sequence[str] = ()
) -> set[tuple[int, ...]]:
    found = oracle.parts(
        [plain_column(table, name) for name in names],
        [table.schema[name].kind for name in names],
        plain_column(table, "y"),
        limits.k,
        limits.l,
        [plain_column(table, name) for name in sensitive],
        limits.max_parts,
        limits.min_gain,
        numeric=table.schema["y"].kind == "numeric",
    )
    return {tuple(part) for part in found}


@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("response", ["two", "three", "number"])
def test_the_parts_are_those_of_the_definition(kinds: str, response: str) -> None:
    several = 0
    for seed in range(10):
        rows, k = 12 + seed * 5, 2 + seed % 4
        table = random_table(
            seed, kinds, rows, 2 if response == "two" else 3, gaps=0.15 * (seed % 2), response=response
        )
        names = table.schema.names[:-1]
        for limits in (Limits(k), Limits(k, max_parts=1 + seed % 6), Limits(k, min_gain=0.05)):
            found = mondrian_parts(table, names, limits)
            assert groups_of(found.ids.tolist()) == expected(table, names, limits), (seed, limits)
            assert found.count == len(set(found.ids.tolist()))
            assert np.bincount(found.ids).min() >= k
            assert found.of(table.columns).tolist() == found.ids.tolist()
            several += found.count > 2
    assert several > 7


@pytest.mark.parametrize("kinds", ["nnc", "ccn", "dcc"])
@pytest.mark.parametrize("response", ["class", "number"])
def test_with_sensitive_columns_they_are_diverse(kinds: str, response: str) -> None:
    several = 0
    for seed in range(16):
        table = random_table(seed, kinds, 30 + seed * 2, 2, gaps=0.1, response=response)
        *names, sensitive = table.schema.names[:-1]
        held = plain_column(table, sensitive)
        limits = Limits(2, 2.0 if seed % 2 else 1.5)
        if max(Counter(held).values()) * limits.l > table.rows:
            continue
        found = mondrian_parts(table, names, limits, [sensitive])
        assert groups_of(found.ids.tolist()) == expected(table, names, limits, [sensitive]), seed
        for rows in groups_of(found.ids.tolist()):
            assert max(Counter(held[row] for row in rows).values()) * limits.l <= len(rows)
        several += found.count > 2
    assert several > 8


def test_two_numbers_that_tell_the_class_apart() -> None:
    table = table_of(
        {
            "x": (number("x", 0, 9), [1, 2, 3, 4, 5, 6]),
            "y": (target("y", "ab"), [0, 0, 1, 1, 1, 1]),
        }
    )
    found = mondrian_parts(table, ["x"], Limits(2))
    # The first cut is where the class changes; the four that are left have one class and are halved.
    assert groups_of(found.ids.tolist()) == {(0, 1), (2, 3), (4, 5)}
    assert [cut.threshold for cut in found.cuts] == [2.5, 4.5]


def test_values_of_a_category_that_go_with_the_same_class_stay_together() -> None:
    table = table_of(
        {
            "x": (category("x", "abcd"), [0, 1, 2, 3] * 2),
            "y": (target("y", "no"), [0, 1, 0, 1] * 2),
        }
    )
    found = mondrian_parts(table, ["x"], Limits(4))
    assert groups_of(found.ids.tolist()) == {(0, 2, 4, 6), (1, 3, 5, 7)}
    assert {found.cuts[0].values, found.cuts[0].others} == {(0, 2), (1, 3)}


def test_missing_numbers_are_below_all_others() -> None:
    table = table_of(
        {
            "x": (number("x", 0, 9), [float("nan")] * 3 + [-5, 0, 5]),
            "y": (target("y", "no"), [0, 0, 0, 1, 1, 1]),
        }
    )
    found = mondrian_parts(table, ["x"], Limits(3))
    assert groups_of(found.ids.tolist()) == {(0, 1, 2), (3, 4, 5)}
    others = {"x": np.array([-1e9, 7.0, float("nan")])}
    assert found.of(others).tolist() == [found.ids[3], found.ids[3], found.ids[0]]


def test_a_category_nobody_had_goes_with_the_larger_side() -> None:
    table = table_of(
        {
            "x": (category("x", "abz"), [0] * 4 + [1] * 6),
            "y": (target("y", "no"), [0] * 4 + [1] * 6),
        }
    )
    found = mondrian_parts(table, ["x"], Limits(3))
    unseen = found.of({"x": np.array([2, 0, 1, -1], np.int32)})
    assert unseen.tolist() == [found.ids[9], found.ids[0], found.ids[9], found.ids[9]]


def test_no_columns_are_one_part() -> None:
    table = random_table(1, "n", 10, 2)
    found = mondrian_parts(table, [], Limits(2))
    assert found.count == 1
    assert found.ids.tolist() == [0] * 10


def test_a_binned_class_uses_its_bins() -> None:
    table = table_of(
        {
            "x": (number("x", 0, 9), [1, 2, 3, 4]),
            "y": (replace(target("y", ["1", "2", "30", "40"]), bins=(10.0,)), [0, 1, 2, 3]),
        }
    )
    found = mondrian_parts(table, ["x"], Limits(1))
    # Without bins every cut would be where the class changes, and the first the best of equals.
    assert found.cuts[0].threshold == 2.5


@pytest.mark.parametrize(
    ("limits", "sensitive", "message"),
    [
        (Limits(21), (), r"Groups of k = 21 records cannot be made of 20; choose a smaller k\."),
        (Limits(2, 2.0), (), "none is declared as confidential"),
        (Limits(2, 30.0), ("c1",), r"l = 30 cannot be reached: one value of 'c1' is in \d+ of 20 records"),
    ],
)
def test_what_no_partition_fulfils_is_refused(
    limits: Limits, sensitive: tuple[str, ...], message: str
) -> None:
    table = random_table(3, "nc", 20, 2)
    with pytest.raises(InputError, match=message):
        mondrian_parts(table, ["n0"], limits, sensitive)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"k": 0}, "k must be 1 or more"),
        ({"l": 0.5}, "l must be 1"),
        ({"l": float("nan")}, "l must be .*1 or more; nan"),
        ({"max_parts": 0}, "max_parts must be 1 or more"),
        ({"min_gain": -1.0}, "min_gain must be 0 or more"),
    ],
)
def test_wrong_limits(wrong: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Limits(**wrong)  # type: ignore[arg-type]


def test_categories_in_order_are_cut_between_neighbours() -> None:
    """As sets, a and c would go together; in order they cannot without b."""
    steps = replace(category("x", "abcd"), ordered=True)
    table = table_of(
        {"x": (steps, [0, 1, 2, 3] * 2 + [-1, -1]), "y": (target("y", "no"), [0, 0, 1, 1] * 2 + [0, 0])}
    )
    found = mondrian_parts(table, ["x"], Limits(2))
    assert found.cuts[0].threshold == 1.5
    assert found.of({"x": np.array([-1, 0, 1, 2, 3], np.int32)}).tolist() == [
        found.ids[row] for row in (8, 0, 1, 2, 3)
    ]
