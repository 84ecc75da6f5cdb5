from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Array, Floats
from hushwood.distances.coding import MISSING, Coded, Scaling, code_by_original, code_pair
from hushwood.tables.schema import Schema
from oracles.near_rows import distances as oracle_distances
from support.mixed_tables import category, mixed_table, number, plain_rows

NAN = np.nan
SCHEMA = Schema((number("x", 0, 10), number("y", 0, 1), category("c", "abc")))
SCALINGS: tuple[Scaling, ...] = ("range", "rank")


def columns(x: list[float], c: list[int] | None = None) -> dict[str, Array]:
    return {"x": np.array(x), "c": np.array(c or [0] * len(x), np.int32)}


def gaps(first: Coded, second: Coded) -> Floats:
    """Distances of all pairs as the kernels understand them."""
    numbers = np.abs(first.numbers[:, :, None].astype(float) - second.numbers[:, None, :]).clip(max=1)
    codes = first.codes[:, :, None] != second.codes[:, None, :]
    total: Floats = numbers.sum(axis=0) + codes.sum(axis=0)
    return total


def test_numbers_are_divided_by_the_joint_range() -> None:
    one, other = code_pair(columns([2, 4]), columns([12, 7, 2]), SCHEMA, ["x"])
    np.testing.assert_allclose(one.numbers, [[0, 0.2]], atol=1e-7)
    np.testing.assert_allclose(other.numbers, [[1, 0.5, 0]], atol=1e-7)
    assert (one.rows, other.rows, one.attributes) == (2, 3, 1)


def test_numbers_are_divided_by_the_originals_range() -> None:
    one, other = code_by_original(columns([2, 12]), columns([7, 14.5, -3, 9e9, -9e9]), SCHEMA, ["x"])
    np.testing.assert_allclose(one.numbers, [[0, 1]], atol=1e-7)
    np.testing.assert_allclose(other.numbers, [[0.5, 1.25, -0.5, 2, -1]], atol=1e-7)
    np.testing.assert_allclose(gaps(one, other), [[0.5, 1, 0.5, 1, 1], [0.5, 0.25, 1, 1, 1]], atol=1e-7)


def test_ranks_are_those_of_all_values_with_ties_in_the_middle() -> None:
    one, other = code_pair(columns([0, 0, 1]), columns([100, 1]), SCHEMA, ["x"], scaling="rank")
    # Mid-ranks 1.5, 1.5, 3.5, 3.5 and 5, from the lowest to the highest.
    np.testing.assert_allclose(one.numbers, [[0, 0, 2 / 3.5]], atol=1e-7)
    np.testing.assert_allclose(other.numbers, [[1, 2 / 3.5]], atol=1e-7)


@pytest.mark.parametrize("scaling", SCALINGS)
def test_missing_is_near_missing_and_far_from_all_else(scaling: Scaling) -> None:
    one, other = code_pair(
        columns([NAN, 1], [-1, 0]), columns([NAN, 5, 9], [-1, 1, 0]), SCHEMA, ["x", "c"], scaling=scaling
    )
    assert one.numbers[0, 0] == other.numbers[0, 0] == MISSING
    assert gaps(one, other)[0].tolist() == [0, 2, 2]
    assert gaps(one, other)[1, 0] == 2


@pytest.mark.parametrize("scaling", SCALINGS)
def test_a_constant_is_no_distance(scaling: Scaling) -> None:
    one, other = code_pair(columns([3, 3]), columns([3]), SCHEMA, ["x"], scaling=scaling)
    assert gaps(one, other).tolist() == [[0], [0]]


def test_without_a_range_any_other_value_is_wholly_different() -> None:
    one, other = code_by_original(columns([3, 3]), columns([3, 3.001, -7, NAN]), SCHEMA, ["x"])
    assert gaps(one, other).tolist() == [[0, 1, 1, 1]] * 2


