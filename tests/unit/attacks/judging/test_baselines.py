"""What an attack achieves by luck: tried where it cannot know anything."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.attacks.attribute_inference import AttributeInference
from hushwood.attacks.judging.baselines import BLIND_REPEATS, blind_rates
from hushwood.attacks.judging.estimates import widened, wilson
from hushwood.attacks.judging.running import run_attack
from hushwood.attacks.judging.scoring import hits
from hushwood.attacks.judging.targets import Trial, known_rows
from hushwood.attacks.linkage import Linkage
from hushwood.attacks.protocol import Attack, Attacked, NumberGuesses, RowGuesses, Scenario
from hushwood.evaluation.references import noise_table
from hushwood.random_streams import Streams
from hushwood.tables.table import Table
from support.mixed_tables import number, table_of, target

STREAMS = Streams(bytes(32))
SCENARIO = Scenario("all", "The intruder knows all.", ("x", "y"), wants="ill")


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
    return Trial(attack, SCENARIO, table, table, partner=np.arange(table.rows), streams=STREAMS)


def test_a_secret_is_shuffled_for_every_blind_try() -> None:
    table, attack = two_crowds(), AttributeInference("nearest")
    trial = on_itself(attack, table)
    known = known_rows(trial, table, np.arange(50), None)
    guesses = attack.guess(known.knowledge, table, STREAMS)

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
                Trial(AttributeInference(), SCENARIO, table, noise, partner=None, streams=streams, luck=luck)
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
