"""Singling out per guess: against loops, hand cases, releases whose excess is known, and costs that leaked."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from hushwood.arrays import Array
from hushwood.attacks.judging import singled_out as module
from hushwood.attacks.judging.estimates import Excess
from hushwood.attacks.judging.excess import excess_of
from hushwood.attacks.judging.targets import TriedRelease, draw_rows
from hushwood.attacks.protocol import Knowledge, PredicateGuesses
from hushwood.attacks.singling_out import SinglingOut
from hushwood.random_streams import Streams
from hushwood.tables.table import Table
from support.attack_tables import people
from support.known_excess import KNOWN, Scripted, numbered, numbers_of_the_release, tried
from support.mixed_tables import category, number, table_of
from support.table_pairs import STREAMS

NUMBERS = Scripted("predicate", numbers_of_the_release)


def whole_numbers(seed: int, count: int) -> Table:
    """Numbers of which most people have one of their own."""
    chance = np.random.default_rng(seed)
    return numbered(chance.integers(0, 3_000, count), np.zeros(count, np.int32))


def singled_out(seed: int, leaked: int, holdout: int) -> Excess:
    """300 people are released as others; the first of them as they are."""
    table, others = whole_numbers(seed, 300 + holdout), whole_numbers(seed + 1_000, 300)
    inside, outside = np.arange(300), np.arange(300, 300 + holdout)
    x = others.columns["x"].copy()
    x[:leaked] = table.columns["x"][:leaked]
    released = numbered(x, np.zeros(300, np.int32))
    found = excess_of(
        [tried(NUMBERS, table, released, inside, outside, Streams(seed.to_bytes(32, "big")))], 300 + holdout
    )
    assert found is not None
    return found


@pytest.mark.parametrize("holdout", [60, 150, 300, 500])
def test_properties_of_others_single_out_nobody_beyond_chance(holdout: int) -> None:
    found = [singled_out(seed, 0, holdout) for seed in range(40)]
    values = np.array([one.value for one in found])
    assert abs(values.mean()) < 3 * values.std() / sqrt(len(values))
    assert np.mean([one.interval[0] <= 0 <= one.interval[1] for one in found]) >= 0.9


@pytest.mark.parametrize(("holdout", "shown"), [(60, 0.2), (150, 0.6), (300, 0.85)])
def test_properties_of_people_who_leaked_single_them_out(holdout: int, shown: float) -> None:
    """A tenth leaks. Nobody else has a number with chance (1 - 1/3000) ** 299; without the person, one other has it
    with chance 300/3000 * (1 - 1/3000) ** 299. A leaked person stays where a smaller hold-out takes other places, so
    that the chance of others counts only in the share of places that it takes."""
    found = [singled_out(seed, 30, holdout) for seed in range(40)]
    values = np.array([one.value for one in found])
    alone, another = (1 - 1 / 3_000) ** 299, 300 / 3_000 * (1 - 1 / 3_000) ** 299
    truth, most = 0.1 * (alone - another), 0.1 * (alone - another * holdout / 300)
    error = 3 * values.std() / sqrt(len(values))
    assert truth - error < values.mean() < most + error
    assert np.mean([one.interval[1] >= truth for one in found]) >= 0.95
    assert np.mean([one.interval[0] > 0 for one in found]) >= shown


def by_loops(one: TriedRelease) -> tuple[list[float], list[float]]:
    """For every number of the release: whether one person has it, and for how many of as many strangers one does."""
    trial, holdout = one.trial, one.trial.holdout
    assert holdout is not None
    inside, outside = trial.original.columns["x"], holdout.columns["x"]
    part = min(len(inside), len(outside))
    strangers = outside[draw_rows(np.arange(len(outside)), part, trial.streams, "strangers")]
    order = trial.streams.order("attack", "replaced people", range(len(inside)))
    parts = min(len(inside) // part, module.MOST_PARTS)
    right, fresh = [], []
    for value in trial.released.columns["x"]:
        right.append(float(sum(value == x for x in inside) == 1))
        gone = 0
        for place in range(parts):
            leaves = set(order[place * part : (place + 1) * part].tolist())
            gone += not any(value == x for row, x in enumerate(inside) if row not in leaves)
        alone = sum(value == x for x in strangers) == 1
        fresh.append(alone * gone / parts * len(inside) / part)
    return right, fresh


@pytest.mark.parametrize("outside", [7, 20, 30, 60, 90])
def test_the_rates_are_those_of_the_loops(outside: int) -> None:
    chance = np.random.default_rng(outside)
    table = numbered(chance.integers(0, 80, 60 + outside), np.zeros(60 + outside, np.int32))
    x = np.where(np.arange(60) < 20, table.columns["x"][:60], chance.integers(0, 80, 60))
    released = numbered(x, np.zeros(60, np.int32))
    one = tried(NUMBERS, table, released, np.arange(60), np.arange(60, 60 + outside), STREAMS)
    right, fresh = by_loops(one)
    found = excess_of([one], 60 + outside)
    assert found is not None
    assert found.value == pytest.approx(sum(right) / 60 - min(sum(fresh) / 60, 1.0))
    assert found.interval[0] <= found.value <= found.interval[1]


def costly(seed: int) -> TriedRelease:
    """2,000 people, of whom 40 have a cost of their own, are released with it; another number is that of others."""
    chance = np.random.default_rng(seed)
    cost = np.where(np.arange(3_000) % 50 == 0, 1_000.0 + np.arange(3_000), chance.integers(0, 20, 3_000))
    columns = {
        "cost": (number("cost", 0, 5_000), cost.tolist()),
        "weight": (number("weight", 0, 1, None), chance.random(3_000).tolist()),
        "sex": (category("sex", ("f", "m")), chance.integers(0, 2, 3_000).tolist()),
    }
    table, inside = table_of(columns), np.arange(2_000)
    original = table.take(inside)
    others: dict[str, Array] = {
        "weight": chance.random(2_000),
        "sex": chance.integers(0, 2, 2_000).astype(np.int32),
    }
    return tried(
        SinglingOut(), table, original.with_columns(others), inside, np.arange(2_000, 3_000), STREAMS,
        scenario=replace(KNOWN, knows=(), wants=None),
    )  # fmt: skip


def test_forty_costs_among_two_thousand_people_are_not_diluted() -> None:
    """Every guess about a cost is right; per person, or beside the guesses about weights, that is 2 %."""
    found = excess_of([costly(1)], 3_000)
    assert found is not None
    assert (found.by, found.attempts) == ("cost", 40)
    assert found.value == 1
    assert found.interval[0] > 0.6


def with_numbers(right: int, wrong: int, seed: int = 1) -> TriedRelease:
    """300 people, of whose numbers some are right and some are of nobody; the other records say nothing."""
    table = numbered(np.arange(600.0), np.zeros(600, np.int32))
    asked = np.concatenate((np.arange(float(right)), 1_000.0 + np.arange(wrong)))

    def says(knowledge: Knowledge, released: Table) -> PredicateGuesses:
        count = len(asked)
        return PredicateGuesses(np.arange(count + 1), ("x",) * count, ("==",) * count, asked)

    inside, outside = np.arange(300), np.arange(300, 600)
    return tried(Scripted("predicate", says), table, table.take(inside), inside, outside, STREAMS)


@pytest.mark.parametrize(
    ("right", "wrong", "high"), [(0, 3, 0.5615), (0, 300, 0.0126), (3, 0, 1.0), (0, 0, 0.0)]
)
def test_few_guesses_have_a_wide_interval_and_none_single_out_nobody(
    right: int, wrong: int, high: float
) -> None:
    """Wilson's upper end of 0 of n is z² / (n + z²)."""
    found = excess_of([with_numbers(right, wrong)], 600)
    assert found is not None
    assert found.attempts == right + wrong
    assert found.value == (1.0 if right else 0.0)
    assert found.interval[1] == pytest.approx(high, abs=1e-4)


