"""An unpruned tree as data, and the tests that it may be told to have; `levels` grows it, `numbering` finishes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hushwood.trees.choice import NONE
from hushwood.trees.forest import LEAF


class Split(NamedTuple):
    """A test: an attribute (LEAF for none), the ranks beside the cut for a numeric one, else NONE."""

    attribute: int
    below: int = NONE
    above: int = NONE


@dataclass(frozen=True)
class ForcedTests:
    """Tests that SysFor prescribes: of the root, and of its branches (by branch number)."""

    root: Split
    children: Mapping[int, Split]


@dataclass(frozen=True)
class GrownNodes:
    """An unpruned tree, numbered level by level: children of a node are consecutive from `first_child`.

    `cut` is the rank of the threshold (NONE in a categorical test), `forced` marks tests that must stay.
    """

    attribute: NDArray[np.int64]
    cut: NDArray[np.int64]
    threshold: NDArray[np.float64]
    first_child: NDArray[np.int64]
    counts: NDArray[np.float64]
    forced: NDArray[np.bool_]


def gathered(nodes: Sequence[tuple[NDArray[Any], ...]], counts: NDArray[np.float64]) -> GrownNodes:
    """Put the levels' nodes in their places; nodes that were never opened are leaves."""
    blank: tuple[tuple[Any, Any], ...] = (
        (LEAF, np.int64),
        (NONE, np.int64),
        (np.nan, float),
        (NONE, np.int64),
        (False, bool),
    )
    arrays = [np.full(len(counts), fill, kind) for fill, kind in blank]
    for at, *parts in nodes:
        for array, part in zip(arrays, parts, strict=True):
            array[at] = part
    attribute, cut, threshold, first_child, forced = arrays
    return GrownNodes(attribute, cut, threshold, first_child, counts, forced)
