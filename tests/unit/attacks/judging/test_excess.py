"""Excess risk: against formulas written out in loops, hand cases, and releases whose excess is known."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest

from hushwood.attacks.judging.estimates import wilson
from hushwood.attacks.judging.excess import Tally, excess_of
from hushwood.attacks.protocol import (
    Knowledge,
    MemberGuesses,
    RowGuesses,
    Scenario,
    ValueGuesses,
)
from hushwood.tables.table import Table
from support.known_excess import Scripted, numbered, tried
from support.table_pairs import STREAMS

Z = NormalDist().inv_cdf(0.975)
ALL = Scenario("all", "", ("x", "ill"))


def tally_of(inside: list[tuple[int, float]], outside: list[tuple[int, float]], persons: int) -> Tally:
    tally = Tally(persons)
    for place, guesses in enumerate((inside, outside)):
        who = np.array([person for person, _ in guesses], np.int64)
        tally.add(bool(place), who, np.array([right for _, right in guesses], np.float64))
    return tally


def by_loops(inside: list[tuple[int, float]], outside: list[tuple[int, float]]) -> tuple[float, float]:
    """The difference of two rates and its variance, person by person."""
    rates = [sum(right for _, right in group) / len(group) for group in (inside, outside)]
    people = {person for person, _ in (*inside, *outside)}
    variance = 0.0
    for person in people:
        share = sum((right - rates[0]) / len(inside) for one, right in inside if one == person)
        share -= sum((right - rates[1]) / len(outside) for one, right in outside if one == person)
        variance += share**2
    variance *= len(people) / (len(people) - 1)
    return rates[0] - rates[1], variance + 1 / (len({person for person, _ in outside}) + 2) ** 2


@pytest.mark.parametrize("seed", range(5))
def test_the_formula_is_that_of_the_loops(seed: int) -> None:
    chance = np.random.default_rng(seed)
    inside, outside = (
        [(int(who), float(chance.random() < rate)) for who in chance.integers(0, 40, count)]
        for count, rate in ((150, 0.6), (70, 0.4))
    )
    value, variance = by_loops(inside, outside)
    for ways in (1, 3):
        found = tally_of(inside, outside, 50).excess(ways, 2)
        half = NormalDist().inv_cdf(1 - 0.025 / ways) * sqrt(variance)
        assert found is not None
        assert found.value == pytest.approx(value)
        assert found.interval == pytest.approx((value - half, value + half))
        assert (found.over, found.attempts, found.control_attempts, found.releases) == ("control", 150, 70, 2)


def test_the_variance_is_that_of_drawing_people_again() -> None:
    chance = np.random.default_rng(3)
    people = 200
    easy = chance.random(people)  # some are guessed right nearly always, in the table or not
    draws = [(np.repeat(np.arange(people), tries), tries) for tries in (4, 2)]
    rights = [(chance.random(len(who)) < np.clip(easy[who] + extra, 0, 1)).astype(float)
              for (who, _), extra in zip(draws, (0.1, 0.0), strict=True)]  # fmt: skip
    tally = Tally(people)
    for place, ((who, _), right) in enumerate(zip(draws, rights, strict=True)):
        tally.add(bool(place), who, right)
    found = tally.excess(1, 1)
    assert found is not None
    sums = [right.reshape(people, -1).sum(axis=1) for right in rights]
    again = [
        sums[0][drawn].sum() / (4 * people) - sums[1][drawn].sum() / (2 * people)
        for drawn in chance.integers(0, people, (4_000, people))
    ]
    own = sqrt(((found.interval[1] - found.value) / Z) ** 2 - 1 / (people + 2) ** 2)
    assert own == pytest.approx(np.std(again), rel=0.05)


def test_four_people_by_hand() -> None:
    """Right inside: three of four; outside: one. Shares in the difference are +-1/8, so the variance is 4/3 * 4/64 =
    1/12; one discordant pair more adds 1/36, which makes 1/9."""
    found = tally_of([(0, 1), (1, 1), (2, 0), (3, 1)], [(0, 0), (1, 1), (2, 0), (3, 0)], 4).excess(1, 1)
    assert found is not None
    assert found.value == pytest.approx(0.5)
    assert found.interval == pytest.approx((0.5 - Z / 3, 1.0))


def test_the_same_people_on_both_sides_narrow_the_interval() -> None:
    """Half of the people are always guessed right, the others never."""
    people = range(100)
    inside = [(person, float(person % 2)) for person in people]
    same = tally_of(inside, inside, 200).excess(1, 1)
    others = tally_of(inside, [(person + 100, right) for person, right in inside], 200).excess(1, 1)
    assert same is not None
    assert others is not None
    assert same.value == others.value == 0
    assert same.interval[1] == pytest.approx(Z / 102)
    assert others.interval[1] > 6 * same.interval[1]


def test_guesses_that_were_not_made_do_not_count() -> None:
    found = tally_of([(0, 1), (1, np.nan), (2, 1)], [(3, 0), (4, np.nan)], 5).excess(1, 1)
    assert found is not None
    assert (found.attempts, found.control_attempts, found.value) == (2, 1, 1.0)
    assert tally_of([(0, 1)], [(3, np.nan)], 5).excess(1, 1) is None
    assert excess_of([], 5) is None


def people_of(seed: int, count: int) -> Table:
    chance = np.random.default_rng(seed)
    return numbered(chance.random(count), chance.integers(0, 2, count))


def test_members_that_are_named_less_others_that_are() -> None:
    """The others are twice as many, so that both halves take their turn with all members."""
    table = people_of(1, 300)
    inside, outside = np.arange(100), np.arange(100, 300)

    def large(knowledge: Knowledge, released: Table) -> MemberGuesses:
        named = knowledge.columns["x"] > 0.3
        return MemberGuesses(named, named.astype(float))

    one = tried(Scripted("member", large), table, table.take(inside), inside, outside, STREAMS, scenario=ALL)
    found = excess_of([one], 300)
    named = table.columns["x"] > 0.3
    assert found is not None
    assert found.value == pytest.approx(named[:100].mean() - named[100:].mean())
    assert (found.over, found.attempts, found.control_attempts) == ("control", 200, 200)


def test_a_member_attack_without_people_from_outside_says_nothing() -> None:
    table, inside = people_of(1, 60), np.arange(60)

    def nobody(knowledge: Knowledge, released: Table) -> MemberGuesses:
        return MemberGuesses(np.zeros(knowledge.count, np.bool_), np.zeros(knowledge.count))

    one = tried(Scripted("member", nobody), table, table, inside, inside[:0], STREAMS, scenario=ALL)
    assert excess_of([one], 60) is None


def test_records_that_are_found_beyond_chance() -> None:
    table = people_of(2, 80)
    place = {x: row for row, x in enumerate(table.columns["x"])}

    def three_in_four(knowledge: Knowledge, released: Table) -> RowGuesses:
        rows = np.array([place[x] for x in knowledge.columns["x"]])
        return RowGuesses(np.where(rows % 8 == 7, -1, np.where(rows % 4 == 0, rows, (rows + 1) % 80)))

    inside = np.arange(80)
    one = tried(Scripted("row", three_in_four), table, table, inside, inside[:0], STREAMS)
    rate = wilson(20, 70)  # of 80, ten are not guessed, and 20 are right
    once, twice = excess_of([one], 80), excess_of([one, one], 80)
    assert once is not None
    assert twice is not None
    assert once.value == pytest.approx(rate.share - 1 / 80)
    assert once.interval == pytest.approx(tuple(end - 1 / 80 for end in rate.interval))
    assert (once.over, once.attempts, once.control_attempts, once.releases) == ("chance", 70, 0, 1)
    assert twice.value == pytest.approx(once.value)
    assert (twice.attempts, twice.releases) == (140, 2)


def test_of_several_ways_the_highest_upper_end_counts_and_allows_for_the_choice() -> None:
    table = people_of(4, 400)
    inside, outside = np.arange(200), np.arange(200, 400)
    truth = dict(zip(table.columns["x"], table.columns["ill"], strict=True))

    class Ways(Scripted):
        def variants(self) -> tuple[Scripted, ...]:
            return Scripted("value", always_no), Scripted("value", knows_members)

    def always_no(knowledge: Knowledge, released: Table) -> ValueGuesses:
        return ValueGuesses(np.zeros(knowledge.count, np.int32))

    def knows_members(knowledge: Knowledge, released: Table) -> ValueGuesses:
        there = np.isin(knowledge.columns["x"], released.columns["x"])
        own = np.array([truth[x] for x in knowledge.columns["x"]], np.int32)
        return ValueGuesses(np.where(there, own, 0).astype(np.int32))

    released = table.take(inside)
    several, alone = (
        excess_of([tried(attack, table, released, inside, outside, STREAMS)], 400)
        for attack in (Ways("value", always_no), Scripted("value", knows_members))
    )
    assert several is not None
    assert alone is not None
    assert several.value == alone.value == pytest.approx(1 - (table.columns["ill"][200:] == 0).mean())
    wider = NormalDist().inv_cdf(1 - 0.025 / 2) / Z
    assert several.interval[0] == pytest.approx(several.value - wider * (alone.value - alone.interval[0]))
