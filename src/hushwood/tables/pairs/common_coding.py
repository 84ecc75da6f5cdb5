"""Tables from different sources in one coding: the columns they share, as numbers or codes that can be compared.

The original's schema decides what a column is; categories found only in another table follow its own. Values, pairs of
values and whole records of such tables can be counted by codes of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import polars as pl

from hushwood.arrays import Array, Integers
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.tables.columns.inference import finite
from hushwood.tables.columns.value_texts import is_temporal
from hushwood.tables.frames.storage import (
    BOOLEANS,
    TEXT_STORAGES,
    codes_of,
    default_kind,
    distinct,
    numbers_of,
    ordered,
    storage_name,
    texts_of,
)
from hushwood.tables.recoding.cells import Generalised, category_cells, numeric_cells
from hushwood.tables.recoding.taxonomies import Taxonomy
from hushwood.tables.recoding.texts import Labels
from hushwood.tables.schema import UNIT_ROLES, Attribute, Schema
from hushwood.tables.table import Table

_TIMES = ("Date", "Datetime", "Time", "Duration")
_MOST_CELLS = 50_000_000  # of the matrix of which categories each released text stands for
STILL_RELEASED = "It names people and is STILL in the release."
_TRUTHS = {"0": "false", "1": "true"}
# Sorting is cheaper than a counting table that is more than this many times as long as the columns.
_SPARSEST = 8


@dataclass(frozen=True, slots=True)
class Common:
    """The original and other tables with one schema, the columns not compared and why, and the generalised cells of the
    first of the other tables."""

    original: Table
    others: tuple[Table, ...]
    generalised: Mapping[str, Generalised]
    left_out: Mapping[str, str]
    notes: tuple[str, ...]


class Unreadable(Exception):
    """A column cannot be compared with the original's; the message says why."""


def in_common(
    original: Table,
    released: pl.DataFrame,
    taxonomies: Mapping[str, Taxonomy],
    holdout: pl.DataFrame | None,
    labels: Labels | None = None,
) -> Common:
    """Bring a release, and the hold-out if there is one, into the original's coding.

    A hold-out that lacks a column of both tables is not used, and a note says so.
    """
    left_out = _not_shared(original, released)
    notes: list[str] = []
    if holdout is not None:
        lacking = [n for n in original.schema.names if n not in left_out and n not in holdout.columns]
        if lacking:
            notes.append(f"The hold-out is not used, because it has no column {lacking[0]!r}.")
            holdout = None
    frames = [released] if holdout is None else [released, holdout]
    attributes: list[Attribute] = []
    columns: list[list[Array]] = [[] for _ in frames]
    generalised: dict[str, Generalised] = {}
    for attribute in original.schema.attributes:
        if attribute.name in left_out:
            continue
        try:
            known = _KnownColumn(taxonomies.get(attribute.name), (labels or {}).get(attribute.name))
            as_read = [finite(frame[attribute.name], "missing") for frame in frames]
            shared = _shared_column(attribute, as_read, known)
        except Unreadable as fault:
            left_out[attribute.name] = str(fault)
            continue
        attributes.append(shared.attribute)
        notes += shared.notes
        if shared.generalised is not None:
            generalised[attribute.name] = shared.generalised
        for place, values in zip(columns, shared.values, strict=True):
            place.append(values)
    schema = Schema(tuple(attributes), original.schema.main)
    if original.schema.weight is not None and schema.weight is None:
        notes.append(
            f"The release has no weight {original.schema.weight.name!r} to compare by, so every record of both tables "
            "counts the same in all measures."
        )
    _check(original.schema, schema, left_out)
    first = _table(schema, [original.columns[name] for name in schema.names], original.rows)
    others = [_table(schema, values, frame.height) for values, frame in zip(columns, frames, strict=True)]
    return Common(first, tuple(others), generalised, left_out, tuple(notes))


def without_carried(table: Table) -> Table:
    """The table without its identifiers and ignored columns."""
    schema = replace(table.schema, attributes=table.schema.kept)
    return _table(schema, [table.columns[name] for name in schema.names], table.rows)


@dataclass(frozen=True, slots=True)
class _KnownColumn:
    """What is known about the released values of a column: a hierarchy, and the release's key of its labels."""

    taxonomy: Taxonomy | None = None
    labels: Mapping[str, Sequence[str]] | None = None


