"""What an attack is: from what an intruder knows and the released table to guesses; it never sees the original.

`judging` makes the knowledge and judges the guesses against the truth, which it alone holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.attacks.judging.estimates import AttackVerdict
from hushwood.detail_tables import DetailTable
from hushwood.random_streams import Streams
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest

# What the intruder wants: which row is a target's, a secret value, a property that only one person has, two parts of
# one person, whether a person is in the table, or the numbers before noise was added.
Goal = Literal["row", "value", "predicate", "parts", "member", "numbers"]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Some targets and what an intruder knows about them, in keyed order, without row numbers.

    `schema` is that of the release. `columns` hold the known attributes of every target; `other` those of a second
    source about the same people in another order (goal "parts"). `wants` names the attribute to find out (goal
    "value"). `method` is what the release says about how it was made. `reference` are the known attributes of people of
    the same population who are neither in the table nor among the targets (goal "member"); where the intruder has a
    list of candidates, they are the rest of that list. `tree` is the forest that was published with the release.
    """

    schema: Schema
    count: int
    columns: Mapping[str, Array]
    other: Mapping[str, Array] = field(default_factory=dict)
    wants: str | None = None
    method: Mapping[str, Any] = field(default_factory=dict)
    threads: int = 1
    reference: Mapping[str, Array] = field(default_factory=dict)
    tree: Forest | None = None


@dataclass(frozen=True, slots=True)
class RowGuesses:
    """The released row guessed for each target; -1 for no guess."""

    rows: Integers


@dataclass(frozen=True, slots=True)
class ValueGuesses:
    """The value of the wanted attribute for each target, in the column's own coding."""

    values: Array


@dataclass(frozen=True, slots=True)
class PredicateGuesses:
    """Conjunctions that only one person is said to satisfy.

    Predicate p consists of the terms `begin[p] : begin[p + 1]`; a term compares the column of that name with a value
    by an operator: "<=", ">=", "==", or "missing".
    """

    begin: Integers
    column: tuple[str, ...]
    operator: tuple[str, ...]
    value: Floats

    def __len__(self) -> int:
        return len(self.begin) - 1


@dataclass(frozen=True, slots=True)
class PartGuesses:
    """Released rows near each target's first part and near each second part: [target, neighbour] each."""

    first: Integers
    second: Integers


@dataclass(frozen=True, slots=True)
class MemberGuesses:
    """Whether each target is said to be in the table, and how certain that is (higher: more certain)."""

    member: Flags
    score: Floats


@dataclass(frozen=True, slots=True)
class NumberGuesses:
    """The numbers of every released row before noise was added, by column."""

    columns: Mapping[str, Floats]


Guesses = RowGuesses | ValueGuesses | PredicateGuesses | PartGuesses | MemberGuesses | NumberGuesses


class Attack(Protocol):
    """One way to learn about people from a release, and what reports say about it.

    Attacks derive from this class and state what differs from the defaults.
    """

    name: str  # in the evaluation document
    title: str
    question: str
    goal: Goal
    family: str  # attacks of one family look for the same thing; the strongest is the family's headline
    headline: int | None = None  # the place of the family among the headlines, if it has one
    quick: bool = False  # whether it belongs to quick evidence
    settings: tuple[str, ...] = ()  # its parameters that users may set; the others tell its variants apart
    # The naive guesser's rate is a yardstick: repeated this often, its own chance hardly counts.
    naive_repeats: int = 10
    members: float = 0.5  # goal "member": the share of the targets who were in the table
    listed: bool = False  # goal "member": all people, inside and outside, are on a list that the intruder has

    @property
    def picks(self) -> float:
        """The share of its targets that it attacks: with a half, it is shown twice as many."""
        return 1.0

    def variants(self) -> tuple[Attack, ...]:
        """The ways to mount it; the most successful one counts, as the worst that can happen."""
        return (self,)

    def plain_variants(self) -> tuple[Attack, ...]:
        """The ways to mount it on the untouched table and on pure noise, where only a rate is wanted."""
        return self.variants()

    def refuses(self, knowledge: Knowledge, released: Table) -> str | None:
        """Why it cannot be tried on a release, as a sentence; None if it can."""
        return None

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> Guesses:
        """The intruder's guesses."""

    def all_guesses(
        self, variants: Sequence[Attack], knowledge: Knowledge, released: Table, streams: Streams
    ) -> list[Guesses]:
        """The guesses of several of its variants; an attack whose variants share work does it once."""
        return [variant.guess(knowledge, released, streams) for variant in variants]

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> Guesses:
        """The guesses of an intruder who ignores what is known about the targets."""

    def tables(self, details: Mapping[str, Any]) -> tuple[DetailTable, ...]:
        """What stands behind the rate of success, by the details of the evaluation."""
        return ()

    def remarks(self, details: Mapping[str, Any]) -> str:
        """Sentences that follow the scenario's in reports."""
        return ""

    def control_factor(self, guesses: Guesses, control: Table, rows: int) -> float:
        """What to multiply the successes on a control group with to get those on a group of this many rows."""
        return 1.0


@dataclass(frozen=True, slots=True)
class Scenario:
    """What the intruder knows: the known attributes, the wanted one, and a sentence for people."""

    name: str
    says: str
    knows: tuple[str, ...]
    other: tuple[str, ...] = ()
    wants: str | None = None


@dataclass(frozen=True, slots=True)
class Attacked:
    """How an attack went in one scenario; `details` are plain data, `records` one number per original row."""

    name: str
    scenario: Scenario
    attempts: int
    success: float
    naive: float
    interval: tuple[float, float]
    control: float | None
    verdict: AttackVerdict
    details: Mapping[str, Any] = field(default_factory=dict)
    records: Mapping[str, Floats] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NotAttackable:
    """Why an attack cannot be tried on this release, as a sentence."""

    name: str
    reason: str
