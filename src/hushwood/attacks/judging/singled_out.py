"""Excess of singling out: of the properties that an intruder finds in a release, how many fit one person alone.

It is counted per guess: the share of the properties that exactly one person of the table has, less the share that
exactly one of equally many people has who were never in it. Several attributes together are one way to single people
out, every attribute alone is another, and the worst way counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.attacks.judging.estimates import Excess, wilson
from hushwood.attacks.judging.targets import Trial, TriedRelease, draw_rows, known_targets
from hushwood.attacks.protocol import Attack, PredicateGuesses
from hushwood.attacks.search.predicates import count_matches
from hushwood.tables.table import Table

MOST_PROPERTIES = 10_000  # of each release: more would take long and hardly narrow the interval
MOST_PARTS = 8  # of the table, whose places a smaller hold-out takes in turn
# A way that finds properties for a smaller share of the people counts only where its excess is shown.
FEW = 0.05


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
