"""Categorical columns as one: every combination of their values that occurs is a category of a single column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Codes, Floats, Integers
from hushwood.errors import InternalFault
from hushwood.tables.links.structure import Together
from hushwood.tables.schema import Attribute, Schema

_MISSING = "?"


@dataclass(frozen=True, slots=True)
class Combined:
    """The combinations of some columns, in the order of their codes: `codes` [combination, column], -1 for missing.

    `numbers` [combination, number] are the values of the numbers that follow from them.
    """

    of: Together
    codes: Integers
    numbers: Floats

    @classmethod
    def from_rows(cls, of: Together, rows: Floats) -> Combined:
        """From the distinct rows that `rows_of` found, put together; the first number wins where rows differ in it."""
        width = len(of.categories)
        codes, first = np.unique(rows[:, :width], axis=0, return_index=True)
        return cls(of, codes.astype(np.int64), rows[first, width:])

    def attribute(self, name: str, schema: Schema) -> Attribute:
        """The column that stands for all of them."""
        own = [schema[column].categories for column in self.of.categories]
        texts = [
            " & ".join(values[code] if code >= 0 else _MISSING for values, code in zip(own, row, strict=True))
            for row in self.codes.tolist()
        ]
        if len(set(texts)) < len(texts):  # names that contain the sign between them
            texts = [f"{text} ({place})" for place, text in enumerate(texts)]
        # A class that moves with other columns is changed like them.
        roles = [schema[column].role for column in self.of.categories]
        role = next((role for role in roles if role != "class"), roles[0])
        return Attribute(name, "categorical", role, "String", categories=tuple(texts))

    def encoded(self, columns: Mapping[str, Array]) -> Codes:
        """The combination of every record."""
        # Column by column, so that no key grows beyond the number of combinations times that of categories.
        ids = np.zeros(len(columns[self.of.categories[0]]), np.int64)
        known = np.zeros(len(self.codes), np.int64)
        for place, name in enumerate(self.of.categories):
            own = self.codes[:, place] + 1
            width = int(own.max(initial=0)) + 1
            keys, inverse = np.unique(known * width + own, return_inverse=True)
            wanted = ids * width + np.minimum(columns[name].astype(np.int64) + 1, width)
            ids = np.searchsorted(keys, wanted)
            if np.any(keys[np.minimum(ids, len(keys) - 1)] != wanted):
                raise InternalFault(f"A combination of {self.of.name} was never seen; please report this.")
            known = inverse.reshape(-1)
        return np.argsort(known)[ids].astype(np.int32)

    def decoded(self, combination: Codes) -> dict[str, Array]:
        """The columns of every record's combination."""
        found: dict[str, Array] = {
            name: self.codes[:, place].astype(np.int32)[combination]
            for place, name in enumerate(self.of.categories)
        }
        return found | {
            name: self.numbers[:, place][combination] for place, name in enumerate(self.of.numbers)
        }


def rows_of(of: Together, columns: Mapping[str, Array]) -> Floats:
    """The distinct combinations in some records, one a row: codes, then numbers."""
    names = (*of.categories, *of.numbers)
    return distinct_rows(np.column_stack([np.asarray(columns[name], np.float64) for name in names]))


def distinct_rows(rows: Floats) -> Floats:
    """The distinct rows of a matrix; NaN equals NaN."""
    if not len(rows):
        return rows
    ids = np.zeros(len(rows), np.int64)
    for column in rows.T:
        _, codes = np.unique(column, return_inverse=True)
        _, ids = np.unique(ids * (int(codes.max()) + 1) + codes, return_inverse=True)
    _, first = np.unique(ids, return_index=True)
    return rows[first]
