"""How many rows a person has is handed out within segments too: every unit below gets a new unit above it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hushwood.arrays import Array, Integers, Words
from hushwood.releasing.persons.level_tables import BELOW, LevelTable
from hushwood.tables.persons.units import UnitLevel


def children_of(made: LevelTable, released: Mapping[str, Array], below: UnitLevel) -> Integers:
    """How many units lie below each released unit."""
    name = next((name for name in made.own if name.startswith(BELOW)), None)
    if name is None:
        return below.children
    counts = np.array([int(text) for text in made.table.schema[name].categories])
    return np.asarray(counts[released[name]])


def dealt_parents(segments: Array, above: Integers, children: Integers, words: Words) -> Integers:
    """A unit above for every unit: `children` says how many each gets, all in its own segment, in random order.

    `segments` are those of the units, `above` the units above them before, `words` random numbers of the units.

    >>> segments, above, words = np.array([0, 0, 0, 1]), np.array([0, 0, 1, 2]), np.array([9, 1, 5, 0])
    >>> dealt_parents(segments, above, np.array([1, 2, 1]), words).tolist()
    [1, 0, 1, 2]
    """
    parent_segment = np.zeros(len(children), np.int64)
    parent_segment[above] = segments
    slots = np.lexsort((words, segments))
    parents = np.argsort(parent_segment, kind="stable")
    found = np.empty(len(segments), np.int64)
    found[slots] = np.repeat(parents, children[parents])
    return found
