"""Which columns lead and which follow, decided from the links of a schema alone.

Categories that are linked change places as one, as if they were a single column. A number that links tie to others is
computed again from them. Everything else leads: techniques change it like any column.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hushwood.tables.links.links import (
    Combinations,
    Condition,
    Constant,
    Determines,
    Link,
    Order,
    Quotient,
    Sum,
)
from hushwood.tables.schema import Attribute, Schema


@dataclass(frozen=True, slots=True)
class JoinedColumns:
    """Categorical columns whose combinations of values change places as one; `numbers` follow from them."""

    categories: tuple[str, ...]
    numbers: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What the combination is called."""
        return " & ".join(self.categories)


@dataclass(frozen=True, slots=True)
class After:
    """A number that is never below others: the largest of them and a distance, which leads in its place."""

    column: str
    bases: tuple[str, ...]

    @property
    def name(self) -> str:
        """What the distance is called."""
        return f"{self.column} - {' or '.join(self.bases)}"


@dataclass(frozen=True, slots=True)
class Total:
    """A number that is the sum of others, or what remains of the first when the rest is taken away.

    With a `quotient` it is the first divided by the second.
    """

    column: str
    parts: tuple[str, ...]
    remains: bool = False
    quotient: Quotient | None = None


@dataclass(frozen=True, slots=True)
class Looked:
    """A column whose value is that of the nearest known number of another."""

    column: str
    given: str


Derived = After | Total | Looked


@dataclass(frozen=True, slots=True)
class Structure:
    """What the links of a table come to.

    `derived` are in the order in which they can be computed. `known_if` are conditions under which a column must be
    missing. `lost` are links that cannot be kept together with the others, which are `kept`.
    """

    together: tuple[JoinedColumns, ...] = ()
    derived: tuple[Derived, ...] = ()
    known_if: tuple[Condition, ...] = ()
    lost: tuple[Link, ...] = ()
    kept: tuple[Link, ...] = ()
    _by_column: Mapping[str, Derived] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_column", {one.column: one for one in self.derived})

    @property
    def empty(self) -> bool:
        """Whether there is nothing to keep."""
        return not (self.together or self.derived or self.known_if)

    @property
    def computed(self) -> frozenset[str]:
        """Columns that trees must not test: no box of the columns they follow from stands for a range of theirs."""
        found = {one.column for one in self.derived if not isinstance(one, After)}
        for one in self.derived:
            if isinstance(one, After) and found & set(one.bases):
                found.add(one.column)
        return frozenset(found)

    def derivation(self, column: str) -> Derived | None:
        """How a column follows from others, if it does."""
        return self._by_column.get(column)


def linkable_columns(schema: Schema) -> tuple[Attribute, ...]:
    """Columns that links can be about: not what is dropped or copied, nor a weight or a class of numbers."""
    named = [a for a in schema.kept if not a.weight]
    return tuple(a for a in named if a.role != "class" or (a.kind == "categorical" and not a.bins))


def structure_of(schema: Schema) -> Structure:
    """What the links of a schema come to; links of columns that are not kept are left out."""
    found = _Building(schema)
    usable = found.width.keys()
    # Sums before orders, which they often imply; numbers that decide categories before links of these categories.
    rank = {Sum: 0, Quotient: 0, Determines: 1, Constant: 1, Order: 2, Combinations: 3, Condition: 4}
    for link in sorted(schema.links, key=lambda link: rank[type(link)]):
        if set(link.columns) <= usable:
            found.add(link)
    return found.finished()


