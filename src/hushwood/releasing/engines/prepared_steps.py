"""What an engine runs over the rows of a table: perturbers that have learnt what they need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hushwood.arrays import Codes
from hushwood.techniques.protocol import Perturber

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class PreparedStep:
    """A perturber and the segment of every record that it works with."""

    perturber: Perturber
    segment_ids: Codes
