"""STIRR: values get weights, which spread over the records until values in like company weigh alike.

In every step a value's new weight is the sum, over its records, of what their other values weigh together. Several
vectors of weights are kept, made orthogonal and of length 1 within every attribute after each step. The first one
only shows which values are frequent; in a later one, an attribute's large positive and large negative weights mark
opposite groups (Gibson, Kleinberg and Raghavan 1998).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, ClassVar, Literal

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.parameters import SHARE, AtLeast, Checked
from hushwood.random_streams import SECRET_BYTES, Streams
from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.grouping.records import (
    AlikeValues,
    cached_per_table,
    groups_of_values,
    observed_values,
)
from hushwood.value_clusters.protocol import GroupPerValue

Combining = Literal["sum", "product", "power", "max"]
Scaling = Literal["attribute", "table"]

# Ways to collect weights, and what nothing weighs; the powers of "power" are collected like a sum.
_COLLECTING: Mapping[str, tuple[np.ufunc, float]] = {
    "sum": (np.add, 0.0),
    "product": (np.multiply, 1.0),
    "max": (np.maximum, -np.inf),
}
# The vectors start in arbitrary directions, always the same: a public key, not a secret.
_STARTS = Streams(bytes(SECRET_BYTES))


@dataclass(frozen=True, slots=True)
class Stirr(Checked):
    """How the other values of a record are combined, and the number of weight vectors and of steps.

    "power" is (w1^p + w2^p + ...)^(1/p) with each weight's own sign. With the `scaling` "table" the vectors are
    orthogonal over all attributes at once; then they may differ only in the sign of whole attributes. A weight is
    large if it is at least `large` times the largest of its attribute.
    """

    acronym: ClassVar[str] = "STIRR"
    combining: Combining = "sum"
    power: Annotated[float, AtLeast(1)] = 2.0
    scaling: Scaling = "attribute"
    vectors: Annotated[int, AtLeast(2)] = 2
    steps: Annotated[int, AtLeast(1)] = 20
    large: Annotated[float, SHARE] = 0.0


DEFAULT = Stirr()


@dataclass(frozen=True, slots=True)
class ValueWeights:
    """The values of one attribute, how many records hold each, and their weights [vector, value]."""

    values: tuple[str, ...]
    records: Integers
    weights: Floats


@cached_per_table
def stirr(table: Table, how: Stirr = DEFAULT, names: Sequence[str] | None = None) -> dict[str, ValueWeights]:
    """Find the weights of the values of the named categorical columns, or of all."""
    observed = observed_values(table, names)
    ends = np.cumsum([0, *observed.sizes])
    blocks = [slice(begin, end) for begin, end in pairwise(ends.tolist())]
    place = observed.codes + ends[:-1, None]
    weights = starting_weights(int(ends[-1]), how.vectors)
    for _ in range(how.steps):
        weights = np.array([_spread(vector, place, observed.weight, how) for vector in weights])
        for block in blocks if how.scaling == "attribute" else [slice(None)]:
            _orthogonalise(weights[:, block])
    held = np.bincount(place.reshape(-1), np.tile(observed.weight, len(place)), minlength=ends[-1])
    return {
        name: ValueWeights(values, held[block].astype(np.int64), weights[:, block])
        for name, values, block in zip(observed.names, observed.values, blocks, strict=True)
    }


def starting_weights(values: int, vectors: int) -> Floats:
    """The first vector is all ones, the others are ones with arbitrary signs."""
    words = [_STARTS.words("STIRR", "signs", draw, range(values)) for draw in range(1, vectors)]
    signs = np.array(words, np.uint64).reshape(vectors - 1, values) & np.uint64(1)
    return np.vstack([np.ones((1, values)), 1.0 - 2.0 * signs.astype(np.float64)])


def _spread(vector: Floats, place: Integers, records: Integers, how: Stirr) -> Floats:
    """Every value's sum, over its records, of what the other values weigh together."""
    others = _others(vector[place], how) * records
    return np.asarray(np.bincount(place.reshape(-1), others.reshape(-1), len(vector)), np.float64)


def _others(weights: Floats, how: Stirr) -> Floats:
    """For weights [attribute, record]: what the weights of all other attributes make together."""
    if len(weights) < 2:
        return np.zeros_like(weights)
    if how.combining == "power":
        return _signed_power(_all_but_one(np.add, _signed_power(weights, how.power), 0.0), 1 / how.power)
    collect, nothing = _COLLECTING[how.combining]
    return _all_but_one(collect, weights, nothing)


def _all_but_one(collect: np.ufunc, numbers: Floats, nothing: float) -> Floats:
    """For every row, all the other rows collected: those before it and those after it."""
    edge = np.full_like(numbers[:1], nothing)
    before = collect.accumulate(np.concatenate([edge, numbers[:-1]]), axis=0)
    after = collect.accumulate(np.concatenate([edge, numbers[:0:-1]]), axis=0)[::-1]
    return np.asarray(collect(before, after))


def _signed_power(numbers: Floats, power: float) -> Floats:
    return np.asarray(np.sign(numbers) * np.abs(numbers) ** power)


def _orthogonalise(weights: Floats) -> None:
    """Gram-Schmidt in place: every vector made orthogonal to those before it, and of length 1.

    A vector of which nothing is left becomes 0: an attribute has no more directions than values.
    """
    for i, vector in enumerate(weights):
        was = float(np.sqrt(vector @ vector))
        for before in weights[:i]:
            vector -= (before @ vector) * before
        length = float(np.sqrt(vector @ vector))
        vector *= 1 / length if length > 1e-9 * was else 0.0


def opposite_groups(found: ValueWeights, large: float = 0.0) -> list[AlikeValues]:
    """Values that are together in every vector after the first: large positive, large negative, or neither.

    No groups if those vectors separate nothing.
    """
    later = found.weights[1:]
    # Never 0: rounding alone must not decide a sign.
    limit = max(large, 1e-9) * np.abs(later).max(axis=1, keepdims=True)
    signs = np.where(np.abs(later) >= limit, np.sign(later), 0.0)
    if not signs.any():
        return []
    _, group = np.unique(signs, axis=1, return_inverse=True)
    members = [np.flatnonzero(group.reshape(-1) == g).tolist() for g in range(int(group.max()) + 1)]
    return [
        AlikeValues(tuple(found.values[v] for v in values), int(found.records[values].sum()))
        for values in members
    ]


def stirr_groups(
    table: Table, attribute: str, options: GrowOptions, how: Stirr = DEFAULT
) -> GroupPerValue | None:
    """For CAPT: opposite groups; None if every value is alone or all are together. No tree is grown."""
    found = stirr(table, how)
    if attribute not in found:
        return None
    return groups_of_values(table.schema[attribute], opposite_groups(found[attribute], how.large))
