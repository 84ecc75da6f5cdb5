"""Two tables as plain matrices that the kernels compare.

The distance in a numeric attribute is the difference of the scaled numbers, at most 1; in a categorical one it is 0 if
the codes are equal, else 1. Two missing values have distance 0, a missing and a known value 1: a missing number is
coded so far out that its difference to every other is cut to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hushwood.arrays import Array, Codes, Floats, Floats32, Integers
from hushwood.tables.schema import Schema

Scaling = Literal["range", "rank"]

# Scaled values lie between -1 and 2, so this one differs by at least 2 from each of them.
MISSING = 4.0
_WHOLE_FLOAT32 = 24  # whole numbers up to two to this power are exact in float32


@dataclass(frozen=True, slots=True)
class Coded:
    """A table as one contiguous row per attribute: scaled numbers, and category codes (-1: missing).

    Numbers lie on a grid on which float32 sums the distances of all attributes without rounding: equally distant
    records tie exactly, whatever the order of the attributes.
    """

    numbers: Floats32
    codes: Codes
    rows: int

    @property
    def attributes(self) -> int:
        """The number of attributes compared."""
        return len(self.numbers) + len(self.codes)

    def take(self, rows: Integers) -> Coded:
        """The chosen rows, in the order given."""
        return Coded(np.take(self.numbers, rows, axis=1), np.take(self.codes, rows, axis=1), len(rows))


def code_pair(
    first: Mapping[str, Array],
    second: Mapping[str, Array],
    schema: Schema,
    names: Sequence[str],
    *,
    scaling: Scaling = "range",
) -> tuple[Coded, Coded]:
    """Both tables, numbers divided by their joint range or replaced by their joint ranks."""
    return _coded(first, second, schema, names, _by_rank if scaling == "rank" else _by_joint_range)


def code_by_original(
    original: Mapping[str, Array], released: Mapping[str, Array], schema: Schema, names: Sequence[str]
) -> tuple[Coded, Coded]:
    """Both tables, numbers divided by the original's range (errata G6).

    Distances from an original to a released record are right; those between two released records may not be.
    """
    return _coded(original, released, schema, names, _by_first_range)


def _coded(
    first: Mapping[str, Array],
    second: Mapping[str, Array],
    schema: Schema,
    names: Sequence[str],
    scale: Callable[[Floats, Floats], tuple[Floats, Floats]],
) -> tuple[Coded, Coded]:
    numeric = [name for name in names if schema[name].kind == "numeric"]
    categorical = [name for name in names if schema[name].kind == "categorical"]
    rows = _rows(first), _rows(second)
    numbers = [np.empty((len(numeric), count), np.float32) for count in rows]
    for i, name in enumerate(numeric):
        for out, values in zip(numbers, _without_gaps(first[name], second[name], scale), strict=True):
            out[i] = _on_grid(values, len(names))
    codes = [np.empty((len(categorical), count), np.int32) for count in rows]
    for i, name in enumerate(categorical):
        codes[0][i], codes[1][i] = first[name], second[name]
    one, other = (Coded(*parts) for parts in zip(numbers, codes, rows, strict=True))
    return one, other


def _rows(columns: Mapping[str, Array]) -> int:
    return len(next(iter(columns.values()))) if columns else 0


def _without_gaps(
    first: Array, second: Array, scale: Callable[[Floats, Floats], tuple[Floats, Floats]]
) -> tuple[Floats, Floats]:
    """Scaled values, with `MISSING` for missing ones."""
    known = ~np.isnan(first), ~np.isnan(second)
    scaled = scale(first[known[0]], second[known[1]])
    out = np.full(len(first), MISSING), np.full(len(second), MISSING)
    for filled, where, values in zip(out, known, scaled, strict=True):
        filled[where] = values
    return out


def _by_joint_range(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    low, high = _limits(np.concatenate((first, second)))
    return _share_of_range(first, low, high), _share_of_range(second, low, high)


def _by_first_range(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    low, high = _limits(first)
    return _share_of_range(first, low, high), _share_of_range(second, low, high)


def _by_rank(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Mid-ranks among all values, the smallest value at 0 and the largest at 1."""
    from scipy.stats import rankdata

    ranks = rankdata(np.concatenate((first, second)))
    low, high = _limits(ranks)
    scaled = _share_of_range(ranks, low, high)
    return scaled[: len(first)], scaled[len(first) :]


def _limits(values: Floats) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)


def _share_of_range(values: Floats, low: float, high: float) -> Floats:
    """The position of each value in the range, cut at one whole range outside it.

    If the range is a single number, every other value is one range away.
    """
    if low == high:
        return np.subtract(values > low, values < low, dtype=np.float64)
    halves = 1.0 if np.isfinite(high - low) else 0.5
    with np.errstate(over="ignore"):
        shares = (values * halves - low * halves) / (high * halves - low * halves)
    return np.clip(shares, -1.0, 2.0)


def _on_grid(values: Floats, attributes: int) -> Floats:
    steps = 2.0 ** (_WHOLE_FLOAT32 - (attributes - 1).bit_length())
    return np.rint(values * steps) / steps
