"""Values permuted within groups among those records that take part: the law behind CAPT by permutation (errata C6).

A record of group g takes part with probability s_g. One that does not keeps its value, or draws it from `instead`. If
nobody draws, the counts of every group stay as they were.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.random_streams import Rows, Streams
from hushwood.tables.schema import Schema
from hushwood.techniques.laws.forms import Form
from hushwood.techniques.laws.groupings import Groups
from hushwood.techniques.laws.permutation import permuted
from hushwood.techniques.laws.redraw import Distributions, RedrawLaw
from hushwood.techniques.protocol import Columns, Law

_TAKES_PART = 2  # the number of the draw that decides it


@dataclass(frozen=True, slots=True)
class PartialPermutationLaw(Law):
    """A permutation among records that take part; `share[g]` is s_g, and `marginal` the law of one record by itself."""

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
