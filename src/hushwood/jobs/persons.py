"""What jobs must know about people with several rows: what the manifest says of them, and the private map."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.releasing.perturbed import ReleasedUnits
from hushwood.tables.persons.units import Units, unit_columns
from hushwood.tables.schema import Schema

PEOPLE = "people"  # what the manifest says of the columns of persons and households
MAP = "persons.csv"


def said_of_people(schema: Schema) -> dict[str, Any]:
    """What the manifest says of the columns that say which rows belong together."""
    names = unit_columns(schema)
    return {PEOPLE: {name: schema[name].role for name in names}} if names else {}


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
