"""What jobs must know about people with several rows: where such tables can be released, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.releasing.perturbed import ReleasedUnits
from hushwood.tables.persons.units import Units, unit_columns
from hushwood.tables.reading import Reading, declared_columns
from hushwood.tables.schema import UNIT_ROLES, Schema
from hushwood.tables.table import Table

PEOPLE = "people"  # what the manifest says of the columns of persons and households
MAP = "persons.csv"


@dataclass(frozen=True, slots=True)
class PersonOptions:
    """The columns that say which rows belong together, as Python users name them."""

    person: str | None = None
    household: str | None = None


def with_units(given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `reading.read`: the columns of `PersonOptions` are named by their roles."""
    reads = {name: value for name, value in given.items() if name != "target" or value is not None}
    named = {role: reads.pop(role, None) for role in UNIT_ROLES}
    roles = {name: role for role, name in named.items() if name is not None}
    if len(roles) < sum(name is not None for name in named.values()):
        raise InputError(f"Column {named['person']!r} cannot be both person and household; choose one role.")
    return {**reads, "roles": {**(reads.get("roles") or {}), **roles}} if roles else reads


def said_of_people(schema: Schema) -> dict[str, Any]:
    """What the manifest says of the columns that say which rows belong together."""
    names = unit_columns(schema)
    return {PEOPLE: {name: schema[name].role for name in names}} if names else {}


def declared_units(arguments: Mapping[str, Any], source: object = None) -> dict[str, str]:
    """The columns of persons and households with their roles, as the arguments of `reading.read` name them.

    A source that was read already names its own.
    """
    table = source.table if isinstance(source, Reading) else source
    schema = arguments.get("schema")
    if schema is None and isinstance(table, Table):
        schema = table.schema
    roles = {name: fields.get("role") for name, fields in declared_columns(schema).items()}
    roles |= dict(arguments.get("roles") or {})
    return {name: role for name, role in roles.items() if role in UNIT_ROLES}


def check_in_memory(units: Mapping[str, str]) -> None:
    """Refuse persons and households in tables that are read in batches: their rows may lie anywhere."""
    if units:
        raise InputError(
            "People with several rows (--person, --household) need the whole table in memory, because a person's rows "
            "may lie anywhere; give a file or a frame and use --engine memory."
        )


def check_rows_are_persons(units: Mapping[str, str], what: str, instead: str) -> None:
    """Refuse columns of persons and households where only rows are counted."""
    for name, role in units.items():
        raise InputError(
            f"{what} counts rows, so it would take every row of a {role} ({name!r}) for another person; {instead}."
        )


def write_map(units: ReleasedUnits, places: Integers | None, path: Path) -> None:
    """The private map: the row (from 1 on) in which every person or household comes first, and its released number."""
    import polars as pl

    first = units.original.first if places is None else places[units.original.first]
    pl.DataFrame({"row": first + 1, "number": units.numbers}).write_csv(path)


def read_map(path: Path, units: Units) -> Integers:
    """The released number of every unit of the original."""
    import polars as pl

    try:
        rows, numbers = (
            column.to_numpy() for column in pl.read_csv(path, schema={"row": pl.Int64, "number": pl.Int64})
        )
        if not np.array_equal(np.sort(numbers), np.arange(1, units.count + 1)):
            raise ValueError
        found = np.zeros(units.count, np.int64)
        found[units.of_row[rows - 1]] = numbers
        if not found.all():
            raise ValueError
    except (OSError, ValueError, IndexError, pl.exceptions.PolarsError) as fault:
        raise InputError(
            f"{path} is damaged: it does not say which number each person got; fetch or make the release again."
        ) from fault
    return found
