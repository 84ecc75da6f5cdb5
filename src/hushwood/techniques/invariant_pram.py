"""IPRAM: PRAM with a matrix P that keeps the expected frequencies, πP = π (Gouweleeuw et al. 1998).

Two constructions: a change followed by its own way back (`two_stage`), and the direct one, in which frequent values
change more rarely. Plain PRAM is in `pram`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.joint import JointLaw, LawPerturber
from hushwood.techniques.probability import checked_probability
from hushwood.techniques.promises import Promise, redrawn
from hushwood.techniques.protocol import Law, Target, Within
from hushwood.techniques.redraw import Distributions, RedrawLaw
from hushwood.techniques.transition import Others, checked_choice, groups_within, shares_within, spread
from hushwood.techniques.two_stage import two_stage_law

Construction = Literal["two-stage", "direct"]


@dataclass(frozen=True, slots=True)
class InvariantPram:
    """Change that keeps frequencies on average, in the table or inside every segment.

    Two-stage: away with `probability` to the `others` and back, for a part `blend` of the records. Direct: the rarest
    value changes with probability `theta`, any other as much less often as it is more frequent.
    """

    construction: Construction = "two-stage"
    probability: float = 0.1
    others: Others = "equal"
    blend: float = 1.0
    theta: float = 1.0
    within: Within = "table"
    acronym: ClassVar[str] = "IPRAM"
    perturbs: ClassVar[Target] = "categorical"
    jointly: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for name in ("probability", "blend", "theta"):
            checked_probability(name, getattr(self, name))
        checked_choice("IPRAM", "construction", self.construction, ("two-stage", "direct"))
        checked_choice("IPRAM", "others", self.others, ("equal", "frequency"))
        checked_choice("IPRAM", "within", self.within, ("segment", "table"))

    @property
    def keeps_segment(self) -> bool:
        """Inside segments only values that occur there are drawn."""
        return self.within == "segment"

    @property
    def promise(self) -> Promise:
        """Only values that occur in the segment or in the table are drawn."""
        return redrawn("held", self.within)

    def says(self) -> str:
        """One sentence for reports."""
        where = "its segment" if self.keeps_segment else "the column"
        return f"Changed at random so that the frequencies of the values in {where} are kept on average."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Count the values of the table or of every segment."""
        laws = [self._law(original, name, segments) for name in attributes]
        return LawPerturber(tuple(attributes), JointLaw(tuple(laws)))

    def _law(self, original: Table, name: str, segments: Segments) -> Law:
        shares = shares_within(original, name, segments, self.within)
        group_of = groups_within(self.within)
        if self.construction == "direct":
            change = self.theta * _rarest(shares) / shares.probability
            return RedrawLaw(name, spread(shares, "equal"), change, group_of, self.acronym, by_value=True)
        towards = spread(shares, self.others)
        return two_stage_law(name, shares, towards, self.probability, self.blend, group_of, self.acronym)


def _rarest(shares: Distributions) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The smallest share in the group of every cell."""
    group = shares.keys // shares.width
    smallest = np.ones(int(group.max(initial=0)) + 1)
    np.minimum.at(smallest, group, shares.probability)
    return np.asarray(smallest[group])
