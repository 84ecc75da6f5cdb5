from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.attacks.members.nearest_record import nearness
from oracles.near_rows import distances
from support.intruders import knowing
from support.mixed_tables import mixed_table, number, plain_rows, table_of
from support.table_pairs import STREAMS


@given(st.integers(0, 100), st.integers(1, 30), st.integers(1, 30))
@settings(max_examples=40)
def test_like_the_oracle(seed: int, people: int, rows: int) -> None:
    targets, released = mixed_table(seed, people), mixed_table(seed + 1, rows)
    found = nearness(knowing(targets, tuple(targets.columns)), released, STREAMS)
    near = [min(own) for own in distances(plain_rows(targets), plain_rows(released), list(targets.columns))]
    assert found.tolist() == pytest.approx([-distance for distance in near], abs=1e-5)


def test_by_hand() -> None:
    released = table_of({"age": (number("age", -50, 50), [-40.0, 10.0])})
    targets = table_of({"age": (number("age", -50, 50), [-50.0, 12.0, 40.0, -39.0])})
    found = nearness(knowing(targets, ["age"]), released, STREAMS)
    assert found.tolist() == pytest.approx([-10 / 90, -2 / 90, -30 / 90, -1 / 90], abs=1e-6)
