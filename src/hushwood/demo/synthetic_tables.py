"""The thesis' two generated tables, Credit Risk (CR) and Customer Status (CS), by its rules of section 6.7.

They need no download, so demo and tests run on them; tables from files come through `tables.files`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats
from hushwood.errors import InputError
from hushwood.random_streams import Streams, secret_from_hex
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table

CITIES = ("Arm", "Mel", "New", "Syd")
RISKS = ("No", "Yes")
ORIGINS = ("Australia", "England", "USA")
CAR_MAKES = ("Ford", "Holden", "Nissan", "Toyota")
PROFESSIONS = ("Academic", "Engineer", "Scientist")
STATUSES = ("Bad", "Good")
PARENTS_COUNTRIES = (
    *("Argentina", "Australia", "Austria", "Bangladesh", "Belgium", "Brazil"),
    *("Canada", "Chile", "China", "Denmark", "Egypt", "England"),
    *("Finland", "France", "Germany", "Greece", "India", "Indonesia"),
    *("Ireland", "Italy", "Japan", "Kenya", "Malaysia", "Mexico"),
    *("Norway", "Peru", "Serbia", "Spain", "Turkey", "USA"),
)
FAVORITE_CITIES = (
    *("Amsterdam", "Athens", "Barcelona", "Belgrade", "Berlin", "Boston"),
    *("Cairo", "Chicago", "Copenhagen", "Dhaka", "Dublin", "Florence"),
    *("Helsinki", "Istanbul", "Kyoto", "Lima", "Lisbon", "London"),
    *("Madrid", "Montreal", "Nairobi", "Oslo", "Paris", "Prague"),
    *("Rome", "Singapore", "Sydney", "Tokyo", "Vancouver", "Vienna"),
)


def credit_risk(rows: int, seed: bytes | str) -> Table:
    """The Credit Risk table (thesis 6.7.1): four numeric attributes, a city and the class.

    Job grade and number of dependents are drawn for every record, which the printed indentation hides.

    >>> table = credit_risk(5, bytes(32))
    >>> table.schema.names
    ('House Rent', 'Income', 'Job Grade', 'No of Dependents', 'City', 'Credit Risk')
    """
    draws = _Draws("credit risk", rows, seed)
    rent = draws.whole("House Rent", 100, 600)
    income = draws.whole("Income", 30, 100)
    grade = draws.whole("Job Grade", 1, 4)
    dependents = draws.whole("No of Dependents", 0, 7)
    city = _city(draws.uniform("City"), rent, income)
    return _table(
        [
            (_whole_number("House Rent", 100, 600), rent),
            (_whole_number("Income", 30, 100), income),
            (_whole_number("Job Grade", 1, 4), grade),
            (_whole_number("No of Dependents", 0, 7), dependents),
            (_category("City", CITIES), city),
            (_category("Credit Risk", RISKS), _risk(rent, income, grade, dependents, city)),
        ],
        rows,
    )


def customer_status(rows: int, seed: bytes | str) -> Table:
    """The Customer Status table (thesis 6.7.2): five categorical attributes (two unrelated), the class.

    >>> table = customer_status(5, bytes(32))
    >>> table.schema.names
    ('Country of Origin', 'Car Make', 'Profession', "Parents' Country", 'Favorite City', 'Status')
    """
    draws = _Draws("customer status", rows, seed)
    origin = _choice(
        draws.uniform("Country of Origin"), ORIGINS, {"USA": 0.4, "England": 0.4, "Australia": 0.2}
    )
    profession = _profession(draws.uniform("Profession"), origin)
    car = _car_make(draws.uniform("Car Make"), origin, profession)
    return _table(
        [
            (_category("Country of Origin", ORIGINS), origin),
            (_category("Car Make", CAR_MAKES), car),
            (_category("Profession", PROFESSIONS), profession),
            (
                _category("Parents' Country", PARENTS_COUNTRIES),
                draws.any_of("Parents' Country", PARENTS_COUNTRIES),
            ),
            (_category("Favorite City", FAVORITE_CITIES), draws.any_of("Favorite City", FAVORITE_CITIES)),
            (_category("Status", STATUSES), _status(origin, profession, car)),
        ],
        rows,
    )


def _city(u: Floats, rent: Array, income: Array) -> Codes:
    expensive = _choice(u, CITIES, {"Mel": 1 / 2, "Syd": 1 / 2})
    cheap_and_poor = _choice(u, CITIES, {"New": 1 / 3, "Mel": 1 / 3, "Arm": 1 / 3})
    return np.where(rent > 300, expensive, np.where(income <= 50, cheap_and_poor, _any_of(u, CITIES)))


def _risk(rent: Array, income: Array, grade: Array, dependents: Array, city: Codes) -> Codes:
    expensive = (city == CITIES.index("Syd")) & (dependents > 2)
    cheap_and_poor = city != CITIES.index("New")
    cheap = np.where(income > 50, grade > 2, cheap_and_poor)
    return _one_of_two(np.where(rent > 300, expensive, cheap), "Yes", RISKS)


def _profession(u: Floats, origin: Codes) -> Codes:
    australian = _choice(u, PROFESSIONS, {"Engineer": 0.4, "Academic": 0.3, "Scientist": 0.3})
    other = _choice(u, PROFESSIONS, {"Scientist": 0.95, "Academic": 0.03, "Engineer": 0.02})
    return np.where(origin == ORIGINS.index("Australia"), australian, other)


def _car_make(u: Floats, origin: Codes, profession: Codes) -> Codes:
    engineer = _choice(u, CAR_MAKES, {"Toyota": 0.5, "Holden": 0.5})
    other = _choice(u, CAR_MAKES, {"Toyota": 0.4, "Ford": 0.4, "Nissan": 0.2})
    australian = np.where(profession == PROFESSIONS.index("Engineer"), engineer, _any_of(u, CAR_MAKES))
    return np.where(origin == ORIGINS.index("Australia"), australian, other)


def _status(origin: Codes, profession: Codes, car: Codes) -> Codes:
    american = car != CAR_MAKES.index("Nissan")
    english = car != CAR_MAKES.index("Toyota")
    australian = profession == PROFESSIONS.index("Academic")
    good = np.select(
        [origin == ORIGINS.index("USA"), origin == ORIGINS.index("England")], [american, english], australian
    )
    return _one_of_two(good, "Good", STATUSES)


class _Draws:
    """One keyed number per attribute and record, turned into values."""

    def __init__(self, table: str, rows: int, seed: bytes | str) -> None:
        if rows < 1:
            raise InputError(f"A generated table needs at least one record; {rows} were asked for.")
        self._streams = Streams(secret_from_hex(seed) if isinstance(seed, str) else seed)
        self._table = table
        self._rows = range(rows)

    def uniform(self, attribute: str) -> Floats:
        return self._streams.uniform(self._table, attribute, 0, self._rows)

    def whole(self, attribute: str, low: int, high: int) -> Floats:
        return low + np.floor(self.uniform(attribute) * (high - low + 1))

    def any_of(self, attribute: str, categories: Sequence[str]) -> Codes:
        return _any_of(self.uniform(attribute), categories)


def _any_of(u: Floats, categories: Sequence[str]) -> Codes:
    return np.floor(u * len(categories)).astype(np.int32)


def _choice(u: Floats, categories: Sequence[str], shares: Mapping[str, float]) -> Codes:
    # Without the last limit: rounding of the cumulative sum must not push a draw beyond the last value.
    limits = np.cumsum(list(shares.values()))[:-1]
    codes = np.array([categories.index(name) for name in shares], np.int32)
    return codes[np.searchsorted(limits, u, side="right")]


def _one_of_two(chosen: Flags, name: str, categories: Sequence[str]) -> Codes:
    code = categories.index(name)
    return np.where(chosen, code, 1 - code).astype(np.int32)


def _whole_number(name: str, low: int, high: int) -> Attribute:
    return Attribute(name, "numeric", storage="Int64", low=low, high=high, precision=0)


def _category(name: str, categories: tuple[str, ...]) -> Attribute:
    return Attribute(name, "categorical", storage="String", categories=categories)


def _table(columns: list[tuple[Attribute, Array]], rows: int) -> Table:
    """Put the columns together; the last one is the class."""
    import polars as pl

    attributes = [attribute for attribute, _ in columns]
    attributes[-1] = replace(attributes[-1], role="class")
    values = {attribute.name: array for attribute, array in columns}
    return Table(Schema(tuple(attributes)), values, pl.DataFrame(height=rows), rows)
