"""Whole rows of several columns permuted within segments: the law behind joint SWAP (errata G10).

A record gets all these values from one record of its segment, so what goes together there stays together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.random_streams import Rows, Streams
from hushwood.segments.segments import Segments
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.control_cells import ControlCells
from hushwood.techniques.laws.forms import Form, PairForm
from hushwood.techniques.laws.permutation import permuted
from hushwood.techniques.protocol import Columns, Law

_TOGETHER = "together"


@dataclass(frozen=True, slots=True)
class JointPermutationLaw(Law):
    """One permutation of all `attributes` within segments; `records` and `share` are those of every cell of like rows.

    The last cell stands for values that no record of the segment has.
    """

    attributes: tuple[str, ...]
    cells: ControlCells
    records: Integers
    share: Floats
    purpose: str
    dependent: ClassVar[bool] = True

    @classmethod
    def of(
        cls, original: Table, attributes: Sequence[str], segments: Segments, purpose: str
    ) -> JointPermutationLaw:
        """Count the rows of every segment."""
        cells = ControlCells.of_table(original, attributes, segments.ids, "segment")
        cell = cells(original.columns, segments.ids)
        records = np.append(np.bincount(cell), 0)
        segment = np.zeros(len(records), np.int64)
        segment[cell] = segments.ids
        share = records / segments.sizes[segment]
        return cls(tuple(attributes), cells, records, share, purpose)

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """Marginal law of one record: its segment's share of the released row; its own row must be there as well."""
        there = self.records[self.cells(original, segment_ids)] > 0
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.share[self.cells(released, segment_ids)] * there))

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """Rows in the order of their keyed numbers go to the segment's records in row order."""
        words = streams.words(self.purpose, _TOGETHER, 0, row_ids)
        source = permuted(np.arange(len(segment_ids)), words, np.asarray(segment_ids))
        return {name: np.asarray(original[name])[source] for name in self.attributes}

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        """Asked about pairs of records; rows change places, so frequent ones favour nobody."""
        form = PairForm(self, self.attributes, holders=self._holders)
        return dict.fromkeys(self.attributes, form)

    def _holders(self, released: Columns, segment_ids: Integers) -> Integers:
        return np.maximum(self.records[self.cells(released, segment_ids)], 1)

    def described(self) -> dict[str, Any]:
        return {"form": "permutation of whole rows within segments", "attributes": list(self.attributes)}
