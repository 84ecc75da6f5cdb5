"""Exact copies, counted by hand and by looking everything up."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.measures.risk import exact_copies
from hushwood.measures.risk.exact_copies import ExactCopies
from oracles import copies as oracle
from support.intruders import barely_hidden, people, unrelated
from support.mixed_tables import category, mixed_table, number, plain_rows, table_of
from support.rearranged_tables import column_by_column_shuffled
from support.table_pairs import measuring

AGE, JOB = number("age", 0, 99), category("job", "abc")
measured = measuring(ExactCopies, paired=False)


def test_by_hand() -> None:
    original = table_of({"age": (AGE, [30] * 5 + [40, 50, np.nan]), "job": (JOB, [0] * 5 + [1, 1, 2])})
    released = table_of({"age": (AGE, [30, 40, 41]), "job": (JOB, [0, 2, 1])})
    found = measured(original, released)
    # 40 and 50 are unique, 30 is not; 40 is there. The record (30, a) is there. Of the pairs (40, b), (50, b) and
    # (missing, c), which one record has, none is.
    assert found.value == 0.5
    details = found.details
    assert (details["numbers"], details["copied"]) == (2, 1)
    assert (details["copied_records"], details["records_share"]) == (1, pytest.approx(1 / 3))
    assert (details["pairs"], details["copied_pairs"]) == (3, 0)
    # (40, b): both values once among three released records, so once in three by chance.
    assert details["pairs_by_chance"] == pytest.approx(1 / 3 / 3)


@given(st.integers(0, 60), st.integers(1, 40), st.integers(1, 40))
@settings(max_examples=30)
def test_like_the_oracle(seed: int, rows: int, others: int) -> None:
    original = mixed_table(seed, rows)
    chance = np.random.default_rng(seed)
    released = column_by_column_shuffled(mixed_table(seed, rows), seed).take(chance.integers(0, rows, others))
    released = released if seed % 2 else original.take(chance.integers(0, rows, others))
    details = measured(original, released, ExactCopies(most_pairs=1000)).details
    before, after = plain_rows(original), plain_rows(released)
    assert (details["numbers"], details["copied"]) == oracle.unique_numbers(before, after, 5)
    assert (details["pairs"], details["copied_pairs"]) == oracle.unique_pairs(before, after)
    assert details["copied_records"] == oracle.equal_rows(before, after)


def test_untouched_shuffled_moved_and_noise() -> None:
    table = people(1, 400)
    same = measured(table, table)
    assert (same.value, same.details["records_share"], same.details["pairs_share"]) == (1.0, 1.0, 1.0)
    shuffled = measured(table, column_by_column_shuffled(table, 2))
    # All numbers are there, no record is.
    assert (shuffled.value, shuffled.details["records_share"]) == (1.0, 0.0)
    assert shuffled.details["pairs_share"] == pytest.approx(shuffled.details["pairs_by_chance"], abs=0.02)
    for released in (barely_hidden(table, 3), unrelated(table, 3)):
        assert measured(table, released).value == 0.0


def test_a_table_without_unique_numbers_has_none_to_copy() -> None:
    table = table_of({"age": (AGE, [30.0] * 8), "job": (JOB, [0, 1] * 4)})
    measure, found = ExactCopies(), measured(table, table)
    assert (found.value, found.details["numbers"]) == (0.0, 0)
    assert measure.remarks(found.details).startswith("No number is shared by fewer than 5")
    assert "No number" not in measure.remarks(measured(people(1, 20), people(2, 20)).details)


@pytest.mark.parametrize(
    ("one", "other", "rows"), [(0, 3, 5), (1, 2, 5), (2, 2, 5), (3, 3, 5), (5, 1, 5), (2, 3, 5)]
)
def test_the_chance_to_meet_like_all_shuffles(one: int, other: int, rows: int) -> None:
    ways = list(combinations(range(rows), other))
    expected = sum(min(way, default=rows) < one for way in ways) / len(ways)
    found = exact_copies._meeting(np.array([one]), np.array([other]), rows)
    assert found[0] == pytest.approx(expected, abs=1e-12)


def test_column_pairs_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    table = people(1, 100)
    details = measured(table, table, ExactCopies(most_pairs=4)).details
    assert (details["column_pairs"], details["all_column_pairs"]) == (4, 15)
    monkeypatch.setattr(exact_copies, "MOST_CELLS", 700)
    assert measured(table, table).details["column_pairs"] == 7


def test_small_counts_are_withheld() -> None:
    table = people(1, 60)
    released = table.with_columns({"age": np.where(np.arange(60) < 3, table.columns["age"], 18.5)})
    found = measured(table, released.with_columns({"school": table.columns["school"] + 1}))
    shown = {c["column"]: c for c in ExactCopies().publishable_details(found.details)["columns"]}
    assert shown["age"]["copied"] is None
    assert shown["age"]["share"] is None
    assert (shown["school"]["copied"], shown["school"]["share"]) == (0, 0.0)
