"""People on a list, some of them in each of several releases that come in rounds, as throw-away releases do."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hushwood.arrays import Flags, Integers
from hushwood.attacks.judging.targets import Trial, TriedRelease, scenarios_for
from hushwood.attacks.list_membership import ListMembership
from hushwood.evaluation.controls import PARTS, Effort, control_releases
from hushwood.random_streams import Streams
from hushwood.releasing.perturb import PerturbOptions
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from support.attack_tables import people
from support.mixed_tables import category, number, table_of, target

STREAMS = Streams(bytes(range(32)))


def splits(count: int, rounds: int, seed: int) -> tuple[Flags, Integers]:
    """Who is inside of each release, and the releases' rounds: everybody is outside once in each."""
    chance = np.random.default_rng(seed)
    inside = np.ones((PARTS * rounds, count), bool)
    for first in range(0, PARTS * rounds, PARTS):
        for place, part in enumerate(np.array_split(chance.permutation(count), PARTS)):
            inside[first + place, part] = False
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


def thrown_away(table: Table, options: PerturbOptions, effort: Effort) -> list[TriedRelease]:
    """Throw-away releases of a table, with what is known of each."""
    attack = ListMembership()
    controls = control_releases(table, options, effort, STREAMS)
    found = []
    for place, control in enumerate(controls):
        pair = control.pair
        trial = Trial(
            attack,
            scenarios_for(attack, pair.original.schema)[0],
            pair.original,
            pair.released,
            partner=pair.partner,
            streams=STREAMS,
            holdout=pair.holdout,
            tree=control.forest,
        )
        found.append(TriedRelease(trial, control.inside, control.outside, place // PARTS))
    return found


def wide_table(rows: int, columns: int) -> Table:
    """Numbers and categories that hang together by two hidden ones, and a class that follows from the first."""
    chance = np.random.default_rng(rows)
    hidden = chance.normal(size=(rows, 2))
    made: dict[str, tuple[Attribute, list[float]]] = {}
    for place in range(columns - 1):
        value = hidden @ chance.normal(size=2) * 0.6 + chance.normal(size=rows)
        if place % 3:
            levels = 3 + place % 4
            cuts = np.sort(chance.normal(size=levels - 1))
            made[f"c{place}"] = (
                category(f"c{place}", tuple("abcdefg"[:levels])),
                np.searchsorted(cuts, value).tolist(),
            )
        else:
            made[f"n{place}"] = number(f"n{place}", -20, 120), np.rint(50 + 12 * value).tolist()
    made["y"] = target("y", ("no", "yes")), (hidden[:, 0] > 0).astype(int).tolist()
    return table_of(made)
