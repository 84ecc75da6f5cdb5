"""Finds numbers that decide the class by themselves: it changes at a few limits and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from hushwood.arrays import Array
from hushwood.tables.links.evidence import FEWEST
from hushwood.tables.links.levels import MOST_LEVELS
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table

FEWEST_BETWEEN = 20  # records between two limits; shorter stretches are what any number has by chance
MOST_STRETCHES = 2  # for every class


def deciding_numbers(
    table: Table, attributes: Sequence[Attribute], classes: Sequence[Attribute]
) -> Iterator[tuple[str, str]]:
    """Numbers of many values, with the class that each decides; those of few values are found like categories."""
    for attribute in attributes:
        if attribute.kind != "numeric":
            continue
        values = table.columns[attribute.name]
        order = np.argsort(values, kind="stable")
        known = values[order][: int((~np.isnan(values)).sum())]
        if len(known) < FEWEST or np.count_nonzero(known[1:] != known[:-1]) < MOST_LEVELS:
            continue
        for target in classes:
            if _decides(known, table.columns[target.name][order]):
                yield attribute.name, target.name


def _decides(known: Array, codes: Array) -> bool:
    """Whether sorted numbers cut the classes into a few long stretches; missing numbers come last, with one class."""
    here, rest = codes[: len(known)], codes[len(known) :]
    if len(rest) and (rest != rest[0]).any():
        return False
    changes = np.flatnonzero(here[1:] != here[:-1])
    if not len(changes) or (known[changes] == known[changes + 1]).any():
        return False
    stretches = np.diff(np.concatenate([[-1], changes, [len(here) - 1]]))
    few = len(stretches) <= MOST_STRETCHES * len(np.unique(here))
    return bool(few and stretches.min() >= FEWEST_BETWEEN)
