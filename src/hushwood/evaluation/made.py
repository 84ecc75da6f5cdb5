"""How a release of our own was made, as far as judging it needs; `evaluate` hands it on to the measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.engines.protocol import PreparedStep
from hushwood.trees.forest import Forest
from hushwood.trees.options import GrowOptions


@dataclass(frozen=True, slots=True)
class Made:
    """How a release of our own was made: what its laws, its segments and its rules are.

    `method` is what the release itself tells everybody about the noise; `ways` counts segments and records by how
    their numbers were drawn together. The laws do not hold where cells were left out afterwards.
    """

    segment_ids: NDArray[np.int32]
    steps: tuple[PreparedStep, ...]
    forest: Forest
    plan: Sequence[Mapping[str, Any]]
    certificate: Mapping[str, Any] | None = None
    builder: GrowOptions | None = None
    method: Mapping[str, Any] = field(default_factory=dict)
    ways: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    laws_hold: bool = True

    def taken(self, rows: NDArray[np.int64] | None) -> Made:
        """The same for some of the original's rows; None for all."""
        if rows is None:
            return self
        steps = tuple(replace(step, segment_ids=step.segment_ids[rows]) for step in self.steps)
        return replace(self, segment_ids=self.segment_ids[rows], steps=steps)
