"""Targets and released records in the form that the kernels read fastest; `coding` makes what is packed here.

Attributes are grouped, so that a kernel adds several of them in one pass: first numbers whose differences never
exceed 1, then those whose differences must be cut to 1, then category codes in the fewest bytes that hold them. A
group is filled up with attributes in which all records are equal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hushwood.distances.coding import Coded

NUMBERS_TOGETHER = 3
CODES_TOGETHER = 4


class Packed(NamedTuple):
    """Targets as one row per record, released records as one row per attribute; the first `plain` need no cut."""

    target_numbers: NDArray[np.float32]
    target_codes: NDArray[Any]
    numbers: NDArray[np.float32]
    codes: NDArray[Any]
    plain: int
    attributes: int


def packed(targets: Coded, released: Coded) -> Packed:
    """Both tables, their attributes in the same groups."""
    wide = _joint_spread(targets.numbers, released.numbers) > 1.0
    plain, cut = (_filled(np.flatnonzero(some), NUMBERS_TOGETHER) for some in (~wide, wide))
    chosen = np.concatenate((plain, cut))
    labels = _filled(np.arange(len(targets.codes)), CODES_TOGETHER)
    # A code's width must also hold the number of attributes, because that is what a kernel counts in it.
    largest = max(len(labels), *(int(coded.codes.max(initial=0)) for coded in (targets, released)))
    width = next(w for w in (np.uint8, np.uint16, np.uint32) if largest < np.iinfo(w).max)
    return Packed(
        np.ascontiguousarray(_chosen(targets.numbers, chosen, np.float32).T),
        np.ascontiguousarray(_chosen(targets.codes, labels, width).T),
        _chosen(released.numbers, chosen, np.float32),
        _chosen(released.codes, labels, width),
        len(plain),
        targets.attributes,
    )


def _joint_spread(first: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.float32]:
    """Largest minus smallest value of each attribute in both tables."""
    largest = np.maximum(first.max(axis=1, initial=-np.inf), second.max(axis=1, initial=-np.inf))
    smallest = np.minimum(first.min(axis=1, initial=np.inf), second.min(axis=1, initial=np.inf))
    spread: NDArray[np.float32] = largest - smallest
    return spread


def _filled(places: NDArray[np.int64], together: int) -> NDArray[np.int64]:
    """The same numbers of attributes, with -1 up to a whole number of groups."""
    return np.append(places, np.full(-len(places) % together, -1))


def _chosen(values: NDArray[Any], places: NDArray[np.int64], dtype: Any) -> NDArray[Any]:
    out = np.zeros((len(places), values.shape[1]), dtype)
    out[places >= 0] = values[places[places >= 0]].astype(dtype)
    return out
