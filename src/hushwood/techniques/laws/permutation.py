"""Values permuted among the records of a segment or a smaller group: the laws behind RPT, SWAP, DRSWAP and CAPT.

The counts of every value in every group stay exactly as they were. The records' draws depend on each other, so a
perturber of this kind must see whole segments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers, Words
from hushwood.random_streams import Rows, Streams, keyed_orders
from hushwood.segments.segments import Segments
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.forms import Form, PairForm, PermutationForm
from hushwood.techniques.laws.groupings import Groups, by_segment, coded, groups_within
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.redraw import Distributions, RedrawLaw
from hushwood.techniques.protocol import Columns, Law, Within

_TOGETHER = "together"
_TAKES_PART = 2  # the number of the draw that decides it


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


@dataclass(frozen=True, slots=True)
class JointPermutationLaw(Law):
    """Whole rows of several columns permuted within segments: the law behind joint SWAP (errata G10).

    A record gets all these values from one record of its segment, so what goes together there stays together. `records`
    and `share` are those of every cell of like rows.
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


@dataclass(frozen=True, slots=True)
class ControlCells:
    """A record's group is its cell: the records that agree on all controls, inside a segment or in the table.

    For every control, `values` are its values and `keys` the combinations with the controls before it that exist. A
    record whose values no record of the table had is in the cell after the last.
    """

    controls: tuple[str, ...]
    within: Within
    values: tuple[Array, ...]
    keys: tuple[Integers, ...]

    @classmethod
    def of_table(
        cls, original: Table, controls: Sequence[str], segment_ids: Array, within: Within
    ) -> ControlCells:
        """The cells that the records of a table are in."""
        cells = groups_within(within)(original.columns, segment_ids)
        values: list[Array] = []
        keys: list[Integers] = []
        for name in controls:
            distinct, code = _coded(original.columns[name])
            key, cells = dense_codes(cells * len(distinct) + code)
            values.append(distinct)
            keys.append(key)
        return cls(tuple(controls), within, tuple(values), tuple(keys))

    def __call__(self, columns: Columns, segment_ids: Array) -> Integers:
        """The cell of every record."""
        cells = groups_within(self.within)(columns, segment_ids)
        for name, distinct, key in zip(self.controls, self.values, self.keys, strict=True):
            code, known = _places(distinct, np.asarray(columns[name]))
            found, there = _places(key, cells * len(distinct) + code)
            cells = np.where(known & there, found, len(key))
        return cells


def _coded(column: Array) -> tuple[Array, Integers]:
    """The values of a column, ascending, and the place of every record's among them."""
    if column.dtype.kind == "f":
        return np.unique(column, return_inverse=True, equal_nan=True)
    distinct, code = dense_codes(column.astype(np.int64) + 1)  # missing is -1
    return distinct - 1, code


def _places(known: Array, values: Array) -> tuple[Integers, Flags]:
    """Where values are in a sorted array, and whether they are; NaN is a value, the last one."""
    at = np.minimum(np.searchsorted(known, values), max(len(known) - 1, 0))
    found = known[at]
    return at, (found == values) | ((found != found) & (values != values))


@dataclass(frozen=True, slots=True)
class PartialPermutationLaw(Law):
    """A permutation within groups among those records that take part: the law behind CAPT by permutation (errata C6).

    A record of group g takes part with probability s_g, `share[g]`. One that does not keeps its value, or draws it from
    `instead`. If nobody draws, the counts of every group stay as they were. `marginal` is the law of one record by
    itself.
    """

    marginal: RedrawLaw
    share: Floats
    instead: Distributions | None = None
    dependent: ClassVar[bool] = True

    @property
    def attribute(self) -> str:
        """The column."""
        return self.marginal.attribute

    @property
    def purpose(self) -> str:
        """The technique."""
        return self.marginal.purpose

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        return self.marginal.log_prob(original, released, segment_ids)

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """One number per record decides whether it takes part, and what it draws if not."""
        values = np.asarray(original[self.attribute])
        groups = self.marginal.group_of(original, segment_ids)
        u = streams.uniform(self.purpose, self.attribute, _TAKES_PART, row_ids)
        part = u < self.share[groups]
        words = streams.words(self.purpose, self.attribute, 0, row_ids)
        out = values.copy()
        out[part] = permuted(values[part], words[part], groups[part])
        if self.instead is not None and not part.all():
            away = groups[~part]
            drawn = self.instead.draw(away, (u[~part] - self.share[away]) / (1 - self.share[away]))
            out[~part] = np.where(drawn == self.instead.width - 1, -1, drawn)
        return {self.attribute: out}

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        """A released value says what the marginal law says; nothing else links it to a record."""
        return self.marginal.forms(schema)

    def described(self) -> dict[str, Any]:
        return {
            "form": "permutation within groups",
            "attribute": self.attribute,
            "share": self.share.tolist(),
            "marginal": self.marginal.described(),
        }


def partial_permutation_law(
    attribute: str,
    codes: Integers,
    groups: Integers,
    group_of: Groups,
    share: Floats,
    width: int,
    purpose: str,
    instead: Distributions | None = None,
) -> PartialPermutationLaw:
    """The law among these records, of whose group and value codes are given.

    With N records in the group and n_w of value w, a record takes part and gets its own value back with probability
    a = (1 - (1 - s)^N) / N, and any other record's with b = s - a. So it changes from v to w with b n_w / (N - 1), plus
    (1 - s) I(w) if those who do not take part draw from I: a redraw whose probability of change depends on v.
    """
    held = Distributions.from_weights(groups, codes, np.ones(len(codes)), width)
    n = np.bincount(groups, minlength=len(share)).astype(np.float64)
    others = np.maximum(n - 1, 1)
    back = (1 - (1 - share) ** n) / np.maximum(n, 1)
    moved = np.where(n > 1, share - back, 0.0) * n / others  # of weight, over all values of the group
    away = 1 - share
    group = held.keys // width
    weight, keys = moved[group] * held.probability, held.keys
    if instead is not None:
        there = instead.keys // width
        keys = np.concatenate([keys, instead.keys])
        weight = np.concatenate([weight, away[there] * instead.probability])
    # A value that nobody can lose has no weight, but is still the group's.
    drawn = Distributions.from_weights(keys // width, keys % width, np.maximum(weight, 1e-300), width)
    at = drawn.keys // width
    total = moved + (away if instead is not None else 0.0)
    change = np.clip(total[at] * (1 - drawn.probability), 0.0, 1.0)
    marginal = RedrawLaw(attribute, drawn, change, group_of, purpose, by_value=True)
    return PartialPermutationLaw(marginal, share, instead)
