"""Values of a segment permuted among its records: the law behind RPT and categorical swapping.

The counts of every value in every segment stay exactly as they were. The records' draws depend on each other, so a
perturber of this kind must see whole segments. DRSWAP permutes within smaller groups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers, Words
from hushwood.random_streams import Rows, Streams, keyed_orders
from hushwood.segments.segments import Segments
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.forms import Form, PermutationForm
from hushwood.techniques.laws.groupings import Groups, by_segment, coded
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.redraw import Distributions
from hushwood.techniques.protocol import Columns, Law


@dataclass(frozen=True, slots=True)
class PermutationLaw(Law):
    """A uniformly random permutation inside every group; `distributions` are the values that each group holds.

    `sizes` are the numbers of records in every group. A record takes part with probability `share`.
    """

    attribute: str
    distributions: Distributions
    sizes: Integers
    purpose: str
    dependent: ClassVar[bool] = True
    group_of: Groups = by_segment
    share: float = 1.0

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """Marginal law of one record: its group's share of the released value."""
        groups, width = self.group_of(original, segment_ids), self.distributions.width
        w = coded(released[self.attribute], width)
        held = self.distributions.of(groups, w)
        if self.share < 1:
            held = self._of_some(held, groups, coded(original[self.attribute], width) == w)
        with np.errstate(divide="ignore"):
            return np.log(held)

    def _of_some(self, held: Floats, groups: Integers, same: Flags) -> Floats:
        """The same if only some take part: with probability k the record keeps its own, else it has any other's.

        k = 1 - s + (1 - (1 - s)^N) / N with N records in the group: the record does not take part, or gets its own.
        """
        n = np.append(self.sizes, 1)[np.minimum(groups, len(self.sizes))].astype(np.float64)
        kept = 1 - self.share + (1 - (1 - self.share) ** n) / n
        other = (held * n - same) / np.maximum(n - 1, 1)
        return np.clip(np.where(same, kept, 0.0) + (1 - kept) * other, 0.0, 1.0)

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """The values in the order of their rows' keyed numbers go to the group's rows in row order."""
        values = np.asarray(original[self.attribute])
        words = streams.words(self.purpose, self.attribute, 0, row_ids)
        groups = self.group_of(original, segment_ids)
        if self.share < 1:
            return {self.attribute: self._some_permuted(values, words, groups, row_ids, streams)}
        return {self.attribute: permuted(values, words, groups)}

    def _some_permuted(
        self, values: Array, words: Words, groups: Array, row_ids: Rows, streams: Streams
    ) -> Array:
        """Records that take part, by a keyed number of their own, are permuted; the others stay."""
        part = np.flatnonzero(streams.uniform(self.purpose, self.attribute, 2, row_ids) < self.share)
        out = values.copy()
        out[part] = permuted(values[part], words[part], groups[part])
        return out

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        """Only a permutation of all records within segments has one."""
        plain = self.group_of is by_segment and self.share == 1
        return {self.attribute: PermutationForm(self.distributions)} if plain else {}

    def described(self) -> dict[str, Any]:
        within = "segments" if self.group_of is by_segment else "cells of control columns"
        form = {"form": f"permutation within {within}", "attribute": self.attribute}
        return form if self.share == 1 else form | {"share": self.share}


def permutation_law(
    original: Table,
    attribute: str,
    segments: Segments,
    purpose: str,
    group_of: Groups = by_segment,
    share: float = 1.0,
) -> PermutationLaw:
    """The permutation of one categorical column within segments or other groups."""
    width = len(original.schema[attribute].categories) + 1
    codes = coded(original.columns[attribute], width)
    groups = group_of(original.columns, segments.ids)
    held = Distributions.from_weights(groups, codes, np.ones(len(codes)), width)
    return PermutationLaw(attribute, held, np.bincount(groups), purpose, group_of=group_of, share=share)


def permuted_columns(
    original: Table, attributes: Sequence[str], segments: Segments, purpose: str
) -> LawPerturber:
    """A perturber that permutes each column within segments, independently of the others."""
    return by_column(attributes, lambda name: permutation_law(original, name, segments, purpose))


def permuted(values: Array, words: Words, groups: Array) -> Array:
    """The values in the order of their keyed numbers, given to the rows of every group in row order."""
    by_group, by_word = keyed_orders(words, groups)
    out = np.empty_like(values)
    out[by_group] = values[by_word]
    return out
