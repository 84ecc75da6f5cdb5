"""The class column: categories, at least two of them present, or numbers, cut into bins or predicted as they are.

Regression trees predict a class that stays a number, the response. `table.class_labels` applies the bins. A table may
be seen with another class: one of several that are declared, or a column that nobody declared as one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from hushwood.arrays import Floats
from hushwood.errors import InputError
from hushwood.tables.frames.storage import (
    categories_of,
    default_kind,
    ordered,
    present_categories,
    storage_name,
    unusable,
)
from hushwood.tables.read_options import Response
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table

MOST_CLASSES = 50
RESPONSE_BINS = 3  # of a response, for whatever can only count classes
# Every node of every tree counts its records by class, so memory grows with classes times nodes, and no rule can be
# learnt from a class of few records. Codes of jobs or diseases have hundreds of values; names and texts have thousands.
MOST_NAMED_CLASSES = 1_000


@dataclass(frozen=True, slots=True)
class Binning:
    """How to cut a numeric class: into equally frequent bins, at one threshold, or not at all."""

    bins: int | None = None
    threshold: float | None = None

    @property
    def wanted(self) -> bool:
        """Whether the class is to be cut."""
        return self.bins is not None or self.threshold is not None


def stays_number(
    column: pl.Series, declared: Mapping[str, Any], binning: Binning, response: Response
) -> bool:
    """Whether to learn the class as a number; a "number" that its values cannot be is refused."""
    declared_number = declared.get("response") == "number"
    cut = binning.wanted or (bool(declared.get("bins")) and not declared_number)
    if response == "number" or (declared_number and response == "auto" and not cut):
        _check_number(column, declared, cut)
        return True
    as_number = column.dtype.is_numeric() and declared.get("kind") != "categorical"
    if response == "class" or cut or not as_number:
        return False
    return len(present_categories(column)) > MOST_CLASSES


def class_attribute(column: pl.Series, declared: Mapping[str, Any], binning: Binning) -> Attribute:
    """Describe the class column; missing values must be nulls."""
    dtype = column.dtype
    if default_kind(dtype) is None:
        raise unusable(column.name, dtype)
    present = present_categories(column)
    _check_several(column, present)
    bins = _bins(column, declared, binning, len(present))
    categories = _categories(column, declared, present, binned=bool(bins))
    classes = len(bins) or len(categories)
    if classes > MOST_NAMED_CLASSES:
        raise InputError(
            f"The class column {column.name!r} has {classes:,} different values; at most {MOST_NAMED_CLASSES:,} can "
            "be classes. It looks like an identifier or free text. Choose another class, or group its values."
        )
    return Attribute(
        column.name, "categorical", "class", storage_name(dtype), categories=categories, bins=bins
    )


def response_bins(column: pl.Series, declared: Mapping[str, Any]) -> tuple[float, ...]:
    """The bins of a class that stays a number: those declared, or three of about equal size."""
    given = tuple(float(limit) for limit in declared.get("bins", ()))
    return given or _limits(_known_numbers(column), Binning(bins=RESPONSE_BINS))


def _check_several(column: pl.Series, present: tuple[str, ...]) -> None:
    if not present:
        raise InputError(f"The class column {column.name!r} is empty. Choose another class.")
    if len(present) == 1:
        raise InputError(
            f"The class column {column.name!r} has only one value, {present[0]!r}, so there is nothing to learn. "
            "Choose another class."
        )


def _check_number(column: pl.Series, declared: Mapping[str, Any], cut: bool) -> None:
    """Refuse a numeric class that holds no numbers or that is also to be cut."""
    if cut:
        raise InputError(
            f"The class column {column.name!r} cannot be both learnt as a number and cut into bins. Remove "
            "--class-bins and --class-threshold, or learn classes: no --response number, no --criterion variance."
        )
    if not column.dtype.is_numeric() and (declared.get("kind") != "numeric" or column.dtype.is_temporal()):
        held = "dates or times" if column.dtype.is_temporal() else f"{storage_name(column.dtype)} values"
        raise InputError(
            f"The class column {column.name!r} holds {held}, but a regression tree predicts numbers. Choose another "
            "class, or learn classes: no --response number, no --criterion variance."
        )
    _check_several(column, present_categories(column))


def _bins(
    column: pl.Series, declared: Mapping[str, Any], binning: Binning, distinct: int
) -> tuple[float, ...]:
    if (binning.wanted or declared.get("bins")) and not column.dtype.is_numeric():
        raise InputError(
            f"The class column {column.name!r} does not hold numbers, so it cannot be cut into bins. "
            "Remove --class-bins, --class-threshold and the bins in the schema."
        )
    if binning.wanted:
        limits = _limits(_known_numbers(column), binning)
    else:
        limits = tuple(float(limit) for limit in declared.get("bins", ()))
        if not limits:
            _check_few(column, declared, distinct)
            return ()
    values = _known_numbers(column)
    if len(np.unique(np.searchsorted(limits, values, side="left"))) < 2:
        raise InputError(
            f"All values of the class column {column.name!r} ({values.min():g} to {values.max():g}) fall into one "
            "bin, so there is nothing to learn. Choose another --class-threshold."
        )
    return limits


def _check_few(column: pl.Series, declared: Mapping[str, Any], distinct: int) -> None:
    as_number = default_kind(column.dtype) == "numeric" and declared.get("kind") != "categorical"
    if as_number and distinct > MOST_CLASSES:
        raise InputError(
            f"The class column {column.name!r} has {distinct} different numbers; at most {MOST_CLASSES} can be "
            "classes. Cut it with --class-bins N (equally frequent bins) or --class-threshold X, or predict it as a "
            "number with --response number."
        )


def _limits(numbers: Floats, binning: Binning) -> tuple[float, ...]:
    """Upper limits of all bins except the last; equal values stay together, so there may be fewer bins."""
    if binning.threshold is not None:
        return (float(binning.threshold),)
    return equal_bins(numbers, binning.bins or 2)


def equal_bins(numbers: Floats, count: int) -> tuple[float, ...]:
    """The upper limits, except the last, of bins with about as many of the numbers each; none of a constant.

    >>> equal_bins(np.array([1.0, 2, 3, 4, 5, 6]), 3), equal_bins(np.array([1.0, 2, 2, 2]), 3)
    ((2.0, 4.0), (1.0,))
    """
    values, count = np.sort(numbers), min(count, len(numbers))
    places = np.ceil(np.arange(1, count) * len(values) / count).astype(np.int64) - 1
    limits = np.unique(values[np.maximum(places, 0)])
    inner = limits[limits < values[-1]]
    # The largest value fills every bin but part of the first: cut just below it.
    return tuple((inner if len(inner) else np.unique(values)[-2:-1]).tolist())


def _categories(
    column: pl.Series, declared: Mapping[str, Any], present: tuple[str, ...], *, binned: bool
) -> tuple[str, ...]:
    given = tuple(declared.get("categories", ()))
    if not given:
        return categories_of(column)
    strange = sorted(set(present) - set(given))
    if not strange:
        return given
    if binned:
        return ordered(pl.Series([*given, *strange], dtype=pl.String))
    raise InputError(
        f"The class column {column.name!r} has values that are not among its declared categories: "
        f"{', '.join(map(repr, strange[:3]))}. Add them to the schema or correct the data."
    )


def _known_numbers(column: pl.Series) -> Floats:
    return np.asarray(column.drop_nulls().cast(pl.Float64).to_numpy(), dtype=np.float64)


def schema_for_class(table: Table, name: str) -> Schema:
    """The schema in which the named column is the class that is looked at; a column of numbers becomes a response."""
    attribute = table.schema[name]
    if attribute.role == "class":
        return replace(table.schema, main=name)
    bins: tuple[float, ...] = ()
    if attribute.kind == "numeric":
        values = np.asarray(table.columns[name], np.float64)
        bins = equal_bins(values[~np.isnan(values)], RESPONSE_BINS)
    return replace(table.schema.with_attribute(replace(attribute, role="class", bins=bins)), main=name)


def for_class(table: Table, name: str) -> Table:
    """The same records with the named column as the class that is looked at."""
    return replace(table, schema=schema_for_class(table, name))
