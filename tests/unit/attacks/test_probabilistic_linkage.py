from __future__ import annotations

import numpy as np

from hushwood.attacks.assignment_linkage import AssignmentLinkage
from hushwood.attacks.probabilistic_linkage import NEARNESS, ProbabilisticLinkage
from hushwood.random_streams import Streams
from support.attack_tables import noisier, people, pure_noise, untouched, weak
from support.intruders import knowing
from support.mixed_tables import category, table_of

STREAMS = Streams(bytes(range(32)))
NAMES = ("age", "height", "balance", "city", "job")


def test_everybody_is_found_in_the_table_itself() -> None:
    pair = untouched(1, 300)
    knowledge = knowing(pair.original, NAMES)
    rows = ProbabilisticLinkage().guess(knowledge, pair.released, STREAMS).rows
    assert (rows == pair.partner).mean() > 0.99


def test_wider_tolerance_suits_more_noise() -> None:
    pair = noisier(weak(2, 400), 1, 0.1)
    knowledge = knowing(pair.original, NAMES)
    narrow, wide = (
        (variant.guess(knowledge, pair.released, STREAMS).rows == pair.partner).mean()
        for variant in ProbabilisticLinkage().variants()
    )
    assert [variant.near for variant in ProbabilisticLinkage().variants()] == list(NEARNESS)
    assert wide > narrow


def test_an_attribute_that_was_scrambled_is_not_listened_to() -> None:
    """Distances give three scrambled attributes the same say as the rest; weights learn that they say little."""
    chance = np.random.default_rng(2)
    rows = 400
    columns = {
        f"c{i}": (category(f"c{i}", "abcdefgh"), chance.integers(0, 8, rows).tolist()) for i in range(7)
    }
    original = table_of(columns)
    scrambled = {name: chance.permutation(original.columns[name]) for name in ("c0", "c1", "c2")}
    released = original.with_columns(scrambled)
    knowledge = knowing(original, list(columns))
    plain, weighed = (
        (attack.guess(knowledge, released, STREAMS).rows == np.arange(rows)).mean()
        for attack in (AssignmentLinkage(), ProbabilisticLinkage())
    )
    assert weighed > plain + 0.1


def test_nobody_is_found_in_noise() -> None:
    pair = pure_noise(3, 500)
    knowledge = knowing(pair.original, NAMES)
    rows = ProbabilisticLinkage().guess(knowledge, pair.released, STREAMS).rows
    assert (rows == pair.partner).mean() < 0.02


def test_one_released_row_is_everybodys() -> None:
    knowledge = knowing(people(4, 6), NAMES)
    rows = ProbabilisticLinkage().guess(knowledge, people(5, 1), STREAMS).rows
    assert rows.tolist() == [0] * 6