@pytest.mark.parametrize("scaling", SCALINGS)
def test_columns_without_values_and_infinite_numbers(scaling: Scaling) -> None:
    one, other = code_pair(columns([NAN, NAN]), columns([NAN]), SCHEMA, ["x"], scaling=scaling)
    assert gaps(one, other).tolist() == [[0], [0]]
    one, other = code_pair(
        columns([0, np.inf, -np.inf]), columns([np.inf, 1]), SCHEMA, ["x"], scaling=scaling
    )
    assert gaps(one, other)[1, 0] == 0
    assert np.isfinite(gaps(one, other)).all()


def test_the_largest_and_smallest_numbers_have_a_range() -> None:
    one, other = code_pair(columns([-1.7e308, 0]), columns([1.7e308]), SCHEMA, ["x"])
    np.testing.assert_allclose(gaps(one, other), [[1.0], [0.5]], atol=1e-6)
    one, other = code_by_original(columns([0, 5e-324]), columns([5e-324, 1e300]), SCHEMA, ["x"])
    assert gaps(one, other).tolist() == [[1, 1], [0, 1]]


def test_attributes_come_in_the_order_asked_for_and_rows_can_be_taken() -> None:
    given = {"x": np.array([0.0, 1, 2]), "y": np.array([3.0, 2, 1]), "c": np.array([0, 1, -1], np.int32)}
    one, _ = code_pair(given, given, SCHEMA, ["c", "y", "x"])
    np.testing.assert_allclose(one.numbers, [[1, 0.5, 0], [0, 0.5, 1]], atol=1e-6)
    assert one.codes.tolist() == [[0, 1, -1]]
    few = one.take(np.array([2, 0]))
    np.testing.assert_allclose(few.numbers, [[0, 1], [1, 0]], atol=1e-6)
    assert (few.codes.tolist(), few.rows) == ([[-1, 0]], 2)
    for coded in (one, few):
        assert coded.numbers.flags.c_contiguous
        assert coded.codes.flags.c_contiguous


def test_no_attributes_are_no_distance() -> None:
    one, other = code_pair(columns([1, 2]), columns([3]), SCHEMA, [])
    assert (one.attributes, one.rows, other.rows) == (0, 2, 1)
    assert (one.numbers.shape, one.codes.shape) == ((0, 2), (0, 2))


@pytest.mark.parametrize("attributes", [1, 2, 14, 33, 200])
def test_sums_of_distances_are_exact_in_single_precision(attributes: int) -> None:
    names = [f"x{i}" for i in range(attributes)]
    schema = Schema(tuple(number(name, 0, 1, None) for name in names))
    chance = np.random.default_rng(attributes)
    given = {name: chance.random(50) for name in names}
    one, other = code_pair(given, {name: chance.random(40) for name in names}, schema, names)
    single = np.abs(one.numbers[:, :, None] - other.numbers[:, None, :])
    expected = gaps(one, other)
    for order in (single, single[::-1]):
        total = np.zeros((50, 40), np.float32)
        for attribute in order:
            total += attribute
        np.testing.assert_array_equal(total, expected)


@given(st.integers(0, 60), st.integers(1, 20), st.integers(1, 20))
def test_all_pairs_are_as_far_as_the_oracle_says(seed: int, first: int, second: int) -> None:
    one, other = mixed_table(seed, first), mixed_table(seed + 1, second)
    names = [attribute.name for attribute in one.schema.attributes]
    coded = code_pair(one.columns, other.columns, one.schema, names)
    expected = oracle_distances(plain_rows(one), plain_rows(other), names)
    np.testing.assert_allclose(gaps(*coded) / len(names), expected, atol=1e-5)


@given(st.integers(0, 60), st.integers(1, 20))
def test_ranks_do_not_notice_how_a_column_is_stretched(seed: int, rows: int) -> None:
    one, other = mixed_table(seed, rows), mixed_table(seed + 1, rows)
    names = ["count", "price", "city"]
    plain = gaps(*code_pair(one.columns, other.columns, one.schema, names, scaling="rank"))
    first, second = ({**t.columns, "price": t.columns["price"] ** 3} for t in (one, other))
    bent = gaps(*code_pair(first, second, one.schema, names, scaling="rank"))
    np.testing.assert_array_equal(bent, plain)
