"""Segments as data: which records belong together, and the box that their rules describe.

`leaves`, `intersections` and `whole_table` make them; the techniques read them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.domains import Intervals


@dataclass(frozen=True, slots=True)
class Allowed:
    """Category sets of one attribute: `sets[i]` marks the categories (last: missing), `of_segment` picks a set."""

    sets: NDArray[np.bool_]
    of_segment: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Segments:
    """Segment of every record, and for every segment the sub-domain of every attribute.

    `intervals` are those of numeric attributes, `allowed` the category sets of categorical ones; `influential[name]`
    marks the segments whose rules test the attribute.
    """

    ids: NDArray[np.int32]
    count: int
    intervals: Mapping[str, Intervals]
    allowed: Mapping[str, Allowed]
    influential: Mapping[str, NDArray[np.bool_]]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many records every segment holds."""
        return np.bincount(self.ids, minlength=self.count)
