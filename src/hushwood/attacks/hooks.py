"""What an attack may have beside the protocol; `running` asks for each by name.

An attack that has none of these is complete.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from hushwood.attacks.guesses import Guesses
from hushwood.attacks.protocol import Attack, Knowledge
from hushwood.tables.table import Table


@runtime_checkable
class Varied(Protocol):
    """An attack that can be mounted in several ways, of which only the truth tells the better."""

    def variants(self) -> tuple[Attack, ...]:
        """The ways; the one with the most right guesses counts, as the worst that can happen."""


@runtime_checkable
class Selective(Protocol):
    """An attack that picks some of its targets itself and leaves the rest alone."""

    @property
    def picks(self) -> float:
        """The share that it attacks; so many more are shown to it that the wanted number is left."""


@runtime_checkable
class Refusing(Protocol):
    """An attack that some releases give no hold."""

    def refuses(self, knowledge: Knowledge, released: Table) -> str | None:
        """Why it cannot be tried, as a sentence; None if it can."""


@runtime_checkable
class SizeAware(Protocol):
    """An attack whose success on a control group depends on how many people are in it."""

    def control_factor(self, guesses: Guesses, control: Table, rows: int) -> float:
        """By what to multiply the successes on the control to have those on a control of so many rows."""
