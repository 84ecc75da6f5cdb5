"""Groups made by hand: their sizes, their strong L, and the sentences that say what is not kept."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.tables.schema import Attribute
from hushwood.tree_publishing.records import Groups, dense_values, groups_by, sensitive_codes
from support.mixed_tables import category, number, table_of


def found_groups(keys: str, **secrets: str) -> Groups:
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
