from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.attacks.members import rare_pairs
from hushwood.attacks.members.count_odds import COPIED
from hushwood.attacks.members.rare_pairs import pairs_found
from oracles import members as oracle
from support.intruders import knowing
from support.mixed_tables import mixed_table, plain_rows
from support.table_pairs import STREAMS


@given(st.integers(0, 100), st.integers(1, 25), st.integers(1, 25))
@settings(max_examples=20)
def test_like_the_oracle(seed: int, people: int, others: int) -> None:
    targets, released = mixed_table(seed, people), mixed_table(seed, people + 5)
    reference = mixed_table(seed + 1, others)
    knowledge = knowing(targets, tuple(targets.columns), reference=reference.columns)
    found = pairs_found(knowledge, released, STREAMS)
    one, two, three = map(plain_rows, (targets, released, reference))
    assert len(targets.columns) * (len(targets.columns) - 1) / 2 <= rare_pairs.MOST_PAIRS
    assert found.tolist() == pytest.approx(oracle.pair_odds(one, two, three, COPIED))


def test_some_pairs_of_columns_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    targets, reference = mixed_table(1, 40), mixed_table(2, 40)
    knowledge = knowing(targets, tuple(targets.columns), reference=reference.columns)
    whole = pairs_found(knowledge, targets, STREAMS)
    monkeypatch.setattr(rare_pairs, "MOST_PAIRS", 3)
    assert pairs_found(knowledge, targets, STREAMS).sum() < whole.sum()
