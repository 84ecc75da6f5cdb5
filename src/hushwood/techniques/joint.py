"""Laws of single attributes put together, and the perturber that draws from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.random_streams import Rows, Streams
from hushwood.techniques.protocol import Columns, Law

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class JointLaw:
    """Independent laws of several attributes."""

    laws: tuple[Law, ...]

    @property
    def dependent(self) -> bool:
        """Whether any of them is a permutation."""
        return any(law.dependent for law in self.laws)

    def log_prob(self, original: Columns, released: Columns, segment_ids: NDArray[Any]) -> Floats:
        """Sum over the attributes."""
        nothing = np.zeros(len(segment_ids))
        return sum((law.log_prob(original, released, segment_ids) for law in self.laws), start=nothing)

    def sample(
        self, original: Columns, segment_ids: NDArray[Any], row_ids: Rows, streams: Streams
    ) -> Columns:
        """One draw of every attribute."""
        drawn: dict[str, NDArray[Any]] = {}
        for law in self.laws:
            drawn.update(law.sample(original, segment_ids, row_ids, streams))
        return drawn

    def described(self) -> dict[str, Any]:
        """All of them."""
        return {"form": "independent", "laws": [law.described() for law in self.laws]}


@dataclass(frozen=True, slots=True)
class LawPerturber:
    """A perturber that draws from its law; `covered` are the segments it is for, None for all."""

    attributes: tuple[str, ...]
    joint: JointLaw
    covered: Mapping[str, NDArray[np.bool_]] | None = None

    @property
    def whole_column(self) -> bool:
        """A permutation must see all rows; other laws take any chunk."""
        return self.joint.dependent

    def covers(self, attribute: str) -> NDArray[np.bool_] | None:
        """The segments in which it perturbs the attribute; None for all."""
        return None if self.covered is None else self.covered[attribute]

    def perturb(
        self, columns: Columns, segment_ids: NDArray[Any], row_ids: Rows, streams: Streams
    ) -> Columns:
        """New values of its attributes for a chunk of original records."""
        return self.joint.sample(columns, segment_ids, row_ids, streams)

    def law(self) -> JointLaw:
        """What `perturb` draws from."""
        return self.joint
