"""Attacks of known success, run: what counts, what is compared, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from hushwood.attacks.attribute_inference import AttributeInference
from hushwood.attacks.judging.estimates import widened, wilson
from hushwood.attacks.judging.running import BLIND_REPEATS, blind_rates, refusal, run_attack
from hushwood.attacks.judging.scoring import hits
from hushwood.attacks.judging.targets import Trial, known_rows
from hushwood.attacks.linkage import Linkage
from hushwood.attacks.protocol import (
    Attack,
    Attacked,
    Goal,
    Guesses,
    Knowledge,
    MemberGuesses,
    NotAttackable,
    NumberGuesses,
    PredicateGuesses,
    RowGuesses,
    Scenario,
    ValueGuesses,
)
from hushwood.evaluation.case import noise_table
from hushwood.random_streams import Streams
from hushwood.tables.table import Table
from support.attack_tables import Attackable, untouched
from support.mixed_tables import number, table_of, target

STREAMS = Streams(bytes(range(32)))
SCENARIO = Scenario("some", "Somebody.", ("age", "height"), wants="rich")
PAIR = untouched(1, 300)
Guesser = Callable[[Knowledge, Table], Guesses]


@dataclass(frozen=True)
class Planned(Attack):
    """An attack that guesses as it is told."""

    goal: Goal
    by: Guesser
    blindly: Guesser
    name = "planned"
    title = "Planned"
    question = "What if?"
    family = "planned"

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> Guesses:
        return self.by(knowledge, released)

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> Guesses:
        return self.blindly(knowledge, released)


@dataclass(frozen=True)
class WithVariants(Planned):
    others: tuple[Attack, ...] = ()

    def variants(self) -> tuple[Attack, ...]:
        return self.others


@dataclass(frozen=True)
class Reluctant(Planned):
    why: str | None = None

    def refuses(self, knowledge: Knowledge, released: Table) -> str | None:
        return self.why


@dataclass(frozen=True)
class Picky(Planned):
    picks: float = 0.1


@dataclass(frozen=True)
class Sized(Planned):
    def control_factor(self, guesses: Guesses, control: Table, rows: int) -> float:
        return rows / control.rows


def run(attack: Attack, pair: Attackable = PAIR, scenario: Scenario = SCENARIO, **more: Any) -> Any:
    more.setdefault("holdout", pair.holdout)
    more.setdefault("partner", pair.partner)
    return run_attack(Trial(attack, scenario, pair.original, pair.released, streams=STREAMS, **more))


def rows_by_height(knowledge: Knowledge, released: Table) -> RowGuesses:
    """Heights are unlike, so this finds everybody."""
    heights = released.columns["height"]
    order = np.argsort(heights)
    return RowGuesses(order[np.searchsorted(heights[order], knowledge.columns["height"])])


def first_row(knowledge: Knowledge, released: Table) -> RowGuesses:
    return RowGuesses(np.zeros(knowledge.count, np.int64))


def no_row(knowledge: Knowledge, released: Table) -> RowGuesses:
    return RowGuesses(np.full(knowledge.count, -1))


def all_yes(knowledge: Knowledge, released: Table) -> ValueGuesses:
    return ValueGuesses(np.ones(knowledge.count, np.int32))


def all_no(knowledge: Knowledge, released: Table) -> ValueGuesses:
    return ValueGuesses(np.zeros(knowledge.count, np.int32))


def tall(knowledge: Knowledge, released: Table) -> PredicateGuesses:
    """Nobody, then one person, then two, of the original's tallest."""
    heights = np.sort(PAIR.original.columns["height"])[::-1]
    bounds = np.array([heights[0] + 1, heights[0], heights[1]])
    return PredicateGuesses(np.arange(4), ("height",) * 3, (">=",) * 3, bounds)


def test_everybody_found() -> None:
    found = run(Planned("row", rows_by_height, first_row), targets=120)
    assert (found.attempts, found.success, found.verdict) == (120, 1.0, "much better than guessing")
    assert found.naive == pytest.approx(1 / 300)
    assert found.control is None
    assert "no record in the release" in found.details["no_control"]
    linked = found.records["linked"]
    assert (len(linked), int((linked == 1).sum()), int(np.isnan(linked).sum())) == (300, 120, 180)


