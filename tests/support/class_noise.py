"""Many copies of one leaf, to see by simulation how many classes a technique changes in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hushwood.arrays import Array, Integers
from hushwood.random_streams import Streams
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Technique
from support.mixed_tables import table_of, target

STREAMS = Streams(bytes(range(40, 72)))


def copies_of_a_leaf(counts: Sequence[int], copies: int) -> tuple[Table, Segments]:
    """A table of `copies` segments with so many records of each class."""
    codes = np.tile(np.repeat(np.arange(len(counts)), counts), copies)
    ids = np.repeat(np.arange(copies, dtype=np.int32), sum(counts))
    table = table_of({"class": (target("class", "abcdef"[: len(counts)]), codes.tolist())})
    return table, Segments(ids, copies, {}, {}, {})


def changed(technique: Technique, counts: Sequence[int], copies: int = 4000) -> Integers:
    """How many classes changed in every copy."""
    before, after = before_and_after(technique, counts, copies)
    return np.asarray((before != after).sum(axis=1))


def before_and_after(technique: Technique, counts: Sequence[int], copies: int = 4000) -> tuple[Array, Array]:
    """Original and released classes [copy, record]."""
    table, segments = copies_of_a_leaf(counts, copies)
    perturber = technique.prepare(table, ["class"], segments)
    released = perturber.perturb(table.columns, segments.ids, range(table.rows), STREAMS)["class"]
    return table.columns["class"].reshape(copies, -1), released.reshape(copies, -1)


def assert_mean(values: Integers, wanted: float) -> None:
    """The mean lies within four standard errors."""
    error = float(values.std()) / np.sqrt(len(values))
    assert abs(float(values.mean()) - wanted) < 4 * error, (values.mean(), wanted, error)
