"""Which columns may be tested, and how their records are coded.

Groups made by hand: their sizes, their strong L, and the sentences that say what is not kept.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError, InternalFault
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.tree_publishing import records as columns
from hushwood.tree_publishing.options import PublishOptions, TreePlan
from hushwood.tree_publishing.records import (
    Records,
    ReleasedGroups,
    coded_response,
    dense_values,
    exact_numbers,
    groups_by,
    sensitive_codes,
)
from hushwood.trees.training import MOST_BRANCHES
from support.mixed_tables import category, number, table_of, target

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


def test_records_without_a_class_are_refused() -> None:
    """A missing class would become the largest of all codes."""
    table = table_of({"x": (number("x", 0, 9), [9, 2, 9, 4]), "y": (target("y", "ab"), [0, 1, -1, 1])})
    with pytest.raises(InternalFault, match="Class codes must lie from 0 to 1"):
        coded_response(table)


NAN = float("nan")
SECRET = Attribute("job", "categorical", "confidential", "String", categories=("s", "t"))


def people(**changed: tuple[Attribute, list[float]]) -> Table:
    given: dict[str, Any] = {
        "age": (number("age", 0, 9), [1, 2, 3]),
        "sex": (category("sex", "fm"), [0, 1, 1]),
        "job": (SECRET, [0, 1, 0]),
        "y": (target("y", "ab"), [0, 1, 1]),
    }
    return table_of({**given, **changed})


def test_trees_test_all_inputs_but_the_sensitive() -> None:
    assert columns.testable(people(), PublishOptions()) == (["age", "sex"], ())


def test_declaring_quasi_identifiers_leaves_the_others_testable() -> None:
    age = Attribute("age", "numeric", "quasi-identifier", low=0, high=9)
    assert columns.testable(people(age=(age, [1, 2, 3])), PublishOptions())[0] == ["age", "sex"]


def test_a_missing_category_is_a_value_and_said_so() -> None:
    names, warnings = columns.testable(people(sex=(category("sex", "fm"), [0, -1, 1])), PublishOptions())
    assert names == ["age", "sex"]
    assert warnings == ("Column 'sex' lacks 1 values; missing is treated as a value.",)


def test_missing_numbers_are_refused_or_the_column_is_left_out() -> None:
    table = people(age=(number("age", 0, 9), [1, NAN, NAN]))
    with pytest.raises(InputError, match="release the column as one value with --missing-numbers suppress"):
        columns.testable(table, PublishOptions())
    names, warnings = columns.testable(table, PublishOptions(missing_numbers="suppress"))
    assert names == ["sex"]
    assert warnings == ("Column 'age' lacks 2 numbers; no tree tests it, and it is released as one value.",)


def test_missing_sensitive_numbers_are_no_trouble() -> None:
    pay = Attribute("job", "numeric", "confidential", low=0, high=9)
    assert columns.testable(people(job=(pay, [1, NAN, 3])), PublishOptions()) == (["age", "sex"], ())


def test_a_column_with_too_many_values_is_not_tested() -> None:
    allowed = category("sex", [str(n) for n in range(MOST_BRANCHES)])
    assert columns.testable(people(sex=(allowed, [0, 1, 2])), PublishOptions())[0] == ["age", "sex"]
    many = category("sex", [str(n) for n in range(MOST_BRANCHES + 1)])
    names, warnings = columns.testable(people(sex=(many, [0, 1, 2])), PublishOptions())
    assert names == ["age"]
    assert warnings == (
        (
            "Column 'sex' has 1,001 different values, too many to test; it is released as one value. "
            "If it names people, drop it with --identifier."
        ),
    )


def test_l_without_a_sensitive_attribute_is_refused() -> None:
    table = people(job=(category("job", "st"), [0, 1, 0]))
    with pytest.raises(InputError, match=r"L = 2\.5 needs a sensitive attribute; name it with --sensitive"):
        columns.testable(table, PublishOptions(l=2.5))
    assert columns.testable(table, PublishOptions())[0] == ["age", "sex", "job"]


PAY = Attribute("y", "numeric", "class", low=0, high=9)


@pytest.mark.parametrize(
    ("response", "criterion", "says"),
    [
        ((category("y", "ab"), [0, 1, 0]), "gini", "No class column is set; name it with --class"),
        (
            (target("y", "ab"), [0, -1, 0]),
            "gini",
            "class 'y' is missing in 1 records; drop them or fill it in",
        ),
        ((PAY, [1, NAN, 2]), "variance", "class 'y' is missing in 1 records"),
        ((PAY, [1, float("inf"), 2]), "variance", "class 'y' holds infinite numbers"),
        ((PAY, [1, 3, 2]), "gini", "'y' holds numbers: a regression tree is grown by variance, not by gini"),
        ((target("y", "ab"), [0, 1, 0]), "variance", "'y' holds categories, and variance needs numbers"),
    ],
)
def test_a_response_that_cannot_be_learnt_is_refused(
    response: tuple[Attribute, list[float]], criterion: str, says: str
) -> None:
    with pytest.raises(InputError, match=says):
        columns.testable(people(y=response), PublishOptions(trees=(TreePlan(criterion),)))


def test_every_tree_must_fit_the_response() -> None:
    with pytest.raises(InputError, match="variance needs numbers"):
        columns.testable(people(), PublishOptions(trees=(TreePlan("gini"), TreePlan("variance"))))


def test_a_tree_tests_all_columns_or_those_it_names_in_the_tables_order() -> None:
    names = ["age", "sex", "town"]
    assert columns.tests_of(TreePlan(), names) == [0, 1, 2]
    assert columns.tests_of(TreePlan(columns=("town", "age")), names) == [0, 2]


def test_an_unknown_column_of_a_tree_is_refused() -> None:
    with pytest.raises(InputError, match="Did you mean 'town'"):
        columns.tests_of(TreePlan(columns=("towns",)), ["age", "town"])


def test_a_column_that_names_most_records_is_left_out() -> None:
    """Twenty records with eleven names; with ten it is a category like any other."""
    for names, kept in ((11, ["age"]), (10, ["age", "name"])):
        table = table_of(
            {
                "age": (number("age", 0, 99), list(range(20))),
                "name": (category("name", [f"n{i}" for i in range(names)]), [i % names for i in range(20)]),
                "y": (target("y", "ab"), [0, 1] * 10),
            }
        )
        found, warnings = columns.testable(table, PublishOptions())
        assert found == kept
        assert any("--identifier" in warning for warning in warnings) == (names == 11)


def test_declared_quasi_identifiers_beside_other_tests_are_warned_of() -> None:
    age = Attribute("age", "numeric", "quasi-identifier", low=0, high=9)
    table = people(age=(age, [1, 2, 3]))
    assert "--max-leaves" in columns.testable(table, PublishOptions())[1][-1]
    assert columns.testable(table, PublishOptions(max_leaves=5))[1] == ()


def found_groups(keys: str, **secrets: str) -> ReleasedGroups:
    """A letter a record: whom the quasi-identifiers do not tell apart, and the sensitive values."""
    codes = {name: np.array([ord(c) - ord("a") for c in text]) for name, text in secrets.items()}
    return groups_by([np.array([ord(c) - ord("a") for c in keys])], codes, len(keys))


def test_records_of_equal_codes_are_a_group() -> None:
    first, second = np.array([0, 1, 0, 1, 0]), np.array([5, 5, 5, 5, 9])
    groups = groups_by([first, second], {}, 5)
    assert groups.ids.tolist() == [0, 2, 0, 2, 1]
    assert groups.sizes.tolist() == [2, 1, 2]
    assert (groups.k, dict(groups.l)) == (1, {})


def test_without_quasi_identifiers_all_records_are_one_group() -> None:
    groups = groups_by([], {"job": np.array([0, 1, 1])}, 3)
    assert groups.ids.tolist() == [0, 0, 0]
    assert groups.k == 3
    assert groups.l["job"].tolist() == [1.5]


def test_strong_l_is_the_size_over_the_most_frequent_value() -> None:
    """Group a: two of p, one of q, one of r. Group b: one each of three."""
    groups = found_groups("aaaabbb", job="ppqrpqr")
    assert groups.l["job"].tolist() == [2, 3]


def test_l_need_not_divide_the_size_of_a_group() -> None:
    """3 of 7 are the same: at most 1/2 of the group, more than 1/2.4 of it."""
    groups = found_groups("aaaaaaa", job="pppqqrr")
    assert groups.l["job"].tolist() == pytest.approx([7 / 3])
    assert groups.failure(1, 2) is None
    assert groups.failure(1, 7 / 3) is None
    assert groups.failure(1, 2.4) is not None


@pytest.mark.parametrize("l", [1.1, 3, 7 / 3, 10 / 3, 1 + 1e-7])
def test_exactly_one_in_l_is_allowed(l: float) -> None:
    """`l` records of which one is the most frequent, scaled to whole numbers."""
    most, size = {1.1: (10, 11), 3: (1, 3), 7 / 3: (3, 7), 10 / 3: (3, 10)}.get(l, (10**4, 10**4 + 1))
    secret = np.concatenate([np.zeros(most, int), np.arange(1, size - most + 1)])
    groups = groups_by([], {"job": secret}, size)
    assert groups.failure(1, l) is None
    assert groups.failure(1, l * 1.001) is not None


def test_every_sensitive_attribute_must_be_mixed() -> None:
    groups = found_groups("aabb", job="pqpq", faith="pqpp")
    assert groups.l["job"].tolist() == [2, 2]
    assert groups.l["faith"].tolist() == [2, 1]
    assert groups.failure(2, 2) == "one value of 'faith' has more than 1/2 of a group (L = 1)"
    assert groups.failure(2, 1) is None


def test_a_small_group_is_told_before_its_values() -> None:
    groups = found_groups("aab", job="ppp")
    assert groups.failure(2, 2) == "the smallest group has 1 of 3 records, fewer than K = 2"
    assert groups.failure(1, 1) is None


def test_sensitive_values_are_the_originals_numbers_gaps_and_all() -> None:
    job = Attribute("job", "categorical", "confidential", "String", categories=("p", "q"))
    pay = Attribute("pay", "numeric", "confidential", low=0, high=9)
    table = table_of(
        {
            "x": (number("x", 0, 9), [1, 2, 3, 4]),
            "job": (job, [1, -1, 1, -1]),
            "pay": (pay, [9, float("nan"), 2.5, float("nan")]),
            "w": (category("w", "ab"), [0, 1, 0, 1]),
        }
    )
    codes = sensitive_codes(table)
    assert list(codes) == ["job", "pay"]
    assert codes["job"].tolist() == [1, 0, 1, 0]
    assert codes["pay"].tolist() == [1, 2, 0, 2]


def test_equal_values_have_equal_codes_without_gaps() -> None:
    assert dense_values(np.array([7, 3, 7], np.int32)).tolist() == [1, 0, 1]
    assert dense_values(np.array([0.5, -2.0, 0.5])).tolist() == [1, 0, 1]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.sampled_from("pqr")), min_size=1))
def test_sizes_and_l_are_those_of_a_plain_count(records: list[tuple[str, str, str]]) -> None:
    parts = [np.array([ord(record[place]) - 97 for record in records]) for place in range(3)]
    groups = groups_by(parts[:2], {"job": parts[2]}, len(records))
    members = Counter(record[:2] for record in records)
    both = Counter(records)
    assert sorted(groups.sizes.tolist()) == sorted(members.values())
    for record, group in zip(records, groups.ids.tolist(), strict=True):
        most = max(count for key, count in both.items() if key[:2] == record[:2])
        assert groups.sizes[group] == members[record[:2]]
        assert groups.l["job"][group] == members[record[:2]] / most
