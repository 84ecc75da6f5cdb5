"""Persons and households of a release that is audited: which of its rows belong together, and to whom."""

from __future__ import annotations

import numpy as np
import polars as pl

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.jobs.folder.release_folder import ReleaseFolder
from hushwood.jobs.persons import MAP, read_map
from hushwood.tables.frames.storage import texts_of
from hushwood.tables.pairs.pairing import Pair
from hushwood.tables.persons.units import Units, numbered, outermost, unit_columns, units_of
from hushwood.tables.persons.views import unit_pair
from hushwood.tables.table import Table


def people_in(
    original: Table,
    released: pl.DataFrame,
    pair: Pair,
    folder: ReleaseFolder | None,
    holdout: pl.DataFrame | None = None,
    numbers: Integers | None = None,
) -> Pair | None:
    """The pair with one record for every person or household; None if every row is a person.

    `numbers` are those that the persons got, in the order of their first rows, if that is known.
    """
    units = outermost(original)
    if units is None:
        return None
    name = unit_columns(original.schema)[0]
    after = _released_units(name, units, released, pair)
    numbers = _numbers(units, folder) if numbers is None else numbers
    if numbers is not None and len(numbers) == units.count and name in released.columns:
        there = released[name].cast(pl.String).cast(pl.Int64, strict=False).fill_null(0)
        partner: Integers | None = _found(numbers, there.gather(after.first).to_numpy())
    else:
        partner = None if pair.made_up else _partners(name, original, units, released, after, pair)
    outside = None if holdout is None else _named(holdout, name)
    return unit_pair(pair, units, after, partner, outside)


def _named(frame: pl.DataFrame, name: str) -> Units:
    return units_of(frame[name]) if name in frame.columns else numbered(np.arange(frame.height))


def _released_units(name: str, units: Units, released: pl.DataFrame, pair: Pair) -> Units:
    """The rows of the release that belong together: its own column says so, or the rows they were made from."""
    if name in released.columns:
        return units_of(released[name])
    if pair.partner is None or (pair.partner < 0).any() or len(pair.partner) != released.height:
        raise InputError(
            f"The release has no column {name!r}, and its rows are not paired with those of the original, so nothing "
            "says which of them belong together; name the column with --identifier instead."
        )
    of_row = np.empty(released.height, np.int64)
    of_row[pair.partner] = units.of_row
    return Units(of_row, np.unique(of_row, return_index=True)[1])


def _partners(
    name: str,
    original: Table,
    units: Units,
    released: pl.DataFrame,
    after: Units,
    pair: Pair,
) -> Integers | None:
    """The released unit of every original one: by the paired rows, or by the names themselves."""
    if pair.partner is not None and (pair.partner >= 0).all():
        to = after.of_row[pair.partner]
        if (to == to[units.first][units.of_row]).all():
            return np.asarray(to[units.first])
    if name not in released.columns:
        return None
    both = pl.concat([texts_of(original.carried[name]), texts_of(released[name])]).rank("dense").fill_null(0)
    ids = np.asarray(both.to_numpy(), np.int64)
    before, there = ids[units.first], ids[original.rows + after.first]
    partner = _found(before, there)
    partner[before == 0] = -1
    return partner if (partner >= 0).any() else None


def _numbers(units: Units, folder: ReleaseFolder | None) -> Integers | None:
    """The numbers in the private map of a folder, if nothing there has changed."""
    path = None if folder is None else folder.private_file(MAP)
    if folder is None or path is None:
        return None
    whole = folder.seal != "broken" and not folder.changed_private_files and folder.table_as_written
    return read_map(path, units) if whole else None


def _found(wanted: Integers, there: Integers) -> Integers:
    """The place of every wanted number among others; -1 where it is not."""
    order = np.argsort(there, kind="stable")
    place = np.clip(np.searchsorted(there[order], wanted), 0, max(len(there) - 1, 0))
    found = order[place]
    return np.where(there[found] == wanted, found, -1)