def test_a_row_that_was_made_from_nobody_is_never_right() -> None:
    partner = PAIR.partner.copy()
    partner[partner == 0] = -1
    assert run(Planned("row", rows_by_height, first_row), partner=partner).naive == 0


def test_targets_without_a_guess_are_no_attempts() -> None:
    def half(knowledge: Knowledge, released: Table) -> RowGuesses:
        rows = rows_by_height(knowledge, released).rows.copy()
        rows[::2] = -1
        return RowGuesses(rows)

    found = run(Planned("row", half, first_row), targets=100)
    assert (found.attempts, found.details["targets"], found.success) == (50, 100, 1.0)


def test_no_guess_at_all_is_a_reason() -> None:
    found = run(Planned("row", no_row, first_row))
    assert isinstance(found, NotAttackable)
    assert "nothing in this release" in found.reason


def test_values_are_compared_with_people_who_were_never_there() -> None:
    found = run(Planned("value", all_yes, all_no))
    yes = float((PAIR.original.columns["rich"] == 1).mean())
    assert found.success == pytest.approx(yes)
    assert found.details["naive_interval"][0] < 1 - yes < found.details["naive_interval"][1]
    assert found.details["blind"] == pytest.approx([yes] * BLIND_REPEATS)
    assert found.naive == pytest.approx(yes)  # a guess that never looks is right as often when it cannot know
    assert found.control == pytest.approx(float((PAIR.holdout.columns["rich"] == 1).mean()))
    assert found.details["control_attempts"] == 300
    assert found.details["risk_interval"][0] == 0
    assert set(found.records) == {"inferred"}


def test_without_others_there_is_no_control() -> None:
    found = run(Planned("value", all_yes, all_no), holdout=None)
    assert found.control is None
    assert found.details["risk"] is None
    assert found.details["no_control"].startswith("No people")


def test_others_are_judged_by_the_originals_spread() -> None:
    original = PAIR.original
    narrow = replace(PAIR.holdout, columns={**PAIR.holdout.columns, "balance": np.linspace(-1, 1, 300)})
    scenario = replace(SCENARIO, wants="balance")

    def zero(knowledge: Knowledge, released: Table) -> ValueGuesses:
        return ValueGuesses(np.zeros(knowledge.count))

    found = run(Planned("value", zero, zero), scenario=scenario, holdout=narrow)
    assert (
        np.quantile(original.columns["balance"], 0.95) - np.quantile(original.columns["balance"], 0.05) > 20
    )
    assert found.control == 1.0


def test_predicates_are_counted_among_the_others_too() -> None:
    found = run(Planned("predicate", tall, tall), scenario=replace(SCENARIO, knows=(), wants=None))
    heights = PAIR.holdout.columns["height"]
    bounds = tall(Knowledge(PAIR.original.schema, 3, {}), PAIR.released).value
    others = sum((heights >= bound).sum() == 1 for bound in bounds)
    assert (found.attempts, found.success) == (3, pytest.approx(1 / 3))
    assert found.control == pytest.approx(others / 3)
    singled = found.records["singled_out"]
    assert np.flatnonzero(singled).tolist() == [int(np.argmax(PAIR.original.columns["height"]))]


def test_a_smaller_control_is_scaled_by_the_attack() -> None:
    tallest = int(np.argmax(PAIR.original.columns["height"]))
    others = PAIR.original.take(np.array([tallest, *(i for i in range(200) if i != tallest)][:200]))
    found = run(Sized("predicate", tall, tall), scenario=replace(SCENARIO, knows=()), holdout=others)
    plain = run(Planned("predicate", tall, tall), scenario=replace(SCENARIO, knows=()), holdout=others)
    assert found.details["control_successes"] == pytest.approx(1.5 * plain.details["control_successes"])


