"""Excess risk: how much more often an attack is right about people because they are in the table.

The attack is tried on throw-away releases of parts of the table. A person is in some of them and was never in others,
so the same person is attacked both ways and differences between people cancel; every release is attacked about people
inside and outside of it, so differences between releases cancel too. Of several ways to mount the attack, the one whose
interval reaches highest counts, and the interval allows for the choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.attacks.judging.baselines import control_hits
from hushwood.attacks.judging.estimates import CONFIDENCE, Excess, wilson
from hushwood.attacks.judging.scoring import hits
from hushwood.attacks.judging.singled_out import singled_out
from hushwood.attacks.judging.targets import Known, Trial, TriedRelease, known_targets, members_and_others
from hushwood.attacks.protocol import Attack, MemberGuesses

# A smaller hold-out takes both parts in turn: strangers among the targets, and the intruder's reference sample.
SMALL_HOLDOUT = 1_000


@dataclass(slots=True)
class Tally:
    """Right guesses and attempts per person, while the person was in the table and while not."""

    persons: int
    right: Floats = field(init=False)  # [inside or outside, person]
    tried: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.right, self.tried = np.zeros((2, self.persons)), np.zeros((2, self.persons))

    def add(self, outside: bool, persons: Integers, right: Floats) -> None:
        """Count guesses; NaN is no guess."""
        made = ~np.isnan(right)
        np.add.at(self.right[int(outside)], persons[made], right[made])
        np.add.at(self.tried[int(outside)], persons[made], 1.0)

    def excess(self, ways: int, releases: int) -> Excess | None:
        """The difference of the two rates; its variance is that of the persons' shares in it.

        As Agresti and Min (2005) add half a pair to every cell, one discordant pair is added, so that no interval has
        the width 0.
        """
        attempts = self.tried.sum(axis=1)
        if not attempts.all():
            return None
        rates = self.right.sum(axis=1) / attempts
        parts = (self.right - rates[:, None] * self.tried) / attempts[:, None]
        influence = parts[0] - parts[1]
        seen = np.count_nonzero(self.tried.any(axis=0))
        pairs = np.count_nonzero(self.tried[1])
        variance = float((influence**2).sum()) * seen / max(int(seen) - 1, 1) + 1 / (pairs + 2) ** 2
        return _excess(float(rates[0] - rates[1]), sqrt(variance), ways, attempts, releases)


def excess_of(releases: Sequence[TriedRelease], persons: int) -> Excess | None:
    """The excess of an attack in one scenario, over all releases; None where it cannot be tried on any."""
    if not releases:
        return None
    attack = releases[0].trial.attack
    variants = [one for one in attack.variants() if _can_be_tried(one, releases)]
    if attack.goal == "predicate":
        return singled_out(variants, releases) if variants else None
    found = [_one_way(one, releases, persons, len(variants)) for one in variants]
    known = [excess for excess in found if excess is not None]
    return max(known, key=lambda excess: excess.interval[1]) if known else None


def _can_be_tried(attack: Attack, releases: Sequence[TriedRelease]) -> bool:
    return all(
        attack.refuses(known_targets(one.trial).knowledge, one.trial.released) is None for one in releases
    )


def _one_way(attack: Attack, releases: Sequence[TriedRelease], persons: int, ways: int) -> Excess | None:
    if attack.goal == "row":
        return _over_chance(attack, releases, ways)
    tally = Tally(persons)
    for one in releases:
        if attack.goal == "member":
            _count_named(attack, one, tally)
        else:
            _count_right(attack, one, tally)
    return tally.excess(ways, len(releases))


def _count_right(attack: Attack, one: TriedRelease, tally: Tally) -> None:
    """Count which guesses about people inside and outside are right."""
    trial = one.trial
    known = known_targets(trial)
    guesses = attack.guess(known.knowledge, trial.released, trial.streams_for("guess"))
    tally.add(False, one.inside[known.truth.target_rows], hits(guesses, known.truth))
    if trial.holdout is not None:
        right, rows = control_hits(trial, attack, trial.holdout)
        tally.add(True, one.outside[rows], right)


def _count_named(attack: Attack, one: TriedRelease, tally: Tally) -> None:
    """Count who is said to be in the table: the excess is then the advantage, TPR - FPR."""
    for known in _mixed(one.trial):
        guesses = attack.guess(known.knowledge, one.trial.released, one.trial.streams_for("guess"))
        if not isinstance(guesses, MemberGuesses) or known.truth.holdout_rows is None:
            raise TypeError(f"{attack.name} names no members")
        named, inside = guesses.member.astype(np.float64), known.truth.target_rows >= 0
        tally.add(False, one.inside[known.truth.target_rows[inside]], named[inside])
        tally.add(True, one.outside[known.truth.holdout_rows[~inside]], named[~inside])


def _mixed(trial: Trial) -> Iterator[Known]:
    """Members and others; in a small hold-out both halves take their turn as the others."""
    if trial.holdout is not None:
        yield members_and_others(trial, trial.holdout)
        if trial.holdout.rows < SMALL_HOLDOUT:
            yield members_and_others(trial, trial.holdout, swapped=True)


def _over_chance(attack: Attack, releases: Sequence[TriedRelease], ways: int) -> Excess | None:
    """Records found, beyond the rate of a row drawn blindly."""
    right: list[Floats] = []
    blind = 0.0
    for one in releases:
        known = known_targets(one.trial)
        guesses = attack.guess(known.knowledge, one.trial.released, one.trial.streams_for("guess"))
        made = hits(guesses, known.truth)
        right.append(made[~np.isnan(made)])
        blind += len(right[-1]) / max(one.trial.original.rows, 1)
    tried = np.concatenate(right)
    if not len(tried):
        return None
    rate, chance = wilson(float(tried.sum()), len(tried), ways), blind / len(tried)
    low, high = rate.interval
    return Excess(rate.share - chance, (low - chance, high - chance), "chance", len(tried), 0, len(releases))


def _excess(value: float, deviation: float, ways: int, attempts: Floats, releases: int) -> Excess:
    confidence = 1 - (1 - CONFIDENCE) / ways
    half = NormalDist().inv_cdf((1 + confidence) / 2) * deviation
    inside, outside = (int(count) for count in attempts)
    interval = (max(value - half, -1.0), min(value + half, 1.0))
    return Excess(value, interval, "control", inside, outside, releases)
