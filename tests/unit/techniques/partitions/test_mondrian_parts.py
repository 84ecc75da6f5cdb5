"""Cuts along a hierarchy, against all that are possible."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.recoding.cells import coded_labels
from hushwood.tables.recoding.taxonomies import Taxonomy
from hushwood.tables.table import Table
from hushwood.techniques.partitions.generalised_groups import group_labels, group_numbers
from hushwood.techniques.partitions.mondrian_parts import HierarchyCuts, Limits, mondrian_parts, rank_groups
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


NAMES = ("a", "b", "c", "d", "e")
WAYS = Taxonomy("x", {x: (x, "ab" if x in "ab" else "cde", "*") for x in NAMES})


def bits(labels: Sequence[int]) -> float:
    return -sum(n * math.log2(n / len(labels)) for n in Counter(labels).values())


def test_groups_by_level_with_missing_apart() -> None:
    found = rank_groups(NAMES, np.array([-1, 0, 1, 2, 4]), WAYS)
    assert found.tolist() == [[0, 1, 2, 3, 4], [0, 1, 1, 2, 2], [0, 0, 0, 0, 0]]


@pytest.mark.parametrize("seed", range(12))
def test_the_best_cut_of_all(seed: int) -> None:
    """The part is cut at the highest level that tells its values apart, one group from the others."""
    chance = np.random.default_rng(seed)
    codes = chance.integers(0, 5 if seed % 2 else 2, 30)
    label, secret = chance.integers(0, 3, 30), chance.integers(0, 4, 30)
    k, least = 3 + seed % 4, 1.0 + seed % 3 / 2
    rows = np.flatnonzero(chance.random(30) < 0.8)
    cuts = HierarchyCuts(k, least, label, 3, np.zeros(0), np.zeros(0), secret[None])
    found = cuts.best(rows, rank_groups(NAMES, np.arange(5), WAYS)[:, codes[rows]])
    ways = [WAYS.levels[NAMES[code]] for code in codes[rows]]
    level = 1 if len({way[1] for way in ways}) > 1 else 0
    wanted = []
    for group in dict.fromkeys(sorted(way[level] for way in ways)):
        left = [r for r, way in zip(rows.tolist(), ways, strict=True) if way[level] == group]
        right = [r for r in rows.tolist() if r not in left]
        sides = [side for side in (left, right) if side]
        fine = len(sides) == 2 and all(
            len(side) >= k and max(Counter(secret[side].tolist()).values()) * least <= len(side)
            for side in sides
        )
        if fine:
            wanted.append((sum(bits(label[side].tolist()) for side in sides), left))
    if not wanted:
        assert found is None
        return
    assert found is not None
    assert found[0] == pytest.approx(min(score for score, _ in wanted))
    assert any(found[1].tolist() == left and score == pytest.approx(found[0]) for score, left in wanted)


def test_numbers_are_explained_by_their_squares() -> None:
    number = np.array([0.0, 0.0, 5.0, 5.0])
    cuts = HierarchyCuts(1, 1.0, np.zeros(0, int), 0, number, np.ones(4), np.zeros((0, 4), int))
    found = cuts.best(np.arange(4), np.array([[0, 0, 1, 1], [0, 0, 0, 0]]))
    assert found is not None
    assert (found[0], sorted(found[1].tolist())) == (0.0, [0, 1])
    assert cuts.best(np.arange(2), np.array([[0, 0], [0, 0]])) is None


NAN = float("nan")


@settings(max_examples=80)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.one_of(st.none(), st.integers(-500, 500))), min_size=1, max_size=40
    ),
    st.sampled_from([0, 1, 2, None]),
    st.sampled_from(["mean", "median"]),
)
def test_numbers_lie_inside_their_group_and_on_the_grid(
    cells: list[tuple[int, int | None]], precision: int | None, inside: str
) -> None:
    step = 10.0 ** (precision or 0)
    values = np.array([NAN if x is None else x / step for _, x in cells])
    ids = np.array([group for group, _ in cells])
    out = group_numbers(values, ids, 4, number("x", -500, 500, precision), inside)  # type: ignore[arg-type]
    for group in range(4):
        known = sorted(x / step for g, x in cells if g == group and x is not None)
        if not known:
            assert np.isnan(out[group])
            continue
        assert known[0] <= out[group] <= known[-1]
        if inside == "median":
            assert out[group] == known[(len(known) - 1) // 2]
        else:
            assert (
                abs(out[group] - sum(known) / len(known)) <= (0.0 if precision is None else 0.5 / step) + 1e-9
            )
            if precision is not None:
                assert out[group] == round(float(out[group]), precision)


def test_equal_numbers_are_their_mean() -> None:
    found = group_numbers(np.array([0.1, 0.1, 0.1]), np.zeros(3, int), 1, number("x", 0, 1, None), "mean")
    assert found.tolist() == [0.1]


def test_a_single_keeps_its_precision() -> None:
    values = np.array([100_000.1, 100_000.3], np.float32).astype(float)
    attribute = replace(number("x", 0, 1e6, None), storage="Float32")
    found = group_numbers(values, np.zeros(2, int), 1, attribute, "mean")
    assert found[0] == np.float32(found[0])


def test_labels_of_groups() -> None:
    attribute = category("x", ("a", "b", "c", "never"))
    codes = np.array([0, 1, 0, 1, 2, -1, -1, -1, 0, 1, 2, -1])
    ids = np.array([0, 0, 1, 2, 2, 3, 4, 4, 5, 5, 5, 5])
    found, categories, key = group_labels(codes, ids, 6, attribute)
    assert key == {}
    assert categories == ("a", "b", "c", "never", "ALL", "{a, b}", "{b, c}")
    assert [categories[code] if code >= 0 else None for code in found.tolist()] == [
        *("{a, b}", "a", "{b, c}", None, None, "ALL")
    ]


def test_a_column_without_any_value() -> None:
    found, categories, key = group_labels(np.array([-1, -1]), np.array([0, 1]), 2, category("x", ()))
    assert (found.tolist(), categories, key) == ([-1, -1], (), {})


def test_labels_that_are_categories_already() -> None:
    found, categories, _ = coded_labels(["*", None, "b", "{a, b}", "*"], {}, category("x", ("a", "b", "*")))
    assert categories == ("a", "b", "*", "{a, b}")
    assert found.tolist() == [2, -1, 1, 3, 2]
