"""What the clusterings of values (CACTUS, STIRR) share: the values that occur, and groups made of sets of alike values.

A category that no record has is dropped, because it would only change what is expected of the others. Which columns
count, and how missing values are treated, is decided in `records`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, bin_names
from hushwood.value_clusters.grouping.records import clustered_columns, record_tuples
from hushwood.value_clusters.protocol import GroupPerValue


@dataclass(frozen=True, slots=True)
class ObservedValues:
    """Names of the values of every attribute (missing: an empty text), and the distinct records that hold them.

    `codes[a, r]` is the value of attribute a in distinct record r, `weight[r]` how many records are equal to it.
    """

    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    codes: Integers
    weight: Integers

    @property
    def records(self) -> int:
        """How many records there are, all counted."""
        return int(self.weight.sum())

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many values every attribute has."""
        return tuple(len(values) for values in self.values)


def observed_values(table: Table, names: Sequence[str] | None = None) -> ObservedValues:
    """The named columns, or all that can be clustered."""
    columns = clustered_columns(table)
    for name in names or ():
        if name not in columns.names:
            raise InputError(
                f"{name!r} cannot be clustered: that takes a categorical column of two values or more. "
                f"There are {', '.join(columns.names) or 'none'}."
            )
    chosen = [place for place, name in enumerate(columns.names) if names is None or name in names]
    if not chosen:
        return ObservedValues((), (), np.zeros((0, 0), np.int64), np.zeros(0, np.int64))
    tuples = record_tuples(columns.values(table.columns)[:, chosen], columns.width)
    codes, values = [], []
    for place, numbers in zip(chosen, tuples.values.T, strict=True):
        there, code = np.unique(numbers, return_inverse=True)
        attribute = table.schema[columns.names[place]]
        texts = ("", *(bin_names(attribute.bins) if attribute.bins else attribute.categories))
        values.append(tuple(texts[number - columns.first[place]] for number in there.tolist()))
        codes.append(code.reshape(-1))
    return ObservedValues(
        tuple(columns.names[place] for place in chosen), tuple(values), np.array(codes), tuples.weight
    )


class AlikeValues(NamedTuple):
    """Values of one attribute that belong together (missing: an empty text), and how many records they stand for."""

    values: tuple[str, ...]
    records: int


def similar_pairs(clusters: Iterable[Sequence[str]]) -> set[tuple[str, str]]:
    """All pairs of values that share a cluster, each in alphabetical order.

    >>> sorted(similar_pairs([("Toyota", "Ford"), ("Holden",)]))
    [('Ford', 'Toyota')]
    """
    return {pair for values in clusters for pair in combinations(sorted(values), 2)}


def groups_of_values(attribute: Attribute, clusters: Iterable[AlikeValues]) -> GroupPerValue | None:
    """Every value in its largest cluster (the first of equal ones), alone if it has none.

    None if no two values are in the same group: then there is nothing to draw among.
    """
    texts = (*attribute.categories, "")
    groups: dict[str, int] = {}
    for number, cluster in enumerate(sorted(clusters, key=lambda c: -c.records)):
        for value in cluster.values:
            groups.setdefault(value, -1 - number)
    own = [groups.get(text, place) for place, text in enumerate(texts)]
    found, of_code = np.unique(own, return_inverse=True)
    return GroupPerValue(attribute.name, of_code.astype(np.int64)) if len(found) < len(texts) else None
