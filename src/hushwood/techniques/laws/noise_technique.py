"""What techniques that add noise in proportion to the spread of the numbers have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from hushwood.parameters import Above
from hushwood.techniques.laws.promises import Promise, inside_if
from hushwood.techniques.protocol import Target, Technique, Within


@dataclass(frozen=True, slots=True)
class NoiseTechnique(Technique):
    """Noise with `noise` times the variance (or covariance) of the table or the segment.

    Numbers that are not `bounded` may leave the domain, as in the papers; otherwise the noise is truncated.
    """

    noise: Annotated[float, Above(0)] = 0.5
    within: Within = "table"
    bounded: bool = True
    perturbs: ClassVar[Target] = "numeric"

    @property
    def keeps_segment(self) -> bool:
        """Within segments the noise is truncated to the segment's box."""
        return self.within == "segment" and self.bounded

    @property
    def promise(self) -> Promise:
        """Bounded numbers stay in the domain."""
        return inside_if(self.bounded)

    @property
    def said_where(self) -> str:
        """Whose spread the noise is measured by."""
        return "its segment" if self.within == "segment" else "the whole table"

    @property
    def said_bounds(self) -> str:
        """The end of a sentence: whether numbers stay in their range."""
        return "staying in the allowed range" if self.bounded else "possibly leaving the column's range"
