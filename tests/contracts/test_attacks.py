"""What every attack promises, over all that are registered and the scenarios proposed for them.

What single attacks guess is tested beside their files in tests/unit/attacks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from hushwood.arrays import Flags
from hushwood.attacks.judging.excess import excess_of
from hushwood.attacks.judging.running import run_attack
from hushwood.attacks.judging.shadows import combined, pooled, shadows_of
from hushwood.attacks.judging.targets import Trial, TriedRelease, scenarios_for
from hushwood.attacks.protocol import (
    Attack,
    Attacked,
    Goal,
    Guesses,
    Knowledge,
    NotAttackable,
    NumberGuesses,
    RowGuesses,
    Scenario,
    ValueGuesses,
)
from hushwood.attacks.registry import ATTACKS
from hushwood.random_streams import Streams
from hushwood.tables.table import Table
from support.attack_tables import Attackable, on_scale, people, pure_noise, reordered, untouched, weak
from support.intruders import barely_hidden
from support.listed_people import as_listed, splits
from support.mixed_tables import mixed_table, table_of, target

STREAMS = Streams(bytes(range(32)))
KEYS = 20
# Of 20 intervals that cover 19 times in 20 each, fewer than 16 do so in one of 400 tries.
COVERED = 16
CASES = {
    f"{name}: {scenario.name}": (name, scenario)
    for name, make in ATTACKS.items()
    for scenario in scenarios_for(make(), people(0, 10).schema)
}

each_case = pytest.mark.parametrize(("name", "scenario"), CASES.values(), ids=CASES)


def tried(
    attack: Attack, scenario: Scenario, pair: Attackable, streams: Streams = STREAMS, **more: Any
) -> Attacked:
    found = run_attack(
        Trial(
            attack,
            scenario,
            pair.original,
            pair.released,
            partner=pair.partner,
            holdout=pair.holdout,
            streams=streams,
            **more,
        )
    )
    assert isinstance(found, Attacked), found
    return found


def test_names_are_the_registry_keys() -> None:
    assert {key: make().name for key, make in ATTACKS.items()} == {key: key for key in ATTACKS}
    assert len(ATTACKS) >= 9


def test_attacks_of_a_family_share_a_headline() -> None:
    attacks = [make() for make in ATTACKS.values()]
    places = {attack.family: attack.headline for attack in attacks}
    assert all(attack.headline == places[attack.family] for attack in attacks)
    assert sorted(filter(None, places.values())) == list(
        range(1, len(list(filter(None, places.values()))) + 1)
    )
    assert all(attack.title[0].isupper() for attack in attacks)
    assert any(attack.quick for attack in attacks)


def test_every_attack_has_scenarios_and_a_question() -> None:
    for name, make in ATTACKS.items():
        scenarios = [scenario for key, scenario in CASES.values() if key == name]
        assert 1 <= len(scenarios) <= 6
        assert make().question.endswith("?")
        assert all(scenario.says.endswith(".") for scenario in scenarios)


@each_case
@pytest.mark.parametrize("make", [untouched, weak], ids=["untouched", "weak"])
def test_people_in_a_bad_release_are_found(name: str, scenario: Scenario, make: Any) -> None:
    found = tried(ATTACKS[name](), scenario, make(3, 400))
    assert found.interval[0] > found.naive
    assert "better than guessing" in found.verdict
    assert not found.verdict.startswith("no better")


@each_case
@pytest.mark.parametrize("outside", [5, 40, 120])
@pytest.mark.parametrize("make", [untouched, weak, pure_noise], ids=["untouched", "weak", "noise"])
def test_every_interval_has_its_estimate_and_stays_within_bounds(
    name: str, scenario: Scenario, outside: int, make: Any
) -> None:
    pair = make(3, 80)
    trial = Trial(
        ATTACKS[name](),
        scenario,
        pair.original,
        pair.released,
        partner=pair.partner,
        holdout=make(4, 120).original.take(np.arange(outside)),
        streams=STREAMS,
    )
    ends = []
    result = run_attack(trial)
    if isinstance(result, Attacked):
        ends.append((0.0, result.success, result.interval))
        if result.details["risk"] is not None:
            ends.append((0.0, result.details["risk"], result.details["risk_interval"]))
    one = TriedRelease(trial, np.arange(80), np.arange(80, 80 + outside))
    found = None if trial.attack.goal == "numbers" else excess_of([one], 80 + outside)
    if found is not None:
        ends.append((-1.0, found.value, found.interval))
    assert ends
    for least, value, (low, high) in ends:
        assert least <= low <= value <= high <= 1.0


@each_case
def test_pure_noise_leaves_only_guessing(name: str, scenario: Scenario) -> None:
    covered, alarms = 0, 0
    for key in range(KEYS):
        pair = pure_noise(100 + key, 200)
        found = tried(ATTACKS[name](), scenario, pair, Streams(bytes([key] * 32)))
        covered += found.interval[0] <= found.naive <= found.interval[1]
        alarms += not found.verdict.startswith("no better")
    assert covered >= COVERED
    assert alarms <= KEYS - COVERED


@each_case
@pytest.mark.parametrize(
    ("factor", "shift", "whole"), [(-1.0, 0.0, True), (1.0, 1000.0, True), (-0.37, 12.3, False)]
)
def test_sign_zero_point_and_scale_change_nothing(
    name: str, scenario: Scenario, factor: float, shift: float, whole: bool
) -> None:
    pair = weak(5, 300)
    before = tried(ATTACKS[name](), scenario, on_scale(pair, 1.0, 0.0, whole))
    after = tried(ATTACKS[name](), scenario, on_scale(pair, factor, shift, whole))
    assert after.attempts == before.attempts
    assert (after.success, after.control) == (before.success, before.control)


@each_case
def test_the_order_of_the_released_rows_tells_nothing(name: str, scenario: Scenario) -> None:
    pair = weak(6, 400)
    in_order = Attackable(pair.original, pair.released.take(pair.partner), np.arange(400), pair.holdout)
    ordered = tried(ATTACKS[name](), scenario, in_order)
    mixed = tried(ATTACKS[name](), scenario, reordered(in_order, 1))
    assert mixed.success == pytest.approx(ordered.success, abs=0.05)


@each_case
def test_the_same_key_gives_the_same_result(name: str, scenario: Scenario) -> None:
    pair = weak(7, 300)
    one, other = (tried(ATTACKS[name](), scenario, pair, threads=threads) for threads in (1, 3))
    assert json.dumps(dict(one.details)) == json.dumps(dict(other.details))
    assert (one.success, one.naive, one.control, one.verdict) == (
        other.success,
        other.naive,
        other.control,
        other.verdict,
    )
    for key, values in one.records.items():
        assert np.array_equal(values, other.records[key], equal_nan=True)


@each_case
def test_what_stands_behind_a_rate_can_be_shown(name: str, scenario: Scenario) -> None:
    attack = ATTACKS[name]()
    details = tried(attack, scenario, weak(4, 300)).details
    for given in (details, {}):
        said = attack.remarks(given)
        assert said == "" or said.endswith(".")
        for table in attack.tables(given):
            assert {len(row) for row in table.rows} == {len(table.columns)}
            assert table.says.endswith(".")


@pytest.mark.parametrize("name", [name for name, make in ATTACKS.items() if make().listed])
def test_wrong_labels_find_nothing(name: str) -> None:
    """The learner over all ways, trained and judged by the labels of other random splits, on real releases.

    300 people in two rounds: an advantage has a standard error of .5 sqrt(1 / 1,200 + 1 / 600) = .025 and the mean over
    24 sets of labels one of .005, so .02 is four of them; with the true labels it is above .2.
    """
    releases = as_listed(300, 6, lambda table, number: barely_hidden(table, number, 0.2))
    found = shadows_of(
        [replace(one, trial=replace(one.trial, attack=ATTACKS[name]())) for one in releases], 300
    )
    assert found is not None

    def advantage(labels: Flags) -> float:
        given = replace(found, inside=labels)
        return pooled(given, combined(given, STREAMS), STREAMS).excess(6).value

    assert advantage(found.inside) > 0.2
    wrong = [advantage(splits(300, 2, 100 + seed)[0]) for seed in range(24)]
    assert abs(float(np.mean(wrong))) <= 0.02


def test_settings_are_parameters() -> None:
    for make in ATTACKS.values():
        attack = make()
        assert all(hasattr(attack, name) for name in attack.settings)


@dataclass
class Watched(Attack):
    """An attack that notes what it is given."""

    attack: Attack
    seen: list[tuple[Knowledge, Table]] = field(default_factory=list)
    title, question, family = "Watched", "What does it see?", "watched"

    def __post_init__(self) -> None:
        self.name, self.goal = self.attack.name, self.attack.goal

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> Guesses:
        self.seen.append((knowledge, released))
        return self.attack.guess(knowledge, released, streams)

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> Guesses:
        self.seen.append((knowledge, released))
        return self.attack.naive(knowledge, released, streams)


@each_case
def test_an_attack_is_never_given_the_original(name: str, scenario: Scenario) -> None:
    pair = weak(8, 300)
    watched = Watched(ATTACKS[name]())
    tried(watched, scenario, pair, targets=100)
    assert watched.seen
    for knowledge, released in watched.seen:
        assert released.rows == pair.released.rows
        for column, values in released.columns.items():
            # Blind tries shuffle the wanted column; everything else is the release's own array.
            own = pair.released.columns[column]
            assert values is own or (column == scenario.wants and sorted(values) == sorted(own))
        assert set(knowledge.columns) == set(scenario.knows)
        assert set(knowledge.other) == set(scenario.other)
        for known in (knowledge.columns, knowledge.other, knowledge.reference):
            assert_only_copies(known, pair.original)
            assert_only_copies(known, pair.holdout)


def assert_only_copies(known: Mapping[str, Any], table: Table) -> None:
    for name, values in known.items():
        assert not np.shares_memory(values, table.columns[name])
        assert not values.flags.writeable
        assert len(values) < table.rows or not np.array_equal(values, table.columns[name])


@dataclass(frozen=True)
class ByPlace(Attack):
    """Takes the i-th target for the i-th released row: right if the order of targets told anything."""

    name, title, family = "by place", "By place", "by place"
    question = "Does the order tell?"
    goal = "row"

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> Guesses:
        return RowGuesses(np.arange(knowledge.count))

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> Guesses:
        return RowGuesses(np.arange(knowledge.count)[::-1].copy())


def test_the_order_of_targets_tells_nothing() -> None:
    original = people(9, 1000)
    pair = Attackable(original, original, np.arange(1000), original)
    found = tried(ByPlace(), Scenario("x", "X.", ("age",)), pair, targets=1000)
    assert found.success < 0.01
    assert found.naive == pytest.approx(1 / 1000)


@dataclass(frozen=True)
class FarBelow(Attack):
    """Guesses a number that is far below every value."""

    goal: Goal
    name, title, family = "far below", "Far below", "far below"
    question = "Does a wrong sign count?"

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> Guesses:
        if self.goal == "value":
            return ValueGuesses(np.full(knowledge.count, -1e9))
        return NumberGuesses({"balance": np.full(released.rows, -1e9)})

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> Guesses:
        return self.guess(knowledge, released, streams)


@pytest.mark.parametrize("goal", ["value", "numbers"])
def test_a_negative_guess_is_not_right_for_being_negative(goal: Goal) -> None:
    found = tried(FarBelow(goal), Scenario("x", "X.", ("age",), wants="balance"), untouched(10, 300))
    assert found.success == 0
    assert found.verdict == "no better than guessing"


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("rows", [1, 2, 3, 40])
def test_odd_tables_give_a_number_or_a_reason(name: str, rows: int) -> None:
    attack = ATTACKS[name]()
    original, released, holdout = (mixed_table(seed, rows) for seed in (1, 2, 3))
    partner = np.arange(rows)
    partner[::3] = -1
    for proposed in scenarios_for(attack, original.schema):
        found = run_attack(
            Trial(attack, proposed, original, released, partner=partner, streams=STREAMS, holdout=holdout)
        )
        assert_plain(found)


@pytest.mark.parametrize("name", ATTACKS)
def test_a_table_of_the_class_alone_gives_a_reason_or_a_number(name: str) -> None:
    attack = ATTACKS[name]()
    table = table_of({"k": (target("k", "ab"), [0, 1, 1, 0])})
    scenarios = scenarios_for(attack, table.schema)
    assert scenarios
    for scenario in scenarios:
        assert_plain(run_attack(Trial(attack, scenario, table, table, partner=np.arange(4), streams=STREAMS)))


def assert_plain(found: Attacked | NotAttackable) -> None:
    if isinstance(found, NotAttackable):
        assert found.reason.endswith(".")
        return
    numbers = [
        found.success,
        found.naive,
        *found.interval,
        *([] if found.control is None else [found.control]),
    ]
    assert all(0 <= value <= 1 for value in numbers)
    assert found.attempts > 0
    assert json.loads(json.dumps(dict(found.details), allow_nan=False)) == dict(found.details)
    assert all(len(values) for values in found.records.values())


@pytest.mark.parametrize("name", [n for n, make in ATTACKS.items() if make().goal in {"row", "numbers"}])
def test_without_partners_nobody_can_be_found(name: str) -> None:
    attack = ATTACKS[name]()
    pair = untouched(11, 50)
    scenario = scenarios_for(attack, pair.original.schema)[0]
    found = run_attack(Trial(attack, scenario, pair.original, pair.released, partner=None, streams=STREAMS))
    assert isinstance(found, NotAttackable)
    assert "not paired" in found.reason


def test_variants_are_attacks_of_the_same_name() -> None:
    for make in ATTACKS.values():
        attack = make()
        variants = attack.variants()
        assert {variant.name for variant in variants} == {attack.name}
        assert len(set(map(repr, variants))) == len(variants)


def test_a_dropped_record_is_not_found() -> None:
    pair = untouched(12, 200)
    half = replace(pair, partner=np.where(np.arange(200) % 2, pair.partner, -1))
    scenario = scenarios_for(ATTACKS["linkage"](), pair.original.schema)[0]
    assert tried(ATTACKS["linkage"](), scenario, half).success == pytest.approx(0.5)
