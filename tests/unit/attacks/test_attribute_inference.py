from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.attacks.attribute_inference import AttributeInference, By
from hushwood.attacks.protocol import Scenario
from hushwood.tables.table import Table
from oracles.near_rows import distances
from support.intruders import UNITS, attacked, barely_hidden, knowing, people, unrelated
from support.mixed_tables import mixed_table, plain_rows
from support.rearranged_tables import in_another_unit
from support.table_pairs import STREAMS

WAYS: tuple[By, ...] = ("nearest", "model")
each_way = pytest.mark.parametrize("by", WAYS)
RICH = Scenario("rich", "", ("age", "school", "town"), wants="rich")
INCOME = Scenario("income", "", ("age", "school", "job"), wants="income")


def only_this_way(by: By, scenario: Scenario, original: Table, released: Table) -> tuple[float, float]:
    """Success of one variant and of its naive guesser."""
    found = attacked(AttributeInference(), scenario, original, released, targets=original.rows)
    shares = {part["by"]: part["success"] for part in found.details["variants"]}
    return float(shares[by]), found.naive


def test_both_ways_are_tried() -> None:
    assert [way.by for way in AttributeInference().variants()] == list(WAYS)


@given(st.integers(0, 100), st.integers(1, 25), st.integers(1, 25), st.sampled_from(["price", "job", "risk"]))
@settings(max_examples=40)
def test_the_secret_is_that_of_a_nearest_row_of_the_oracle(
    seed: int, people: int, rows: int, wants: str
) -> None:
    targets, released = mixed_table(seed, people), mixed_table(seed + 1, rows)
    names = ("count", "ratio", "city")
    guessed = AttributeInference().guess(knowing(targets, names, wants=wants), released, STREAMS).values
    assert guessed.dtype == released.columns[wants].dtype
    for own, guess in zip(
        distances(plain_rows(targets), plain_rows(released), names), guessed.tolist(), strict=True
    ):
        nearest = [i for i, distance in enumerate(own) if distance <= min(own) + 1e-5]
        assert repr(guess) in [repr(released.columns[wants].tolist()[i]) for i in nearest]


@pytest.mark.parametrize("scenario", [RICH, INCOME], ids=["category", "number"])
def test_untouched_weak_and_noise(scenario: Scenario) -> None:
    table = people(1, 1500)
    for released in (table, barely_hidden(table, 2)):
        told = attacked(AttributeInference(), scenario, table, released)
        assert told.interval[0] > told.naive
    noise = attacked(AttributeInference(), scenario, table, unrelated(table, 3))
    assert noise.interval[0] <= noise.naive


def test_a_tree_tells_of_people_who_were_never_in_the_table() -> None:
    told = attacked(AttributeInference(), RICH, people(1, 1500), people(2, 1500))
    assert told.interval[0] > told.naive


@each_way
def test_the_naive_guessers_by_hand(by: By) -> None:
    table = people(1, 200)
    attack = AttributeInference(by)
    for wants in ("town", "income"):
        column = table.columns[wants]
        guessed = attack.naive(knowing(table, ["age"], wants=wants), table, STREAMS).values
        assert guessed.dtype == column.dtype
        if by == "nearest":
            assert set(guessed.tolist()) <= set(column.tolist())
            assert len(set(guessed.tolist())) > 3
        else:
            likely = np.median(column) if wants == "income" else np.bincount(column).argmax()
            assert set(guessed.tolist()) == {likely}


@each_way
@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_zero_point_unit_and_sign_do_not_matter(by: By, unit: tuple[float, float]) -> None:
    table = people(1, 600)
    released = barely_hidden(table, 2, 0.02)
    before, _ = only_this_way(by, INCOME, table, released)
    after, _ = only_this_way(by, INCOME, in_another_unit(table, *unit), in_another_unit(released, *unit))
    # A tree cuts at data values, which lie on the other side of a gap in a negated column.
    assert after == pytest.approx(before, abs=0.0 if by == "nearest" else 0.03)
    assert 0 < before < 1


@each_way
def test_a_negative_guess_is_not_right_because_of_its_sign(by: By) -> None:
    """anonymeter divides the error by the signed guess, so that every negative guess passes its tolerance."""
    table = people(1, 600)
    below = in_another_unit(table, 1.0, -10_000.0)
    noise = unrelated(below, 3)
    success, _ = only_this_way(by, INCOME, below, noise)
    assert (noise.columns["income"] < 0).all()
    assert success < 0.3
