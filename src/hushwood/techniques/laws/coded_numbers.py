"""A law for classes applied to numbers: every different number of the column is a class of its own.

So the techniques for the class can hide a response, and none of them needs to know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats
from hushwood.random_streams import Rows, Streams
from hushwood.segments.segments import Segments
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.forms import Form
from hushwood.techniques.protocol import Columns, Law, Perturber, Technique


def prepared_for_numbers(technique: Technique, original: Table, name: str, segments: Segments) -> Perturber:
    """The technique made ready for one column of numbers."""
    column = np.asarray(original.columns[name], np.float64)
    numbers = np.unique(column[~np.isnan(column)])
    coding = NumberCoding(name, numbers)
    coded = replace(
        original.schema[name], kind="categorical", categories=tuple(map(repr, numbers.tolist())), bins=()
    )
    table = original.with_columns(coding.coded(original.columns), original.schema.with_attribute(coded))
    return CodedPerturber(coding, technique.prepare(table, (name,), segments))


@dataclass(frozen=True, slots=True)
class NumberCoding:
    """A column of numbers as codes: the place of each among the different `numbers`, -1 where it is missing."""

    name: str
    numbers: Floats

    def coded(self, columns: Columns) -> dict[str, Array]:
        """The columns with codes in the place of the numbers; a number that the column never had has none."""
        values = np.asarray(columns[self.name], np.float64)
        place = np.minimum(np.searchsorted(self.numbers, values), max(len(self.numbers) - 1, 0))
        there = self.numbers[place] == values if len(self.numbers) else np.zeros(len(values), bool)
        return {**columns, self.name: np.where(there, place, -1).astype(np.int32)}

    def known(self, columns: Columns) -> Flags:
        """The records whose number has a code, or is missing."""
        return np.isnan(np.asarray(columns[self.name], np.float64)) | (self.coded(columns)[self.name] >= 0)

    def numbers_of(self, codes: Codes) -> Floats:
        """The numbers that codes stand for."""
        return np.append(self.numbers, np.nan)[codes]


@dataclass(frozen=True, slots=True)
class CodedLaw(Law):
    """The law of the codes."""

    coding: NumberCoding
    inner: Law

    @property
    def dependent(self) -> bool:
        return self.inner.dependent

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        found = self.inner.log_prob(self.coding.coded(original), self.coding.coded(released), segment_ids)
        return np.where(self.coding.known(released), found, -np.inf)

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        drawn = self.inner.sample(self.coding.coded(original), segment_ids, row_ids, streams)
        return {self.coding.name: self.coding.numbers_of(drawn[self.coding.name])}

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        return {}

    def described(self) -> dict[str, Any]:
        return self.inner.described() | {"numbers": self.coding.numbers.tolist()}


@dataclass(frozen=True, slots=True)
class CodedPerturber:
    """The perturber of the codes."""

    coding: NumberCoding
    inner: Perturber

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.inner.attributes

    @property
    def whole_column(self) -> bool:
        return self.inner.whole_column

    def covers(self, attribute: str) -> Flags | None:
        return self.inner.covers(attribute)

    def perturb(self, columns: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        new = self.inner.perturb(self.coding.coded(columns), segment_ids, row_ids, streams)
        return {self.coding.name: self.coding.numbers_of(new[self.coding.name])}

    def law(self) -> CodedLaw:
        return CodedLaw(self.coding, self.inner.law())
