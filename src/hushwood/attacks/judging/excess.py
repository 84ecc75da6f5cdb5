"""Excess risk: how much more often an attack is right about people because they are in the table.

The attack is tried on throw-away releases of parts of the table. A person is in some of them and was never in others,
so the same person is attacked both ways and differences between people cancel; every release is attacked about people
inside and outside of it, so differences between releases cancel too. Of several ways to mount the attack, the one whose
interval reaches highest counts, and the interval allows for the choice.

Singling out is counted per guess: the share of the properties that exactly one person of the table has, less the share
that exactly one of equally many people has who were never in it. Several attributes together are one way to single
people out, every attribute alone is another, and the worst way counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from statistics import NormalDist

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.attacks.judging.estimates import CONFIDENCE, Excess, wilson
from hushwood.attacks.judging.running import control_hits
from hushwood.attacks.judging.scoring import hits
from hushwood.attacks.judging.shadows import listed_excess
from hushwood.attacks.judging.targets import (
    Known,
    Trial,
    TriedRelease,
    draw_rows,
    known_targets,
    members_and_others,
)
from hushwood.attacks.protocol import Attack, MemberGuesses, PredicateGuesses
from hushwood.attacks.search.predicates import count_matches
from hushwood.tables.table import Table

# A smaller hold-out takes both parts in turn: strangers among the targets, and the intruder's reference sample.
SMALL_HOLDOUT = 1_000
MOST_PROPERTIES = 10_000  # of each release: more would take long and hardly narrow the interval
MOST_PARTS = 8  # of the table, whose places a smaller hold-out takes in turn
# A way that finds properties for a smaller share of the people counts only where its excess is shown.
FEW = 0.05


@dataclass(slots=True)
class GuessTally:
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
    if attack.listed:
        return listed_excess(releases, persons)
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
    tally = GuessTally(persons)
    for one in releases:
        if attack.goal == "member":
            _count_named(attack, one, tally)
        else:
            _count_right(attack, one, tally)
    return tally.excess(ways, len(releases))


def _count_right(attack: Attack, one: TriedRelease, tally: GuessTally) -> None:
    """Count which guesses about people inside and outside are right."""
    trial = one.trial
    known = known_targets(trial)
    guesses = attack.guess(known.knowledge, trial.released, trial.streams_for("guess"))
    tally.add(False, one.inside[known.truth.target_rows], hits(guesses, known.truth))
    if trial.holdout is not None:
        right, rows = control_hits(trial, attack, trial.holdout)
        tally.add(True, one.outside[rows], right)


def _count_named(attack: Attack, one: TriedRelease, tally: GuessTally) -> None:
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


@dataclass(frozen=True, slots=True)
class Properties:
    """Properties found in releases, and who alone has each, among the people of the table and among strangers.

    `person` and `stranger` are numbers of people (-1: nobody or several have it). `share` says in which share of the
    tries the stranger had it alone in a group of the table's size, `scale` how many strangers there should have been
    for each that there was. `column` is that of a property of one attribute, else "".
    """

    column: Array
    person: Integers
    stranger: Integers
    share: Floats
    scale: Floats

    def __len__(self) -> int:
        return len(self.person)

    def take(self, which: Array) -> Properties:
        """Some of them."""
        return Properties(*(getattr(self, name)[which] for name in self.__slots__))

    def excess(self, ways: int, releases: int) -> Excess:
        """The difference of the two rates, with the interval of Newcombe (1998, method 10); `ways` as in `wilson`."""
        count, largest = max(int(len(self) / self._together()), 1), float(self.scale.max())
        inside = float((self.person >= 0).mean())
        low, high = wilson(inside * count, count, ways).interval
        shrunk = float((self.share * self.scale).mean()) / largest
        ends = wilson(shrunk * count, count, ways).interval
        outside, least, most = (min(largest * one, 1.0) for one in (shrunk, *ends))
        value, columns = inside - outside, np.unique(self.column)
        below = sqrt((inside - low) ** 2 + (most - outside) ** 2)
        above = sqrt((high - inside) ** 2 + (outside - least) ** 2)
        by = str(columns[0]) if len(columns) == 1 else ""
        interval = (value - below, value + above)
        strangers = round(float((1 / self.scale).sum()))
        return Excess(value, interval, "control", len(self), strangers, releases, by)

    def _together(self) -> float:
        """How many guesses count as one, because guesses about one person are right or wrong together (Kish 1965).

        Whoever is easily singled out is so inside a release and outside of others, which cancels.
        """
        hit, met = self.person >= 0, self.stranger >= 0
        right = np.concatenate((np.ones(np.count_nonzero(hit)), -(self.share * self.scale)[met]))
        who = np.concatenate((self.person[hit], self.stranger[met]))
        net = np.bincount(np.unique(who, return_inverse=True)[1], right)
        apart = float((right**2).sum())
        return max(float((net**2).sum()) / apart, 1.0) if apart else 1.0


def singled_out(variants: Sequence[Attack], releases: Sequence[TriedRelease]) -> Excess | None:
    """The excess of the worst way to single people out; None without strangers to compare with.

    A release without a property that fits one record alone singles out nobody.
    """
    trials = [one.trial for one in releases]
    if any(trial.holdout is None or trial.holdout.rows == 0 for trial in trials):
        return None
    people = sum(trial.original.rows for trial in trials)
    tried = []
    for variant in variants:
        found = _joined([_found(variant, one) for one in releases])
        parts = list(_parts(found))
        tried += [part.excess(len(variants) * len(parts), len(releases)) for part in parts]
    counted = [one for one in tried if one.attempts >= FEW * people or one.interval[0] > 0]
    if counted:
        return max(counted, key=lambda one: one.interval[1])
    nothing = Excess(0.0, (0.0, 0.0), "control", 0, 0, len(releases))
    return max(tried, key=lambda one: one.attempts, default=nothing)


def _parts(found: Properties) -> Iterator[Properties]:
    """All of them, and those of every single attribute."""
    columns, which = np.unique(found.column, return_inverse=True)
    if len(found):
        yield found
    if len(columns) > 1:
        yield from (found.take(which == place) for place in range(len(columns)))


def _found(attack: Attack, one: TriedRelease) -> Properties:
    """The properties that the attack finds in one release, and whom they fit.

    A hold-out as large as the table is a second table. A smaller one takes the places of a part of the table, of
    several such parts in turn: a stranger who then has a property alone stands for all who would if strangers took all
    places. Counting only strangers keeps a smaller hold-out from making the excess larger.
    """
    original, holdout = one.trial.original, one.trial.holdout
    trial = replace(one.trial, attack=attack, targets=min(original.rows, MOST_PROPERTIES))
    known = known_targets(trial)
    guesses = attack.guess(known.knowledge, trial.released, trial.streams_for("guess"))
    if not isinstance(guesses, PredicateGuesses) or holdout is None:
        raise TypeError(f"{attack.name} finds no properties")
    part = min(holdout.rows, original.rows)
    drawn = draw_rows(np.arange(holdout.rows), part, trial.streams, "strangers")
    stranger = _only_one(guesses, holdout.take(drawn), one.outside[drawn])
    single = np.diff(guesses.begin) == 1
    names = np.array([*guesses.column, ""], np.str_)
    return Properties(
        np.where(single, names[guesses.begin[:-1]], ""),
        _only_one(guesses, original, one.inside),
        stranger,
        np.where(stranger >= 0, _alone(guesses, trial, part), 0.0),
        np.full(len(guesses), original.rows / part),
    )


def _only_one(guesses: PredicateGuesses, table: Table, numbers: Integers) -> Integers:
    """The number of the person who alone has a property; -1 if nobody or several do."""
    counts, first = count_matches(guesses, table.columns)
    return np.where(counts == 1, numbers[first], -1)


def _alone(guesses: PredicateGuesses, trial: Trial, part: int) -> Floats:
    """The share of the tries in which nobody has a property who is left when a part of the table has gone."""
    rows = trial.original.rows
    order = trial.streams.order("attack", "replaced people", range(rows))
    parts = min(rows // part, MOST_PARTS)
    alone = np.zeros(len(guesses))
    for place in range(parts):
        stay = np.delete(order, np.s_[place * part : (place + 1) * part])
        others = {name: values[stay] for name, values in trial.original.columns.items()}
        alone += count_matches(guesses, others, most=1)[0] == 0
    return alone / parts


def _joined(found: Sequence[Properties]) -> Properties:
    return Properties(
        *(np.concatenate([getattr(one, name) for one in found]) for name in Properties.__slots__)
    )
