from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.attacks.linkability import Linkability
from hushwood.attacks.protocol import Knowledge, Scenario
from hushwood.tables.table import Table
from oracles.near_rows import distances
from support.intruders import UNITS, attacked, barely_hidden, people, unrelated
from support.mixed_tables import mixed_table, plain_rows
from support.rearranged_tables import in_another_unit
from support.table_pairs import STREAMS

FIRST, SECOND = ("age", "school", "town"), ("income", "job", "rich")
HALVES = Scenario("two halves", "", FIRST, SECOND)


def two_sources(table: Table, first: tuple[str, ...], second: tuple[str, ...]) -> Knowledge:
    """Both parts of all rows; the second in the same order, which the attack does not use."""
    parts = [{name: table.columns[name] for name in names} for names in (first, second)]
    return Knowledge(table.schema, table.rows, parts[0], parts[1])


@given(st.integers(0, 100), st.integers(1, 25), st.integers(1, 25), st.integers(1, 4))
@settings(max_examples=40)
def test_the_nearest_rows_are_those_of_the_oracle(seed: int, people: int, rows: int, neighbours: int) -> None:
    targets, released = mixed_table(seed, people), mixed_table(seed + 1, rows)
    first, second = ("count", "city", "void"), ("ratio", "job", "risk", "constant")
    guessed = Linkability(neighbours).guess(two_sources(targets, first, second), released, STREAMS)
    for names, near in ((first, guessed.first), (second, guessed.second)):
        assert near.shape == (people, min(neighbours, rows))
        for own, found in zip(distances(plain_rows(targets), plain_rows(released), names), near, strict=True):
            assert len(set(found.tolist())) == len(found)
            assert sorted(own)[: len(found)] == pytest.approx([own[row] for row in found.tolist()], abs=1e-5)


def test_the_naive_guesser_draws_different_rows() -> None:
    table = people(1, 50)
    drawn = Linkability(5).naive(two_sources(table, FIRST, SECOND), table, STREAMS)
    for near in (drawn.first, drawn.second):
        assert near.shape == (50, 5)
        assert all(len(set(row)) == 5 for row in near.tolist())
        assert set(near.ravel().tolist()) <= set(range(50))
    assert (drawn.first != drawn.second).any()


def test_untouched_weak_and_noise() -> None:
    table = people(1, 1500)
    for released in (table, barely_hidden(table, 2, 0.001)):
        joined = attacked(Linkability(), HALVES, table, released)
        assert joined.interval[0] > joined.naive
    noise = attacked(Linkability(10), HALVES, table, unrelated(table, 3))
    assert noise.interval[0] <= noise.naive <= noise.interval[1]


@pytest.mark.parametrize("neighbours", [1, 10])
def test_a_release_that_tells_nobody_apart_joins_nobody(neighbours: int) -> None:
    """If ties went to the same rows for both parts, this release would join everybody."""
    table = people(1, 1500)
    constant = table.take(np.zeros(1500, int))
    joined = attacked(Linkability(neighbours), HALVES, table, constant)
    assert joined.interval[0] <= joined.naive <= joined.interval[1]
    assert joined.success < 0.15


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_zero_point_unit_and_sign_do_not_matter(unit: tuple[float, float]) -> None:
    table = people(1, 500)
    released = barely_hidden(table, 2, 0.003)
    before = attacked(Linkability(), HALVES, table, released).success
    after = attacked(
        Linkability(), HALVES, in_another_unit(table, *unit), in_another_unit(released, *unit)
    ).success
    assert after == before
    assert 0 < before < 1
