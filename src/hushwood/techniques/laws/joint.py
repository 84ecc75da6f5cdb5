"""Independent laws of single attributes put together, and the perturber that draws from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array, Flags, Floats
from hushwood.random_streams import Rows, Streams
from hushwood.tables.schema import Schema
from hushwood.techniques.laws.forms import Form
from hushwood.techniques.protocol import Columns, Law


@dataclass(frozen=True, slots=True)
class JointLaw(Law):
    """Independent laws of several attributes."""

    laws: tuple[Law, ...]

    @property
    def parts(self) -> tuple[Law, ...]:
        return self.laws

    @property
    def dependent(self) -> bool:
        return any(law.dependent for law in self.laws)

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """Sum over the attributes."""
        nothing = np.zeros(len(segment_ids))
        return sum((law.log_prob(original, released, segment_ids) for law in self.laws), start=nothing)

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        drawn: dict[str, Array] = {}
        for law in self.laws:
            drawn.update(law.sample(original, segment_ids, row_ids, streams))
        return drawn

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        return {name: form for law in self.laws for name, form in law.forms(schema).items()}

    def described(self) -> dict[str, Any]:
        return {"form": "independent", "laws": [law.described() for law in self.laws]}


@dataclass(frozen=True, slots=True)
class LawPerturber:
    """A perturber that draws from its law; `covered` are the segments it is for, None for all."""

    attributes: tuple[str, ...]
    joint: JointLaw
    covered: Mapping[str, Flags] | None = None

    @property
    def whole_column(self) -> bool:
        """A permutation must see all rows; other laws take any chunk."""
        return self.joint.dependent

    def covers(self, attribute: str) -> Flags | None:
        return None if self.covered is None else self.covered[attribute]

    def perturb(self, columns: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        return self.joint.sample(columns, segment_ids, row_ids, streams)

    def law(self) -> JointLaw:
        return self.joint


def by_column(
    attributes: Iterable[str], law: Callable[[str], Law], covered: Mapping[str, Flags] | None = None
) -> LawPerturber:
    """A perturber with a law of its own for every column."""
    names = tuple(attributes)
    return LawPerturber(names, JointLaw(tuple(law(name) for name in names)), covered)
