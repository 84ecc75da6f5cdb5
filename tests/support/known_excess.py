"""Attacks whose guesses are easy to follow, and throw-away releases whose excess risk is known exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.attacks.attribute_inference import AttributeInference
from hushwood.attacks.judging.targets import Trial, TriedRelease
from hushwood.attacks.membership import Membership
from hushwood.attacks.protocol import Attack, Goal, Guesses, Knowledge, PredicateGuesses, Scenario
from hushwood.random_streams import Streams
from hushwood.tables.table import Table
from support.mixed_tables import number, table_of, target

WHOLE = 3_000
KNOWN = Scenario("known", "The intruder knows the number.", ("x",), wants="ill")


@dataclass(frozen=True)
class Scripted(Attack):
    """Guesses by a function of what is known and of the release."""

    goal: Goal
    says: Callable[[Knowledge, Table], Guesses]

    name = "scripted"
    title = question = family = ""

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> Guesses:
        return self.says(knowledge, released)

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> Guesses:
        raise AssertionError("an excess is not compared with a naive guesser")


class NearestSecret(AttributeInference):
    """Attribute inference in one way only: the secret of the nearest released row."""

    def variants(self) -> tuple[NearestSecret, ...]:
        return (self,)


class NearestRecord(Membership):
    """Membership in one way only: by the distance to the nearest released row."""

    def variants(self) -> tuple[NearestRecord, ...]:
        return (self,)


def numbers_of_the_release(knowledge: Knowledge, released: Table) -> PredicateGuesses:
    """One property for each record of the release: to have its number."""
    values = released.columns["x"]
    return PredicateGuesses(np.arange(len(values) + 1), ("x",) * len(values), ("==",) * len(values), values)


def numbered(x: Sequence[float] | Any, ill: Sequence[int] | Any) -> Table:
    """People with a number and a class."""
    return table_of(
        {
            "x": (number("x", 0, 1, None), list(x)),
            "ill": (target("ill", ("no", "yes")), list(ill)),
        }
    )


def tried(
    attack: Attack,
    table: Table,
    released: Table,
    inside: Integers,
    outside: Integers,
    streams: Streams,
    **more: Any,
) -> TriedRelease:
    """The attack on a release of the people inside, with those outside as people who were never in it."""
    trial = Trial(
        attack,
        more.pop("scenario", KNOWN),
        table.take(inside),
        released,
        partner=np.arange(len(inside)),
        streams=streams,
        holdout=table.take(outside) if len(outside) else None,
        targets=100_000,
        **more,
    )
    return TriedRelease(trial, inside, outside)


def leaky_releases(
    attack: Attack, share: float, seed: int, people: int = 600, releases: int = 6
) -> list[TriedRelease]:
    """Throw-away releases in thirds, as `controls` makes them, in which a share of the people leak.

    Whoever leaks has the own record in the release. For attribute inference, all others have a record with their number
    and a class drawn by a coin; for membership and singling out, a record of nobody. Numbers say nothing about classes.
    For singling out they are whole, so that others may have the same.
    """
    chance = np.random.default_rng(seed)

    def drawn(count: int) -> Floats:
        whole = attack.goal == "predicate"
        return chance.integers(0, WHOLE, count).astype(np.float64) if whole else chance.random(count)

    table = numbered(drawn(people), chance.integers(0, 2, people))
    found = []
    for place in range(releases):
        if place % 3 == 0:
            parts = np.array_split(chance.permutation(people), 3)
        outside = np.sort(parts[place % 3])
        inside = np.setdiff1d(np.arange(people), outside)
        own, count = table.take(inside), len(inside)
        leaks = chance.random(count) < share
        nobody = own.columns["x"] if attack.goal == "value" else drawn(count)
        released = numbered(
            np.where(leaks, own.columns["x"], nobody),
            np.where(leaks, own.columns["ill"], chance.integers(0, 2, count)),
        )
        found.append(tried(attack, table, released, inside, outside, Streams(chance.bytes(32))))
    return found