class _Building:
    """Links added one by one, each checked against those before it."""

    def __init__(self, schema: Schema) -> None:
        columns = linkable_columns(schema)
        self.numeric = {a.name for a in columns if a.kind == "numeric"}
        self.sets: list[set[str]] = []
        self.numbers: dict[str, str] = {}  # a number that follows from a category, and that category
        self.bases: dict[str, list[str]] = {}
        self.sums: dict[str, tuple[str, ...]] = {}
        self.quotients: dict[str, Quotient] = {}
        self.remains: set[str] = set()  # of those, differences
        self.width = {a.name: (a.high or 0.0) - (a.low or 0.0) for a in columns}
        self.looked: dict[str, str] = {}
        self.known_if: list[Condition] = []
        self.lost: list[Link] = []
        self.kept: list[Link] = []

    def add(self, link: Link) -> None:
        """Note what a link asks for, or that it cannot be kept."""
        if isinstance(link, Determines | Constant):
            given, follows = (
                (link.given, link.follows) if isinstance(link, Determines) else (link.within, link.same)
            )
            kept = [self._follows(self.looked.get(given, given), name) for name in follows]
        elif isinstance(link, Sum):
            kept = [self._sum(link)]
        elif isinstance(link, Quotient):
            kept = [self._quotient(link)]
        elif isinstance(link, Order):
            kept = [self._after(link.columns[i], link.columns[i + 1]) for i in range(len(link.columns) - 1)]
        elif isinstance(link, Condition) and link.allowed == (None,):
            kept = [self._missing_if(link)]
        else:
            kept = [self._joined(link.columns)]
        (self.kept if all(kept) else self.lost).append(link)

    def _follows(self, given: str, name: str) -> bool:
        if given not in self.numeric and name not in self.numeric:
            return self._joined((given, name))
        if self._taken(name) or self._leads_to(name, given):
            return False
        if given in self.numeric:
            self.looked[name] = given
        else:
            self._joined((given,))
            self.numbers[name] = given
        return True

    def _joined(self, columns: tuple[str, ...]) -> bool:
        if self.numeric & set(columns) or self.looked.keys() & set(columns):
            return False
        apart = [one for one in self.sets if not one & set(columns)]
        self.sets = [*apart, set(columns).union(*(one for one in self.sets if one & set(columns)))]
        return True

    def _sum(self, link: Sum) -> bool:
        if not set(link.columns) <= self.numeric:
            return False
        if self._free_of(link.total, link.parts):
            self.sums[link.total] = link.parts
            return True
        # The widest part that nothing else decides is what remains of the total.
        for part in sorted(link.parts, key=lambda name: (-self.width[name], name)):
            others = (link.total, *(name for name in link.parts if name != part))
            if self._free_of(part, others):
                self.sums[part] = others
                self.remains.add(part)
                return True
        return False

    def _quotient(self, link: Quotient) -> bool:
        parts = (link.of, link.by)
        if not set(link.columns) <= self.numeric or not self._free_of(link.result, parts):
            return False
        self.sums[link.result], self.quotients[link.result] = parts, link
        return True

    def _free_of(self, name: str, others: tuple[str, ...]) -> bool:
        """Whether a column can be computed from others: nothing decides it yet, and none of them follows from it."""
        return not self._taken(name) and not any(self._leads_to(name, other) for other in others)

    def _after(self, low: str, high: str) -> bool:
        if not {low, high} <= self.numeric or self._leads_to(high, low):
            return False
        if high in self.sums or high in self.looked or high in self.numbers:
            # Implied by a sum if its other parts are not negative.
            computed_otherwise = high in self.remains or high in self.quotients
            return high in self.sums and low in self.sums[high] and not computed_otherwise
        if low not in self.bases.setdefault(high, []):
            self.bases[high].append(low)
        return True

    def _missing_if(self, link: Condition) -> bool:
        """A column that must be missing: with the categories it moves with, with what it follows from, or by itself."""
        if link.when in self.numeric or link.when in self.looked:
            return False
        if any(link.column in one for one in self.sets) or link.column in self.numbers:
            return self._joined((link.when, self.numbers.get(link.column, link.column)))
        if link.column in self.sums or link.column in self.looked:
            before = [c for c in self.known_if if c.when == link.when and set(c.values) >= set(link.values)]
            return any(c.column in self._sources(link.column) for c in before)
        self.known_if.append(link)
        return True

    def _taken(self, name: str) -> bool:
        """Whether a column follows from others already."""
        return any(name in group for group in (self.numbers, self.bases, self.sums, self.looked)) or any(
            name in one for one in self.sets
        )

    def _sources(self, name: str) -> tuple[str, ...]:
        """The columns that a column is computed from."""
        if name in self.looked:
            return (self.looked[name],)
        return self.sums.get(name, ()) or tuple(self.bases.get(name, ()))

    def _leads_to(self, name: str, other: str) -> bool:
        """Whether a column is the other, or the other is computed from it."""
        return name == other or any(self._leads_to(name, source) for source in self._sources(other))

    def finished(self) -> Structure:
        """All of it, in an order in which it can be computed."""
        together = tuple(
            JoinedColumns(
                tuple(sorted(one)), tuple(sorted(n for n, given in self.numbers.items() if given in one))
            )
            for one in sorted(self.sets, key=sorted)
        )
        done: dict[str, Derived] = {}
        for name in sorted({*self.bases, *self.sums, *self.looked}):
            self._compute(name, done)
        known_if = sorted(self.known_if, key=lambda condition: self._depth(condition, ()))
        return Structure(together, tuple(done.values()), tuple(known_if), tuple(self.lost), tuple(self.kept))

    def _depth(self, condition: Condition, below: tuple[Condition, ...]) -> int:
        """How many conditions decide about the column that this one asks about."""
        above = [c for c in self.known_if if c.column == condition.when and c not in below]
        return max((1 + self._depth(c, (*below, condition)) for c in above), default=0)

    def _compute(self, name: str, done: dict[str, Derived]) -> None:
        for source in self._sources(name):
            if source not in done:
                self._compute(source, done)
        if name in self.looked:
            done[name] = Looked(name, self.looked[name])
        elif name in self.sums:
            done[name] = Total(name, self.sums[name], name in self.remains, self.quotients.get(name))
        elif name in self.bases:
            done[name] = After(name, tuple(self.bases[name]))
