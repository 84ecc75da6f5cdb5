"""Every way to judge who was in the table, worked out by hand or by a slow oracle."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.attacks.search import members as module
from hushwood.attacks.search.members import (
    _LEAST,
    COPIED,
    TREES,
    class_certainty,
    count_odds,
    crowding,
    likeness,
    nearness,
    pairs_found,
    values_found,
    why_not,
)
from hushwood.tables.table import Table
from oracles import members as oracle
from oracles.near_rows import distances
from support.intruders import knowing
from support.mixed_tables import category, mixed_table, number, plain_rows, table_of, target
from support.rearranged_tables import column_by_column_shuffled, in_another_unit
from support.table_pairs import STREAMS


def numbers(values: list[float], towns: list[int]) -> Table:
    return table_of({"x": (number("x", -90, 90, None), values), "town": (category("town", "ab"), towns)})


def test_targets_like_released_records_score_higher() -> None:
    chance = np.random.default_rng(1)
    released = numbers(chance.normal(0, 1, 300).tolist(), [0] * 300)
    reference = numbers(chance.normal(4, 1, 60).tolist(), [0] * 60)
    targets = numbers([0.0, 0.5, 4.0, 4.5], [0, 0, 0, 0])
    found = likeness(knowing(targets, ["x", "town"], reference=reference.columns), released, STREAMS)
    assert min(found[:2]) > 0 > max(found[2:])
    mirrored = [in_another_unit(table, -2.0, 8.0) for table in (targets, released, reference)]
    knowledge = knowing(mirrored[0], ["x", "town"], reference=mirrored[2].columns)
    assert likeness(knowledge, mirrored[1], STREAMS).tolist() == pytest.approx(found.tolist())


def test_large_releases_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_RELEASED", 30)
    seen: list[int] = []

    def scores(
        columns: object, labels: np.ndarray, learn: np.ndarray, *_: object, **__: object
    ) -> np.ndarray:
        seen.append(int(labels[learn].sum()))
        return np.zeros(2)

    monkeypatch.setattr(module, "boosted_scores", scores)
    released, reference = numbers([1.0] * 90, [0] * 90), numbers([2.0] * 9, [1] * 9)
    targets = numbers([1.0, 2.0], [0, 1])
    likeness(knowing(targets, ["x", "town"], reference=reference.columns), released, STREAMS)
    assert seen == [30]


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


NAMES = ["x", "k"]


def classed(values: list[float], classes: list[int]) -> Table:
    return table_of({"x": (number("x", 0, 99), values), "k": (target("k", "abc"), classes)})


def test_by_hand_class_loss() -> None:
    """Classes that follow from the number: the model is certain, and smoothed by half a tree on either side."""
    released = classed([0.0] * 20 + [50.0] * 20, [0] * 20 + [1] * 20)
    targets = classed([0.0, 0.0, 50.0, 50.0, 0.0], [0, 1, 1, 2, -1])
    found = class_certainty(knowing(targets, NAMES), released, STREAMS)
    sure, never = log((TREES + 0.5) / (TREES + 1)), log(0.5 / (TREES + 1))
    assert found[:4].tolist() == pytest.approx([sure, never, sure, never])
    assert found[4] == pytest.approx((2 * sure + 2 * never) / 4)


def test_half_and_half_is_between() -> None:
    released = classed([0.0] * 40, [0, 1] * 20)
    found = class_certainty(knowing(classed([0.0, 0.0], [0, 1]), NAMES), released, STREAMS)
    assert found.tolist() == pytest.approx([log((TREES / 2 + 0.5) / (TREES + 1))] * 2)


def test_targets_without_any_class_are_all_alike() -> None:
    released = classed([0.0] * 4, [0, 1, 0, 1])
    assert class_certainty(knowing(classed([0.0, 9.0], [-1, -1]), NAMES), released, STREAMS).tolist() == [
        0,
        0,
    ]


def test_what_cannot_be_learnt_says_why() -> None:
    table = classed([1.0, 2.0], [0, 1])
    assert why_not(knowing(table, NAMES), table) is None
    assert "no class" in str(why_not(knowing(table, ["x"]), table))
    assert "nothing else" in str(why_not(knowing(table, ["k"]), table))
    assert "fewer than two classes" in str(
        why_not(knowing(table, NAMES), classed([1.0, 2.0, 3.0], [0, 0, -1]))
    )
    plain = table_of({"x": (number("x", 0, 9), [1.0]), "c": (category("c", "a"), [0])})
    assert "no class" in str(why_not(knowing(plain, ["x", "c"]), plain))
    with pytest.raises(LookupError):
        module._class_and_inputs(knowing(plain, ["x", "c"]))


def test_large_releases_are_sampled_class_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_RELEASED", 10)
    released = classed([0.0] * 40, [0, 1] * 20)
    found = class_certainty(knowing(classed([0.0, 0.0], [0, 1]), NAMES), released, STREAMS)
    chances = np.exp(found) * (TREES + 1) - 0.5
    # Ten of the records, of which some are of either class.
    assert chances.sum() == pytest.approx(TREES)
    assert all(chance / TREES * 10 == pytest.approx(round(chance / TREES * 10)) for chance in chances)


@given(st.integers(0, 100), st.integers(1, 30), st.integers(1, 30))
@settings(max_examples=40)
def test_like_the_oracle_nearest_record(seed: int, people: int, rows: int) -> None:
    targets, released = mixed_table(seed, people), mixed_table(seed + 1, rows)
    found = nearness(knowing(targets, tuple(targets.columns)), released, STREAMS)
    near = [min(own) for own in distances(plain_rows(targets), plain_rows(released), list(targets.columns))]
    assert found.tolist() == pytest.approx([-distance for distance in near], abs=1e-5)


def test_by_hand_nearest_record() -> None:
    released = table_of({"age": (number("age", -50, 50), [-40.0, 10.0])})
    targets = table_of({"age": (number("age", -50, 50), [-50.0, 12.0, 40.0, -39.0])})
    found = nearness(knowing(targets, ["age"]), released, STREAMS)
    assert found.tolist() == pytest.approx([-10 / 90, -2 / 90, -30 / 90, -1 / 90], abs=1e-6)


def test_by_hand_count_odds() -> None:
    """Value 7 stands once in the release and 8 twice; of the reference one has 8, and three have nothing of it."""
    odds = count_odds(np.array([7, 8, 9]), np.array([7, 8, 8]), np.array([8, 1, 2, 3]))
    copies = {0: 0.5 / 5.5, 1: 1.5 / 5.5, 2: 2.5 / 5.5}
    others = {0: 3.5 / 6.5, 1: 0.5 / 6.5, 2: 1.5 / 6.5}
    expected = [log(0.5 * copies[c] / others[c] + 0.5) for c in (1, 2, 0)]
    assert odds.tolist() == pytest.approx(expected)
    assert odds[0] > 0 > odds[2]


def test_values_that_everybody_has_say_nothing() -> None:
    odds = count_odds(np.zeros(3, np.int64), np.zeros(500, np.int64), np.zeros(500, np.int64))
    assert odds.tolist() == pytest.approx([0.0] * 3)


@given(st.integers(0, 100), st.integers(1, 25), st.integers(1, 25))
@settings(max_examples=20)
def test_like_the_oracle_rare_pairs(seed: int, people: int, others: int) -> None:
    targets, released = mixed_table(seed, people), mixed_table(seed, people + 5)
    reference = mixed_table(seed + 1, others)
    knowledge = knowing(targets, tuple(targets.columns), reference=reference.columns)
    found = pairs_found(knowledge, released, STREAMS)
    one, two, three = map(plain_rows, (targets, released, reference))
    assert len(targets.columns) * (len(targets.columns) - 1) / 2 <= module.MOST_PAIRS
    assert found.tolist() == pytest.approx(oracle.pair_odds(one, two, three, COPIED))


def test_some_pairs_of_columns_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    targets, reference = mixed_table(1, 40), mixed_table(2, 40)
    knowledge = knowing(targets, tuple(targets.columns), reference=reference.columns)
    whole = pairs_found(knowledge, targets, STREAMS)
    monkeypatch.setattr(module, "MOST_PAIRS", 3)
    assert pairs_found(knowledge, targets, STREAMS).sum() < whole.sum()


@given(st.integers(0, 100), st.integers(1, 30), st.integers(1, 30))
@settings(max_examples=30)
def test_like_the_oracle_unique_values(seed: int, people: int, others: int) -> None:
    targets, reference = mixed_table(seed, people), mixed_table(seed + 1, others)
    released = column_by_column_shuffled(targets, seed)
    found = values_found(
        knowing(targets, tuple(targets.columns), reference=reference.columns), released, STREAMS
    )
    one, two, three = map(plain_rows, (targets, released, reference))
    assert found.tolist() == pytest.approx(oracle.value_odds(one, two, three, COPIED))
