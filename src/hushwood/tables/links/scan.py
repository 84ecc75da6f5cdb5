"""One look at a table, which all finders of links share: the levels of its columns, its numbers, what is no accident.

Missing is a level, too. A few records from all over the table rule most candidates out before all records are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.links.links import Link, says
from hushwood.tables.links.numbers import allowance
from hushwood.tables.links.structure import linkable_columns
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table

ACCIDENT = 1e-6  # the chance that any link is found between columns that have nothing to do with each other
FEWEST = 50  # records from which anything can be learnt
PROBED = 256  # records by which most candidates are ruled out
MOST_LEVELS = 200  # of a number that is looked at as if it were a category
_FEW_VALUES = 5  # fewer among the probed records are counted in all


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A link, the number of records that speak for it, and what else there is to say about it."""

    link: Link
    support: int
    aside: str = ""

    @property
    def says(self) -> str:
        """A sentence for people, without its stop."""
        return f"{says(self.link)}: {self.support:,} records{self.aside}"


@dataclass(frozen=True, slots=True)
class Search:
    """The links that were found, and sentences on what was not looked for because it would take too long."""

    found: tuple[FoundLink, ...] = ()
    not_looked_for: tuple[str, ...] = ()

    @property
    def links(self) -> tuple[Link, ...]:
        """The links alone."""
        return tuple(each.link for each in self.found)


@dataclass(frozen=True, slots=True)
class Levels:
    """A column as codes of the levels that occur; level 0 is the first of them. `names` has None for missing."""

    attribute: Attribute
    codes: Integers
    counts: Integers
    names: tuple[str | None, ...] = ()

    @property
    def name(self) -> str:
        """The column's name."""
        return self.attribute.name

    @property
    def categorical(self) -> bool:
        """Whether the levels have names."""
        return self.attribute.kind == "categorical"

    @property
    def varied(self) -> bool:
        """Whether the column says anything: one value has at most 99 % of the records."""
        return len(self.counts) > 1 and int(self.counts.max()) <= 0.99 * int(self.counts.sum())


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """A column of numbers that are not all missing: how many are known, their ends, and how many different ones.

    `different` counts those of all records only where the probed ones have few.
    """

    attribute: Attribute
    values: Floats
    known: int
    low: float
    high: float
    different_probed: int
    different: int

    @property
    def name(self) -> str:
        """The column's name."""
        return self.attribute.name

    @property
    def allowed(self) -> float:
        """How far it may be off where it is computed from others."""
        return allowance(self.attribute, np.array([self.low, self.high]))


@dataclass(frozen=True, slots=True)
class Scan:
    """The columns that links are looked for in, by name: not what is dropped or copied, nor what groups records.

    A class may follow from others, or decide about them. Numbers of few values are levels, too.
    """

    table: Table
    attributes: tuple[Attribute, ...]
    classes: tuple[Attribute, ...]
    levels: dict[str, Levels]
    numbers: tuple[NumberColumn, ...]

    @classmethod
    def of(cls, table: Table, without: Iterable[str] = ()) -> Scan:
        """Look at every column once."""
        out = set(without)
        attributes = sorted((a for a in table.schema.tested if a.name not in out), key=lambda a: a.name)
        classes = [a for a in linkable_columns(table.schema) if a.role == "class"]
        coded = {a.name: levels_of(a, table.columns[a.name]) for a in (*attributes, *classes)}
        levels = {name: each for name, each in coded.items() if each is not None}
        numbers = (_number(a, table.columns[a.name]) for a in attributes if a.kind == "numeric")
        present = tuple(number for number in numbers if number is not None)
        return cls(table, tuple(attributes), tuple(classes), levels, present)

    @property
    def rows(self) -> int:
        """How many records were looked at."""
        return self.table.rows


def levels_of(attribute: Attribute, column: Array, most: int = MOST_LEVELS) -> Levels | None:
    """A column as levels; None for a number with more than `most` values."""
    if attribute.kind == "categorical":
        present, codes = dense_codes(column.astype(np.int64) + 1)
        names = tuple(None if place == 0 else attribute.categories[place - 1] for place in present)
        return Levels(attribute, codes, np.bincount(codes, minlength=len(present)), names)
    if len(np.unique(probed(column))) > most:
        return None
    values, codes = np.unique(column, return_inverse=True)
    if len(values) > most:
        return None
    return Levels(attribute, codes.astype(np.int64), np.bincount(codes, minlength=len(values)))


def _number(attribute: Attribute, values: Floats) -> NumberColumn | None:
    known = values[~np.isnan(values)]
    if not len(known):
        return None
    probes = len(np.unique(probed(known)))
    different = probes if probes >= _FEW_VALUES else len(np.unique(known))
    return NumberColumn(
        attribute, values, len(known), float(known.min()), float(known.max()), probes, different
    )


def few_records(numbers: Sequence[NumberColumn], count: int = PROBED) -> Floats:
    """Some records of every column, a row each."""
    return np.stack([probed(each.values, count) for each in numbers]) if numbers else np.zeros((0, 0))


def probed(column: Array, count: int = PROBED) -> Array:
    """Some records from all over the table: what they rule out is ruled out."""
    return column[:: max(1, len(column) // count)]


def words_of(column: Array) -> Integers:
    """Any column as whole numbers that are equal where the values are."""
    if column.dtype.kind != "f":
        return column.astype(np.int64)
    # 0 is added because -0.0 has other bits than 0.0.
    return np.where(np.isnan(column), np.int64(-1), (column + 0.0).view(np.int64))


def convincing(log_chance: float, tried: int) -> bool:
    """Whether something of this chance is no accident among all that were tried."""
    return log_chance + log(max(tried, 1)) < log(ACCIDENT)


def log_chance_of_one_value(groups: Integers, shares: Floats) -> float:
    """That each group of records has one value only, if values with these shares were dealt out at random."""
    sizes, times = np.unique(groups[groups > 0], return_counts=True)
    chances = np.power(shares[None, :], sizes[:, None]).sum(axis=1)
    with np.errstate(divide="ignore"):
        return float((times * np.log(chances)).sum())


def log_chance_of_none(one: Array, other: Array, rows: int) -> Floats:
    """That two values with these counts never meet, if the columns were shuffled."""
    # The hypergeometric chance lies below that with replacement; a value of all records is as good as certain to meet.
    share = np.minimum(np.maximum(one, other) / rows, 1.0 - 1e-15)
    return np.asarray(np.minimum(one, other) * np.log1p(-share))


def share_that_meet(low: Floats, high: Floats, values: Floats) -> float:
    """The share of all pairs of an interval and a value in which the value lies in it."""
    ordered = np.sort(values)
    inside = np.searchsorted(ordered, high, side="right") - np.searchsorted(ordered, low, side="left")
    return float(inside.sum()) / max(len(low) * len(values), 1)