def test_membership_mixes_in_the_others() -> None:
    def always(knowledge: Knowledge, released: Table) -> MemberGuesses:
        return MemberGuesses(np.ones(knowledge.count, bool), np.zeros(knowledge.count))

    attack = Planned("member", always, always)
    found = run(attack, targets=100)
    assert (found.attempts, found.success, found.control) == (100, 0.5, None)
    assert int((found.records["found"] == 1).sum()) == 50
    assert "--holdout" in run(attack, holdout=None).reason
    dropped = np.where(np.arange(300) < 280, -1, PAIR.partner)
    assert np.flatnonzero(~np.isnan(run(attack, partner=dropped).records["found"])).min() >= 280


def test_the_worst_variant_counts() -> None:
    good, bad = Planned("row", rows_by_height, first_row), Planned("row", first_row, first_row)
    for others in ((good, bad), (bad, good)):
        found = run(WithVariants("row", no_row, no_row, others=others))
        assert found.success == 1.0
        assert sorted(v["success"] for v in found.details["variants"])[1] == 1.0


def test_a_handful_of_lucky_guesses_is_not_the_worst_variant() -> None:
    def three(knowledge: Knowledge, released: Table) -> RowGuesses:
        rows = rows_by_height(knowledge, released).rows.copy()
        rows[3:] = -1
        return RowGuesses(rows)

    def most(knowledge: Knowledge, released: Table) -> RowGuesses:
        rows = rows_by_height(knowledge, released).rows.copy()
        rows[:30] = 0
        return RowGuesses(rows)

    others = (Planned("row", three, first_row), Planned("row", most, first_row))
    found = run(WithVariants("row", no_row, no_row, others=others))
    assert found.attempts == 300
    assert found.success == pytest.approx(0.9, abs=0.01)


def test_an_attack_may_refuse() -> None:
    attack = Reluctant("row", rows_by_height, first_row, why="Not today.")
    assert run(attack) == NotAttackable("planned", "Not today.")
    assert isinstance(run(replace(attack, why=None)), Attacked)


def test_a_refusal_is_known_without_a_try() -> None:
    attack = Reluctant("row", rows_by_height, first_row, why="Not today.")
    trial = Trial(attack, SCENARIO, PAIR.original, PAIR.released, partner=PAIR.partner, streams=STREAMS)
    assert refusal(trial) == run_attack(trial)
    assert refusal(replace(trial, attack=replace(attack, why=None))) is None
    unpaired = replace(trial, attack=replace(attack, why=None), partner=None)
    assert refusal(unpaired) == run_attack(unpaired)


def test_a_picky_attack_is_shown_more_people() -> None:
    found = run(Picky("row", rows_by_height, first_row), targets=20)
    assert found.details["targets"] == 200


def test_the_naive_guesser_is_asked_more_than_once() -> None:
    asked = []

    def note(knowledge: Knowledge, released: Table) -> ValueGuesses:
        asked.append(1)
        return all_no(knowledge, released)

    run(Planned("value", all_yes, note))
    assert len(asked) == 10
    run(Planned("value", all_yes, note), naive_once=True)
    assert len(asked) == 11


@pytest.mark.parametrize(
    ("goal", "changes", "words"),
    [
        ("row", {"partner": None}, "not paired"),
        ("numbers", {"partner": None}, "not paired"),
        ("member", {"holdout": None}, "--evidence full"),
        ("row", {"scenario": Scenario("x", "X.", ("shoe",))}, "'shoe'"),
        ("value", {"scenario": Scenario("x", "X.", ("age",), wants="shoe")}, "'shoe'"),
        ("row", {"scenario": Scenario("x", "X.", ())}, "knows nothing"),
        ("parts", {"scenario": Scenario("x", "X.", ("age",))}, "two sets"),
        ("row", {"targets": 0}, "no records"),
        ("row", {"pair": untouched(1, 0)}, "no records"),
    ],
)
def test_what_cannot_be_tried_is_said(goal: Goal, changes: dict[str, Any], words: str) -> None:
    found = run(Planned(goal, first_row, first_row), **changes)
    assert isinstance(found, NotAttackable)
    assert words in found.reason


