"""The kinds of links between columns, as data.

`finding` looks for them in a table, `counting` counts the records that break them, and `linked_columns` changes linked
columns as one.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Determines:
    """Whoever knows `given` knows `follows`: the city determines the state. Missing counts as a value of its own."""

    given: str
    follows: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are linked."""
        return (self.given, *self.follows)


@dataclass(frozen=True, slots=True)
class Combinations:
    """Only combinations of values that occur in the table are possible; missing counts as a value of its own."""

    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """Each column is at most the next one, where both are known: the start is never after the end."""

    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """A column is the sum of others wherever all are known, up to half a unit of the last decimal.

    A difference is a sum too: net = gross - tax says that gross = net + tax. Dates count in days.
    """

    total: str
    parts: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are linked."""
        return (self.total, *self.parts)


@dataclass(frozen=True, slots=True)
class Condition:
    """If the category of `when` is one of `values`, then `column` has one of the categories `allowed`.

    None among `values` or `allowed` stands for missing. A numeric `column` has no categories: `allowed` is then
    (None,), so that it is known only for other values of `when`.
    """

    when: str
    values: tuple[str | None, ...]
    column: str
    allowed: tuple[str | None, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are linked."""
        return (self.when, self.column)


@dataclass(frozen=True, slots=True)
class Constant:
    """The columns have one value in all records of a person, a household or another group."""

    within: str
    same: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are linked."""
        return (self.within, *self.same)


@dataclass(frozen=True, slots=True)
class Quotient:
    """A number is another divided by a power of a third, times 10 to the power of `shift`, wherever all are known.

    A body mass index is the weight divided by the square of the height.
    """

    result: str
    of: str
    by: str
    power: int = 1
    shift: int = 0

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are linked."""
        return (self.result, self.of, self.by)


Link = Determines | Combinations | Order | Sum | Condition | Constant | Quotient
# What a quotient may be like: up to the square, and units a million million apart.
MOST_POWER, MOST_SHIFT = 2, 12
