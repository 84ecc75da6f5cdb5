"""The categorical columns as clusterings of values see them: the values that occur, numbered for each attribute.

A category that no record has is left out, because it would only change what is expected of the others. Which columns
count, and what a missing value is, is said in `record_tuples`; CACTUS and STIRR read this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.tables.table import Table, bin_names
from hushwood.value_clusters.record_tuples import clustered_columns, record_tuples


@dataclass(frozen=True, slots=True)
class ObservedValues:
    """Names of the values of every attribute (missing: an empty text), and the distinct records that hold them.

    `codes[a, r]` is the place among attribute a's values of distinct record r, `weight[r]` how many records are so.
    """

    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    codes: NDArray[np.int64]
    weight: NDArray[np.int64]

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
