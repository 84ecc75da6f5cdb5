from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.attacks.members.count_odds import COPIED
from hushwood.attacks.members.unique_values import values_found
from oracles import members as oracle
from support.intruders import knowing
from support.mixed_tables import mixed_table, plain_rows
from support.rearranged_tables import column_by_column_shuffled
from support.table_pairs import STREAMS


@given(st.integers(0, 100), st.integers(1, 30), st.integers(1, 30))
@settings(max_examples=30)
def test_like_the_oracle(seed: int, people: int, others: int) -> None:
    targets, reference = mixed_table(seed, people), mixed_table(seed + 1, others)
    released = column_by_column_shuffled(targets, seed)
    found = values_found(
        knowing(targets, tuple(targets.columns), reference=reference.columns), released, STREAMS
    )
    one, two, three = map(plain_rows, (targets, released, reference))
    assert found.tolist() == pytest.approx(oracle.value_odds(one, two, three, COPIED))
