"""People on a list, some of them in each of several releases that come in rounds, as throw-away releases do."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hushwood.arrays import Flags, Integers
from hushwood.attacks.judging.targets import Trial, TriedRelease, scenarios_for
from hushwood.attacks.list_membership import ListMembership
from hushwood.random_streams import Streams
from hushwood.tables.table import Table
from support.attack_tables import people

STREAMS = Streams(bytes(range(32)))
PARTS = 3


def splits(count: int, rounds: int, seed: int) -> tuple[Flags, Integers]:
    """Who is inside of each release, and the releases' rounds: everybody is outside once in each."""
    chance = np.random.default_rng(seed)
    inside = np.ones((PARTS * rounds, count), bool)
    for number in range(rounds):
        for place, part in enumerate(np.array_split(chance.permutation(count), PARTS)):
            inside[PARTS * number + place, part] = False
    return inside, np.repeat(np.arange(rounds), PARTS)


def as_listed(
    count: int, number: int, released: Callable[[Table, int], Table] | None = None, seed: int = 1
) -> list[TriedRelease]:
    """Releases of parts of a table: untouched ones, or as `released` makes them of a table and a number."""
    table = people(seed, count)
    inside, rounds = splits(count, -(-number // PARTS), seed)
    scenario = scenarios_for(ListMembership(), table.schema)[0]
    found = []
    for place in range(number):
        rows, others = np.flatnonzero(inside[place]), np.flatnonzero(~inside[place])
        original = table.take(rows)
        trial = Trial(
            ListMembership(),
            scenario,
            original,
            released(original, place) if released else original,
            partner=None,
            streams=STREAMS,
            holdout=table.take(others),
        )
        found.append(TriedRelease(trial, rows, others, int(rounds[place])))
    return found