def test_streams_of_the_attack_do_not_tell_who_was_drawn() -> None:
    given: list[Streams] = []

    @dataclass(frozen=True)
    class Curious(Planned):
        def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> Guesses:
            given.append(streams)
            return self.by(knowledge, released)

    run(Curious("row", rows_by_height, first_row))
    assert given[0].secret != STREAMS.secret


STREAMS_BASELINES = Streams(bytes(32))
SCENARIO_BASELINES = Scenario("all", "The intruder knows all.", ("x", "y"), wants="ill")


def two_crowds(rows: int = 300) -> Table:
    """Most people sit in two tight corners of a wide domain, and the corner tells the class."""
    chance = np.random.default_rng(4)
    corner = (np.arange(rows) % 3 == 0).astype(float)
    x, y = (corner + chance.normal(0, 0.01, rows) for _ in range(2))
    x[-1] = 100.0
    return table_of(
        {
            "x": (number("x", 0, 100, None), x.tolist()),
            "y": (number("y", 0, 100, None), y.tolist()),
            "ill": (target("ill", ("no", "yes")), corner.tolist()),
        }
    )


def on_itself(attack: Attack, table: Table) -> Trial:
    """The attack on a release that changed nothing."""
    return Trial(
        attack, SCENARIO_BASELINES, table, table, partner=np.arange(table.rows), streams=STREAMS_BASELINES
    )


def test_a_secret_is_shuffled_for_every_blind_try() -> None:
    table, attack = two_crowds(), AttributeInference("nearest")
    trial = on_itself(attack, table)
    known = known_rows(trial, table, np.arange(50), None)
    guesses = attack.guess(known.knowledge, table, STREAMS_BASELINES)

    rates = blind_rates(trial, attack, guesses, known)

    assert hits(guesses, known.truth).mean() == 1
    assert len(rates) == BLIND_REPEATS
    assert np.mean(rates) == pytest.approx(5 / 9, abs=0.12)  # two thirds have one class, one third the other


def test_numbers_are_shuffled_among_the_records() -> None:
    table, attack = two_crowds(60), AttributeInference()
    trial = on_itself(attack, table)
    known = known_rows(trial, table, np.arange(60), trial.partner)
    guesses = NumberGuesses({"x": table.columns["x"]})

    rates = blind_rates(trial, attack, guesses, known)

    assert hits(guesses, known.truth).mean() == 1
    assert max(rates) < 0.9


def test_other_guesses_need_no_blind_tries() -> None:
    table, attack = two_crowds(30), Linkage()
    trial = on_itself(attack, table)
    known = known_rows(trial, table, np.arange(9), trial.partner)

    assert blind_rates(trial, attack, RowGuesses(np.zeros(9, np.int64)), known) == ()


def test_crowds_make_no_false_alarm() -> None:
    """On noise all people of a crowd are guessed alike; an interval for independent guesses is far too narrow."""
    table = two_crowds()
    alarms = fooled = 0
    for key in range(20):
        streams = Streams(bytes([key] * 32))
        noise = noise_table(table, streams)
        for luck in (True, False):
            found = run_attack(
                Trial(
                    AttributeInference(),
                    SCENARIO_BASELINES,
                    table,
                    noise,
                    partner=None,
                    streams=streams,
                    luck=luck,
                )
            )
            assert isinstance(found, Attacked)
            if luck:
                alarms += found.verdict != "no better than guessing"
            else:
                fooled += found.interval[0] > found.naive
    assert alarms <= 1
    assert fooled >= 4


def test_widened_by_what_luck_does() -> None:
    rate = wilson(50, 100)

    assert widened(rate, ()) == rate
    wide = widened(rate, [0.4, 0.6] * 6)
    assert wide.interval[0] < 0.3 < rate.interval[0]
    assert wide.share == rate.share


def test_the_best_of_several_ways_has_a_wider_interval() -> None:
    assert wilson(10, 100, 4).interval[0] < wilson(10, 100).interval[0]
    assert wilson(10, 100, 1) == wilson(10, 100)
