"""Noise laws of one column put together, as an intruder weighs them: LINFAPT here, LINNAPT there, copied elsewhere.

For noise in proportion to the value, which must be asked about every pair: every original value has a spread of its
own, so tables over the distance, as in `noise_likelihoods`, do not say it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.random_streams import Rows, Streams
from hushwood.segments.partition import combine
from hushwood.tables.domains import to_steps
from hushwood.tables.schema import Schema
from hushwood.techniques.laws.forms import Form, PairForm
from hushwood.techniques.laws.noise import NoiseLaw
from hushwood.techniques.protocol import Columns, Law


@dataclass(frozen=True, slots=True)
class NoiseInParts(Law):
    """Noise laws of one column, each for segments of its own; in all others the value is copied.

    A record whose value is outside a segment's interval cannot be there.
    """

    laws: tuple[NoiseLaw, ...]
    covered: tuple[Flags, ...]

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        name = self.laws[0].attribute
        x, y = (np.asarray(columns[name], float) for columns in (original, released))
        logs = np.where((x == y) | (np.isnan(x) & np.isnan(y)), 0.0, -np.inf)
        for law, covered in zip(self.laws, self.covered, strict=True):
            here = np.flatnonzero(covered[segment_ids])
            mine, segment = x[here], segment_ids[here]
            inside, steps = law.intervals.take(segment), to_steps(mine, law.intervals.precision)
            barred = (steps < inside.low) | (steps > inside.high)
            found = law.log_prob({name: mine}, {name: y[here]}, segment)
            logs[here] = np.where(barred, -np.inf, found)
        return logs

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        name = self.laws[0].attribute
        drawn = np.asarray(original[name], float)
        for law, covered in zip(self.laws, self.covered, strict=True):
            found = law.sample(original, segment_ids, row_ids, streams)[name]
            drawn = np.where(covered[segment_ids], found, drawn)
        return {name: drawn}

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        return {self.laws[0].attribute: self.form()}

    def form(self) -> PairForm:
        """Pairs, with one number for segments that all laws treat alike."""
        parts = zip(self.laws, self.covered, strict=True)
        ids, _ = combine([np.where(covered, 1 + law.alike(), 0) for law, covered in parts])
        first = np.unique(ids, return_index=True)[1]
        return PairForm(self, (self.laws[0].attribute,), alike=np.asarray(first[ids], np.int64))

    def described(self) -> dict[str, Any]:
        return {"form": "noise in parts", "laws": [law.described() for law in self.laws]}


def noise_in_parts(
    laws: Sequence[Law], segments: Sequence[Integers], covered: Sequence[Flags]
) -> PairForm | None:
    """One form for all noise laws of a column, from their segments of every block and the blocks they cover.

    None if they are not all laws of noise over the same segments, or overlap.
    """
    same = all(np.array_equal(segment, segments[0]) for segment in segments)
    if not same or np.sum(covered, axis=0).max(initial=0) > 1:
        return None
    found, flags = [], []
    for law, here in zip(laws, covered, strict=True):
        if not isinstance(law, NoiseLaw):
            return None
        by_segment = np.zeros(len(law.scale), bool)
        by_segment[segments[0][here]] = True
        found.append(law)
        flags.append(by_segment)
    return NoiseInParts(tuple(found), tuple(flags)).form()
