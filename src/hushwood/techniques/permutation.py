"""Values of a segment dealt out anew among its records: the law behind RPT and categorical swapping.

The counts of every value in every segment stay exactly as they were. The records' draws depend on each other, so a
perturber of this kind must see the whole column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.random_streams import Rows, Streams, group_order, keyed_order
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Columns
from hushwood.techniques.redraw import Distributions, coded

# Larger segments are permuted in blocks of about this many records, so that no engine needs more at once.
BLOCK_RECORDS = 1 << 20


@dataclass(frozen=True, slots=True)
class PermutationLaw:
    """A uniformly random permutation inside every segment; `distributions` are the values that each one holds."""

    attribute: str
    distributions: Distributions
    purpose: str
    dependent: bool = True

    def log_prob(
        self, original: Columns, released: Columns, segment_ids: NDArray[Any]
    ) -> NDArray[np.float64]:
        """Marginal law of one record: its segment's share of the released value."""
        released_codes = coded(released[self.attribute], self.distributions.width)
        with np.errstate(divide="ignore"):
            return np.log(self.distributions.of(np.asarray(segment_ids, np.int64), released_codes))

    def sample(
        self, original: Columns, segment_ids: NDArray[Any], row_ids: Rows, streams: Streams
    ) -> Columns:
        """The values in the order of their rows' keyed numbers go to the segment's rows in row order."""
        values = np.asarray(original[self.attribute])
        words = streams.words(self.purpose, self.attribute, 0, row_ids)
        groups = self._groups(np.asarray(segment_ids), row_ids, streams)
        out = np.empty_like(values)
        out[group_order(groups)] = values[keyed_order(words, groups)]
        return {self.attribute: out}

    def _groups(self, segment_ids: NDArray[Any], row_ids: Rows, streams: Streams) -> NDArray[Any]:
        """Segment of every record, or its block of a large one, drawn with a number of its own."""
        if np.bincount(segment_ids).max(initial=0) <= BLOCK_RECORDS:
            return segment_ids
        u = streams.uniform(self.purpose, self.attribute, 1, row_ids)
        return blocks(segment_ids, u, BLOCK_RECORDS)

    def described(self) -> dict[str, Any]:
        """Nothing but the form: the values are those of the table."""
        return {"form": "permutation within segments", "attribute": self.attribute}


def permutation_law(original: Table, attribute: str, segments: Segments, purpose: str) -> PermutationLaw:
    """The permutation of one categorical column within segments."""
    width = len(original.schema[attribute].categories) + 1
    codes = coded(original.columns[attribute], width)
    weights = np.ones(len(codes))
    return PermutationLaw(attribute, Distributions.from_weights(segments.ids, codes, weights, width), purpose)


def blocks(segment_ids: NDArray[Any], u: NDArray[np.float64], most: int) -> NDArray[np.int64]:
    """Group of every record: its segment, or its keyed block of a segment with more than `most` records.

    >>> blocks(np.array([0, 0, 1, 0, 0, 1]), np.array([0.9, 0.1, 0.9, 0.6, 0.2, 0.1]), most=2).tolist()
    [1, 0, 2, 1, 0, 2]
    """
    pieces = np.maximum(-(-np.bincount(segment_ids) // most), 1)
    first = np.concatenate([[0], np.cumsum(pieces)])
    return np.asarray(first[segment_ids] + (u * pieces[segment_ids]).astype(np.int64))
