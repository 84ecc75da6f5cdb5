"""Records coded for the search: ranks, codes, missing as a category, and responses that sum exactly."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InternalFault
from hushwood.tables.schema import Attribute
from hushwood.tree_publishing.records import Records, coded_response, exact_numbers, too_many_values
from hushwood.trees.training import MOST_BRANCHES
from mixed_tables import category, number, table_of, target

FINITE = st.floats(allow_nan=False, allow_infinity=False)
CLASS = (target("y", "ab"), [0, 1, 0, 1])


def test_numbers_become_ranks_of_their_distinct_values() -> None:
    table = table_of({"x": (number("x", 0, 9), [9, 2, 9, 4]), "y": CLASS})
    records = Records.of(table, ["x"])
    assert records.values[0] is not None
    assert records.orders[0] is not None
    assert records.values[0].tolist() == [2, 4, 9]
    assert records.codes[0].tolist() == [2, 0, 2, 1]
    assert records.codes[0][records.orders[0]].tolist() == [0, 1, 2, 2]
    assert records.counts_of_values(0).tolist() == [1, 1, 2]


def test_missing_is_a_category_of_its_own_and_the_last() -> None:
    table = table_of({"x": (category("x", "pq"), [1, -1, 0, -1]), "y": CLASS})
    records = Records.of(table, ["x"])
    assert records.attributes[0].categories == ("p", "q", "missing")
    assert records.codes[0].tolist() == [1, 2, 0, 2]
    assert records.counts_of_values(0).tolist() == [1, 1, 2]
    assert records.orders == records.values == (None,)


def test_without_gaps_the_categories_are_those_declared_absent_ones_too() -> None:
    table = table_of({"x": (category("x", "pqr"), [1, 0, 0, 1]), "y": CLASS})
    records = Records.of(table, ["x"])
    assert records.attributes[0] == table.schema["x"]
    assert records.counts_of_values(0).tolist() == [2, 2, 0]


def test_only_the_named_columns_are_coded_in_the_order_named() -> None:
    columns = {name: (number(name, 0, 3), [0, 1, 2, 3]) for name in ("u", "v", "w")}
    records = Records.of(table_of({**columns, "y": CLASS}), ["w", "u"])
    assert [a.name for a in records.attributes] == ["w", "u"]
    assert records.rows == 4
    assert records.codes.shape == (2, 4)


def test_the_response_is_the_class_code_or_a_number() -> None:
    codes, classes = coded_response(table_of({"y": CLASS}))
    assert (codes.tolist(), classes) == ([0, 1, 0, 1], ("a", "b"))
    pay = Attribute("pay", "numeric", "class", low=10, high=40)
    numbers, none = coded_response(table_of({"pay": (pay, [10, 40, 25, 10])}))
    assert none == ()
    assert numbers[0] == numbers[3] == -numbers[1]
    assert numbers[2] == 0


def test_a_binned_class_is_the_code_of_its_bin() -> None:
    binned = Attribute("y", "categorical", "class", "Int64", categories=("1", "5", "9"), bins=(4.0,))
    codes, classes = coded_response(table_of({"y": (binned, [0, 1, 2, 0])}))
    assert (codes.tolist(), classes) == ([0, 1, 1, 0], ("<= 4", "> 4"))


def test_equal_responses_are_zero() -> None:
    assert exact_numbers(np.array([3.5, 3.5])).tolist() == [0, 0]


@given(st.lists(FINITE, min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_sums_of_exact_numbers_are_the_same_in_any_order(values: list[float], chance: object) -> None:
    whole = exact_numbers(np.array(values))
    shuffled = whole.tolist()
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    exact = sum(map(Fraction, whole.tolist()))
    assert Fraction(sum(shuffled)) == Fraction(sum(whole.tolist())) == exact
    assert np.array_equal(whole, np.rint(whole))


@given(st.lists(FINITE, min_size=2, max_size=40))
def test_exact_numbers_keep_the_order(values: list[float]) -> None:
    ascending = exact_numbers(np.sort(np.array(values)))
    assert all(a <= b for a, b in pairwise(ascending))


@given(st.lists(st.integers(-(10**6), 10**6), min_size=2, max_size=40, unique=True))
def test_exact_numbers_are_in_proportion_and_far_finer_than_the_values(values: list[int]) -> None:
    whole = exact_numbers(np.array(values, np.float64))
    low, high = min(values), max(values)
    step = (whole.max() - whole.min()) / (high - low)
    assert np.allclose(whole, (np.array(values) - (low + high) / 2) * step, rtol=1e-9, atol=1)
    assert step > 2**20
    assert len(set(whole.tolist())) == len(values)


@given(st.lists(FINITE, min_size=1, max_size=20))
def test_exact_numbers_depend_on_the_values_not_on_their_order(values: list[float]) -> None:
    assert exact_numbers(np.array(values)).tolist()[::-1] == exact_numbers(np.array(values[::-1])).tolist()


@pytest.mark.parametrize(("count", "many"), [(MOST_BRANCHES, False), (MOST_BRANCHES + 1, True)])
def test_columns_of_too_many_values_are_told(count: int, many: bool) -> None:
    assert too_many_values(category("x", [str(n) for n in range(count)])) is many


def test_records_without_a_class_are_refused() -> None:
    """A missing class would become the largest of all codes."""
    table = table_of({"x": (number("x", 0, 9), [9, 2, 9, 4]), "y": (target("y", "ab"), [0, 1, -1, 1])})
    with pytest.raises(InternalFault, match="Class codes must lie from 0 to 1"):
        coded_response(table)
