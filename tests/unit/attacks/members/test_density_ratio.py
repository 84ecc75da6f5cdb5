from __future__ import annotations

from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.attacks.members.density_ratio import _LEAST, crowding
from oracles import members as oracle
from support.intruders import knowing
from support.mixed_tables import mixed_table, number, plain_rows, table_of
from support.table_pairs import STREAMS


@given(
    st.integers(0, 100), st.integers(1, 20), st.integers(1, 20), st.integers(1, 20), st.sampled_from([1, 5])
)
@settings(max_examples=30)
def test_like_the_oracle(seed: int, people: int, rows: int, others: int, k: int) -> None:
    targets, released, reference = (
        mixed_table(seed + i, count) for i, count in enumerate((people, rows, others))
    )
    knowledge = knowing(targets, tuple(targets.columns), reference=reference.columns)
    found = crowding(knowledge, released, STREAMS, k)
    one, two, three = map(plain_rows, (targets, released, reference))
    expected = oracle.density_ratios(one, two, three, k, _LEAST)
    # Distances are rounded to a grid of 2⁻²⁰ or so, which shows where they are hardly larger than _LEAST.
    assert found.tolist() == pytest.approx(expected, abs=0.15)


def test_by_hand() -> None:
    age = number("age", 0, 100)
    targets = table_of({"age": (age, [0.0, 50.0, 100.0])})
    released = table_of({"age": (age, [10.0, 51.0, 52.0])})
    reference = table_of({"age": (age, [20.0, 40.0])})
    knowledge = knowing(targets, ["age"], reference=reference.columns)
    one = crowding(knowledge, released, STREAMS, 1)
    assert one.tolist() == pytest.approx([log(2), log(10), log(60 / 48)], abs=2e-3)
    five = crowding(knowledge, released, STREAMS, 5)  # the last of two, and of three
    assert five.tolist() == pytest.approx([log(40 / 52), log(30 / 40), log(80 / 90)], abs=2e-3)