@dataclass(frozen=True, slots=True)
class _SharedColumn:
    attribute: Attribute
    values: tuple[Array, ...]
    generalised: Generalised | None = None
    notes: tuple[str, ...] = ()


def _table(schema: Schema, columns: Sequence[Array], rows: int) -> Table:
    return Table(schema, dict(zip(schema.names, columns, strict=True)), pl.DataFrame(height=rows), rows)


def _not_shared(original: Table, released: pl.DataFrame) -> dict[str, str]:
    """Columns that cannot be compared, each with the reason."""
    reasons: dict[str, str] = {}
    for attribute in original.schema.attributes:
        here = attribute.name in released.columns
        if attribute.role == "identifier":
            reasons[attribute.name] = STILL_RELEASED if here else "It names people and is gone."
        elif attribute.role in UNIT_ROLES:
            reasons[attribute.name] = "It says which rows belong together."
        elif attribute.role == "ignored":
            reasons[attribute.name] = "It is declared as ignored."
        elif not here:
            reasons[attribute.name] = "The release does not have it."
    for name in released.columns:
        if name not in original.schema.names:
            reasons[name] = "The original does not have it."
    return reasons


def _check(wanted: Schema, schema: Schema, left_out: Mapping[str, str]) -> None:
    if not schema.names:
        raise InputError(
            "The two tables have no column in common. Check that the release belongs to this original, and how both "
            "are read."
        )
    for target in wanted.classes:
        if target.name not in schema.names:
            reason = left_out[target.name]
            raise InputError(
                f"The class {target.name!r} cannot be compared: {reason[0].lower()}{reason[1:]} Choose another class."
            )
    if not schema.inputs:
        raise InputError(
            f"The two tables have only the class {wanted.classes[0].name!r} in common, so there is nothing to compare."
        )


def _shared_column(attribute: Attribute, columns: Sequence[pl.Series], known: _KnownColumn) -> _SharedColumn:
    if attribute.kind == "numeric":
        return _numeric(attribute, columns, known.taxonomy)
    return _categorical(attribute, columns, known)


def _numeric(attribute: Attribute, columns: Sequence[pl.Series], taxonomy: Taxonomy | None) -> _SharedColumn:
    values: list[Array] = []
    generalised = None
    for place, column in enumerate(columns):
        _check_numeric(attribute, column)
        # A column without any value reads as text in a CSV file.
        if storage_name(column.dtype) not in TEXT_STORAGES or column.null_count() == len(column):
            values.append(numbers_of(column, attribute.precision))
            continue
        low, high = attribute.low or 0.0, attribute.high or 0.0
        moments = attribute if is_temporal(attribute.storage) else None
        cells = numeric_cells(texts_of(column), low, high, taxonomy, moments)
        if cells.strange is not None:
            raise Unreadable(
                f"It contains {cells.strange!r}, which is neither {'a date' if moments else 'a number'} nor a range of "
                f"{'dates' if moments else 'numbers'}."
            )
        values.append(cells.values)
        if place == 0:
            generalised = Generalised(cells.suppressed, cells.low, cells.high)
    return _SharedColumn(attribute, tuple(values), generalised)


def _check_numeric(attribute: Attribute, column: pl.Series) -> None:
    kind = default_kind(column.dtype)
    if kind is None:
        raise Unreadable(f"It holds {storage_name(column.dtype)} values in the other table.")
    moments = [name.startswith(_TIMES) for name in (attribute.storage, storage_name(column.dtype))]
    if storage_name(column.dtype) in TEXT_STORAGES:
        return
    if moments[0] != moments[1] and column.null_count() < len(column):
        raise Unreadable("It holds times in one table and something else in the other.")


