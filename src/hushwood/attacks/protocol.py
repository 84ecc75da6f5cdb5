"""What an attack is: from what an intruder knows and the released table to guesses; it never sees the original.

`running` makes the knowledge and judges the guesses against the truth, which it alone holds; `guesses` are the
forms that guesses come in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from hushwood.attacks.guesses import Guesses
from hushwood.random_streams import Streams
from hushwood.tables.schema import Schema
from hushwood.tables.table import Array, Table

# What the intruder is after: which row is a target's, a secret value, a property that one person alone has, two
# parts of one person, whether somebody is in the table, or the numbers before noise was added.
Goal = Literal["row", "value", "predicate", "parts", "member", "numbers"]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Some targets and what an intruder knows of them, in keyed order, without row numbers.

    `schema` is that of the release. `columns` hold the known attributes of every target; `other` those of a second
    source about the same people in another order (goal "parts"). `wants` names the attribute to find out (goal
    "value"). `method` is what the release says about how it was made.
    """

    schema: Schema
    count: int
    columns: Mapping[str, Array]
    other: Mapping[str, Array] = field(default_factory=dict)
    wants: str | None = None
    method: Mapping[str, Any] = field(default_factory=dict)
    threads: int = 1


class Attack(Protocol):
    """One way to learn about people from a release."""

    @property
    def name(self) -> str:
        """Its name in the evaluation document."""

    @property
    def question(self) -> str:
        """The question that it answers, for people."""

    @property
    def goal(self) -> Goal:
        """What it is after."""

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> Guesses:
        """The intruder's guesses."""

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> Guesses:
        """The guesses of somebody who does not look at what is known of the targets."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """Who knows what: the known attributes, the one that is wanted, and a sentence for people."""

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
    verdict: str
    details: Mapping[str, Any] = field(default_factory=dict)
    records: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NotAttackable:
    """Why an attack cannot be tried on this release, as a sentence."""

    name: str
    reason: str
