"""The class: categories, at least two of them present; many-valued numbers are cut into bins to learn.

Only where a number is asked for does it stay one: what regression trees predict. The other columns are described in
`inference`; `table.class_labels` applies the bins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError, unknown_name
from hushwood.tables.categories import categories_of, ordered, present_categories
from hushwood.tables.schema import Attribute
from hushwood.tables.storage import default_kind, storage_name, unusable

if TYPE_CHECKING:
    import polars as pl

MOST_CLASSES = 50
# Every node of every tree counts its records by class, so memory grows with the classes times the nodes, and a class of
# few records teaches no rule. Codes of jobs or diseases have some hundreds of values; names and texts have thousands.
MOST_NAMED_CLASSES = 1_000
# What the class column is to be: categories, a number, or a number only where it has too many values for categories.
Response = Literal["class", "number", "either"]


@dataclass(frozen=True, slots=True)
class Binning:
    """How a numeric class is to be cut: into equally frequent bins, or at one threshold, or not at all."""

    bins: int | None = None
    threshold: float | None = None

    def __post_init__(self) -> None:
        if self.bins is not None and self.threshold is not None:
            raise InputError("Give either --class-bins or --class-threshold, not both.")
        if self.bins is not None and self.bins < 2:
            raise InputError(f"--class-bins {self.bins} is not allowed; a class needs 2 bins or more.")
        if self.threshold is not None and not np.isfinite(self.threshold):
            raise InputError(f"--class-threshold {self.threshold} is not allowed; give a finite number.")

    @property
    def wanted(self) -> bool:
        """Whether any cut was asked for."""
        return self.bins is not None or self.threshold is not None


def stays_number(
    column: pl.Series, declared: Mapping[str, Any], binning: Binning, response: Response
) -> bool:
    """Whether the class column is to be learnt as a number; a wish that its values cannot fulfil is refused."""
    if response not in get_args(Response):
        raise unknown_name("kind of response", response, get_args(Response))
    cut = binning.wanted or bool(declared.get("bins"))
    if response == "number":
        _check_number(column, declared, cut)
        return True
    as_number = column.dtype.is_numeric() and declared.get("kind") != "categorical"
    if response == "class" or cut or not as_number:
        return False
    return len(present_categories(column)) > MOST_CLASSES


def class_attribute(column: pl.Series, declared: Mapping[str, Any], binning: Binning) -> Attribute:
    """Describe the class column; `column` has nulls for everything missing."""
    dtype = column.dtype
    if default_kind(dtype) is None:
        raise unusable(column.name, dtype)
    present = present_categories(column)
    _check_several(column, present)
    bins = _bins(column, declared, binning, len(present))
    categories = _categories(column, declared, present, binned=bool(bins))
    _check_nameable(column.name, len(bins) or len(categories))
    return Attribute(
        column.name, "categorical", "class", storage_name(dtype), categories=categories, bins=bins
    )


def _check_several(column: pl.Series, present: tuple[str, ...]) -> None:
    if not present:
        raise InputError(f"The class column {column.name!r} has no values at all; choose another class.")
    if len(present) == 1:
        raise InputError(
            f"The class column {column.name!r} has one value only, {present[0]!r}: there is nothing to learn "
            "and nothing to hide behind; choose another class."
        )


def _check_number(column: pl.Series, declared: Mapping[str, Any], cut: bool) -> None:
    """Refuse a numeric response that holds no numbers, or that is to be cut into groups at the same time."""
    if cut:
        raise InputError(
            f"The class column {column.name!r} cannot be learnt as a number and be cut into groups; leave out "
            "--class-bins and --class-threshold, or choose another criterion than variance."
        )
    if not column.dtype.is_numeric() and (declared.get("kind") != "numeric" or column.dtype.is_temporal()):
        held = "dates or times" if column.dtype.is_temporal() else f"{storage_name(column.dtype)} values"
        raise InputError(
            f"The class column {column.name!r} holds {held}, and a regression tree predicts numbers; choose "
            "another class, or another criterion than variance."
        )
    _check_several(column, present_categories(column))


def _bins(
    column: pl.Series, declared: Mapping[str, Any], binning: Binning, distinct: int
) -> tuple[float, ...]:
    if (binning.wanted or declared.get("bins")) and not column.dtype.is_numeric():
        raise InputError(
            f"The class column {column.name!r} does not hold numbers, so it cannot be cut into bins; "
            "leave out --class-bins, --class-threshold and bins in the schema."
        )
    if binning.wanted:
        limits = _limits(column, binning)
    else:
        limits = tuple(float(limit) for limit in declared.get("bins", ()))
        if not limits:
            _check_few(column, declared, distinct)
            return ()
    values = _known_numbers(column)
    if len(np.unique(np.searchsorted(limits, values, side="left"))) < 2:
        raise InputError(
            f"The class column {column.name!r} falls into one bin only (its values lie in {values.min():g} "
            f"to {values.max():g}): there is nothing to learn; choose another --class-threshold."
        )
    return limits


def _check_few(column: pl.Series, declared: Mapping[str, Any], distinct: int) -> None:
    as_number = default_kind(column.dtype) == "numeric" and declared.get("kind") != "categorical"
    if as_number and distinct > MOST_CLASSES:
        raise InputError(
            f"The class column {column.name!r} has {distinct} different numbers, and at most {MOST_CLASSES} "
            "are taken as classes; cut it with --class-bins N (equally frequent) or --class-threshold X."
        )


def _check_nameable(name: str, classes: int) -> None:
    if classes > MOST_NAMED_CLASSES:
        raise InputError(
            f"The class column {name!r} has {classes:,} different values, and at most {MOST_NAMED_CLASSES:,} are taken "
            "as classes; it looks like an identifier or free text, so choose another class, or group its values."
        )


def _limits(column: pl.Series, binning: Binning) -> tuple[float, ...]:
    """Upper limits of all bins but the last; equal values stay together, so there may be fewer bins."""
    if binning.threshold is not None:
        return (float(binning.threshold),)
    values = np.sort(_known_numbers(column))
    count = binning.bins or 2
    places = np.ceil(np.arange(1, count) * len(values) / count).astype(np.int64) - 1
    limits = np.unique(values[np.maximum(places, 0)])
    inner = limits[limits < values[-1]]
    # One value fills more than the first bin's share and all the rest: cut below it.
    return tuple((inner if len(inner) else np.unique(values)[-2:-1]).tolist())


def _categories(
    column: pl.Series, declared: Mapping[str, Any], present: tuple[str, ...], *, binned: bool
) -> tuple[str, ...]:
    import polars as pl

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
        f"{', '.join(map(repr, strange[:3]))}; add them to the schema or correct the data."
    )


def _known_numbers(column: pl.Series) -> NDArray[np.float64]:
    import polars as pl

    return np.asarray(column.drop_nulls().cast(pl.Float64).to_numpy(), dtype=np.float64)