def _categorical(
    attribute: Attribute, columns: Sequence[pl.Series], described: _KnownColumn
) -> _SharedColumn:
    try:
        texts = [_texts(attribute, column) for column in columns]
    except InputError as fault:
        raise Unreadable(str(fault)) from fault
    known = set(attribute.categories)
    new: dict[str, None] = {}
    for column in texts:
        new.update((text, None) for text in ordered(distinct(column)) if text not in known)
    if attribute.bins and any(not _is_number(text) for text in new):
        raise Unreadable(f"It contains {next(t for t in new if not _is_number(t))!r}, which is not a number.")
    joint = (*attribute.categories, *new)
    codes = tuple(codes_of(column, joint) for column in texts)
    wider = replace(attribute, categories=joint, ordered=attribute.ordered and not new)
    if not new:
        return _SharedColumn(wider, codes)
    return _SharedColumn(wider, codes, *_new_values(attribute, joint, codes[0], described))


def _new_values(
    attribute: Attribute, joint: Sequence[str], codes: Array, described: _KnownColumn
) -> tuple[Generalised | None, tuple[str, ...]]:
    """What new values stand for, and a note if most of the column are such values."""
    if len(joint) * len(attribute.categories) > _MOST_CELLS:
        return None, ()
    cells = category_cells(joint, attribute.categories, described.taxonomy, described.labels)
    strange = codes >= len(attribute.categories)
    notes: list[str] = []
    if 2 * int(cells.unknown[codes[strange]].sum()) > int((codes >= 0).sum()):
        notes.append(
            f"Most values of column {attribute.name!r} do not occur in the original (for example "
            f"{joint[codes[strange][0]]!r}). Check that both tables write them in the same way."
        )
    if not cells.generalises[codes[strange]].any():
        return None, tuple(notes)
    suppressed = np.isin(codes, np.flatnonzero(cells.covers.all(axis=1) & cells.generalises))
    return Generalised(suppressed, covers=cells.covers), tuple(notes)


def _texts(attribute: Attribute, column: pl.Series) -> pl.Series:
    texts = texts_of(column)
    if attribute.categories == BOOLEANS and attribute.storage == "Boolean":
        texts = texts.str.to_lowercase().replace(_TRUTHS)
    return texts


def _is_number(text: str) -> bool:
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False


def value_codes(columns: Sequence[Array]) -> list[Integers]:
    """The same attribute of several tables in whole numbers, equal for equal values; a missing value is a value."""
    values = np.concatenate(columns)
    if values.dtype.kind == "f":
        codes = np.unique(values, return_inverse=True, equal_nan=True)[1]
    else:
        codes = values.astype(np.int64) + 1
    return np.split(codes.astype(np.int64), np.cumsum([len(column) for column in columns])[:-1])


def pair_codes(first: Sequence[Integers], second: Sequence[Integers]) -> list[Integers]:
    """The values of two attributes of several tables taken together, as one whole number."""
    width = 1 + max((int(codes.max(initial=-1)) for codes in second), default=0)
    return [one * width + other for one, other in zip(first, second, strict=True)]


def record_codes(tables: Sequence[Mapping[str, Array]]) -> list[Integers]:
    """Whole numbers that equal records of several tables share, compared in all columns of the first."""
    found = [np.zeros(_rows(columns), np.int64) for columns in tables]
    ends = np.cumsum([len(codes) for codes in found])[:-1]
    for name in tables[0]:
        both = pair_codes(found, value_codes([columns[name] for columns in tables]))
        # Numbered again, so that many columns do not need large numbers.
        found = np.split(np.unique(np.concatenate(both), return_inverse=True)[1], ends)
    return found


def _rows(columns: Mapping[str, Array]) -> int:
    return len(next(iter(columns.values()))) if columns else 0


def occurrences(codes: Integers, among: Integers) -> Integers:
    """How often each code occurs among others; all codes are 0 or more."""
    largest = max(int(codes.max(initial=0)), int(among.max(initial=0)))
    if largest <= _SPARSEST * (len(codes) + len(among)):
        return np.bincount(among, minlength=largest + 1)[codes]
    ordered = np.sort(among)
    return np.searchsorted(ordered, codes, "right") - np.searchsorted(ordered, codes, "left")


def column_pairs(columns: int, most: int, streams: Streams, purpose: str) -> list[tuple[int, int]]:
    """Pairs of columns by their places: all, or a keyed choice of `most`.

    >>> column_pairs(3, 60, Streams(bytes(32)), "example")
    [(0, 1), (0, 2), (1, 2)]
    """
    pairs = list(combinations(range(columns), 2))
    return [pairs[place] for place in streams.sample(purpose, "column pairs", len(pairs), most)]
