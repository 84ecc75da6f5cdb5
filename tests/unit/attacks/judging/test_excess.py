"""Excess risk: against formulas written out in loops, hand cases, and releases whose excess is known."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest

from hushwood.arrays import Array
from hushwood.attacks.judging import excess as module
from hushwood.attacks.judging.estimates import Excess, wilson
from hushwood.attacks.judging.excess import GuessTally, excess_of
from hushwood.attacks.judging.targets import TriedRelease, draw_rows
from hushwood.attacks.protocol import (
    Knowledge,
    MemberGuesses,
    PredicateGuesses,
    RowGuesses,
    Scenario,
    ValueGuesses,
)
from hushwood.attacks.singling_out import SinglingOut
from hushwood.random_streams import Streams
from hushwood.tables.table import Table
from support.attack_tables import people
from support.known_excess import KNOWN, Scripted, numbered, numbers_of_the_release, tried
from support.mixed_tables import category, number, table_of
from support.table_pairs import STREAMS

Z = NormalDist().inv_cdf(0.975)
ALL = Scenario("all", "", ("x", "ill"))


def tally_of(inside: list[tuple[int, float]], outside: list[tuple[int, float]], persons: int) -> GuessTally:
    tally = GuessTally(persons)
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
    tally = GuessTally(people)
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


def by_loops_singled_out(one: TriedRelease) -> tuple[list[float], list[float]]:
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
    right, fresh = by_loops_singled_out(one)
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