def test_people_who_stand_out_wherever_they_are_do_not_widen_the_interval() -> None:
    """A person who is singled out ten times inside, and ten times outside, of releases cancels; another one counts."""
    person = np.repeat(np.arange(4), 10)
    nobody = np.full(40, -1)
    names, ones = np.full(40, ""), np.ones(40)

    def joined(stranger: object) -> module.Properties:
        inside = module.Properties(names, person, nobody, 0 * ones, ones)
        outside = module.Properties(names, nobody, np.asarray(stranger), ones, ones)
        return module.Properties(*(np.concatenate(pair) for pair in zip(*(
            [getattr(one, name) for name in module.Properties.__slots__] for one in (inside, outside)
        ), strict=True)))  # fmt: skip

    same, others = joined(person).excess(1, 2), joined(person + 4).excess(1, 2)
    assert same.value == others.value == 0
    # The same people: 80 guesses. Others: ten guesses of a person count as one, so eight.
    assert others.interval[1] > 2 * same.interval[1]


@pytest.mark.parametrize("outside", [10, 40, 100, 200])
def test_a_smaller_hold_out_does_not_make_the_excess_larger(outside: int) -> None:
    table = people(3, 400)
    inside = np.arange(200)

    def excess(outside: int) -> Excess:
        one = tried(
            SinglingOut(), table, table.take(inside), inside, np.arange(200, 200 + outside), STREAMS,
            scenario=replace(KNOWN, knows=(), wants=None),
        )  # fmt: skip
        found = excess_of([one], 400)
        assert found is not None
        return found

    small, same = excess(outside), excess(200)
    assert -1 <= small.interval[0] <= small.value <= small.interval[1] <= 1
    assert same.interval[0] <= small.value <= 1


def test_without_strangers_nothing_is_known() -> None:
    one = with_numbers(3, 0)
    alone = TriedRelease(replace(one.trial, holdout=None), one.inside, one.outside[:0])
    assert excess_of([alone], 600) is None
