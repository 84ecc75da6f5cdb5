"""The gate against people with several rows who would be counted as several people."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace

from hushwood.errors import InputError
from hushwood.tables.columns.header_words import ACCOUNTS, DOCUMENTS, RECORDS, said_by
from hushwood.tables.frames.storage import column_of
from hushwood.tables.persons.repetition import (
    FEWEST_ROWS,
    constant_of,
    repeated_share,
    repetition,
    rows_alike,
    rows_of_each,
)
from hushwood.tables.persons.units import Units, unit_columns, units_of
from hushwood.tables.reading import Reading
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table

_FEWEST_PEOPLE = 20
_REPEATED, _CONSTANT = 0.2, 2
_NUMBERS_OF_PEOPLE = frozenset({RECORDS, ACCOUNTS, DOCUMENTS})


@dataclass(frozen=True, slots=True)
class _Found:
    """What betrays people with several rows, in words, and the rows that seem to be one person's."""

    says: str
    rows: Units


def with_people_apart(reading: Reading, reason: str | None, keep: Mapping[str, str]) -> Reading:
    """Refuse a table in which people evidently have several rows, unless a column or a reason says how that is.

    With a reason, the table notes which rows seem to be one person's.
    """
    table = reading.table
    if reason is not None and not reason.strip():
        raise InputError('--rows-are-people needs a reason, which is published: --rows-are-people="reason".')
    held = unit_columns(table.schema)
    if held and reason is not None:
        raise InputError(
            f"Column {held[0]!r} says which rows belong together, and --rows-are-people says that none do; omit one."
        )
    found = None if held else _of_identifiers(table, keep) or _of_numbers(table)
    if found is None:
        return reading
    if reason is None:
        raise InputError(
            f'{found.says}, or say why every row is another person with --rows-are-people="reason".'
        )
    return replace(reading, table=replace(table, groups=found.rows.of_row))


def said_of_groups(table: Table) -> tuple[str, ...]:
    """That rows which look like one person's are taken for several people, if they are."""
    if table.groups is None:
        return ()
    people = int(table.groups.max()) + 1
    said = (
        f"The {table.rows:,} rows look like those of {people:,} people, and each is taken for another person, as "
        "declared. Throw-away releases leave rows that look like one person's on one side."
    )
    return (said,)


def _of_identifiers(table: Table, keep: Mapping[str, str]) -> _Found | None:
    """A column of identifiers whose values repeat, as patient numbers do in a table of stays."""
    if table.rows < FEWEST_ROWS:
        return None
    for attribute in table.schema.attributes:
        name = attribute.name
        if attribute.role != "identifier" and name not in keep:
            continue
        column = column_of(table, attribute)
        if column.null_count() == table.rows:
            continue  # of a long table, identifiers are not read
        units = units_of(column)
        repeats = units.count >= _FEWEST_PEOPLE and repeated_share(units.of_row) >= _REPEATED
        if repeats and _names_people(attribute, table, units):
            says = (
                f"Column {name!r} identifies people, who have about {rows_of_each(units.of_row):,.0f} rows each, and "
                "each of those rows would be taken for another person. Name the column with --person "
                f"{shlex.quote(name)} (fresh numbers go out in its place)"
            )
            return _Found(says, units)
    return None


def _names_people(attribute: Attribute, table: Table, units: Units) -> bool:
    """Whether a column whose values repeat stands for persons, by its name or by what is the same in their rows.

    A first name and the address of a family repeat as well, but little is the same in all of their rows.
    """
    said = said_by(attribute.name)
    if said in _NUMBERS_OF_PEOPLE:
        return True
    same, columns = constant_of(table, units)
    other = said is not None or attribute.role != "identifier"
    return same >= (columns / 2 if other else _CONSTANT)


def _of_numbers(table: Table) -> _Found | None:
    found = repetition(table)
    if found is None:
        return None
    *others, last = map(repr, found.columns)
    says = (
        f"Rows evidently repeat people: {', '.join(others)} and {last} have the same values in about {found.rows:,.0f} "
        "rows at a time, far more often than chance allows, and each of those rows would be taken for another "
        "person. Name the column that says whose row it is with --person COLUMN; add one if there is none"
    )
    return _Found(says, rows_alike(table, found.columns))
