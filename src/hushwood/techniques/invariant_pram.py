"""IPRAM: PRAM with a matrix P that keeps the expected frequencies, πP = π (Gouweleeuw et al. 1998).

Two constructions: a change followed by a change back (`two_stage`), and the direct one, in which frequent values
change more rarely. Plain PRAM is in `pram`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from hushwood.arrays import Floats
from hushwood.parameters import SHARE
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.groupings import groups_within
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.promises import Promise, redrawn
from hushwood.techniques.laws.redraw import Distributions, RedrawLaw
from hushwood.techniques.laws.transition import Others, shares_within, spread
from hushwood.techniques.laws.trust import AVERAGE_COUNTS
from hushwood.techniques.laws.two_stage import two_stage_law
from hushwood.techniques.protocol import Law, Target, Technique, Within

Construction = Literal["two-stage", "direct"]


@dataclass(frozen=True, slots=True)
class InvariantPram(Technique):
    """Change that keeps frequencies on average, in the table or inside every segment.

    Two-stage: to the `others` with `probability` and back, for a share `blend` of the records. Direct: the rarest
    value changes with probability `theta`, and any other in inverse proportion to its frequency.
    """

    construction: Construction = "two-stage"
    probability: Annotated[float, SHARE] = 0.1
    others: Others = "equal"
    blend: Annotated[float, SHARE] = 1.0
    theta: Annotated[float, SHARE] = 1.0
    within: Within = "table"
    acronym: ClassVar[str] = "IPRAM"
    perturbs: ClassVar[Target] = "categorical"
    trust: ClassVar[str] = AVERAGE_COUNTS
    options: ClassVar[Mapping[str, str]] = {"probability": "probability"}

    @property
    def promise(self) -> Promise:
        """Only values that occur in the segment or in the table are drawn."""
        return redrawn("held", self.within)

    def says(self) -> str:
        where = "its segment" if self.keeps_segment else "the column"
        return f"Changed at random so that the frequencies of the values in {where} are kept on average."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Count the values of the table or of every segment."""
        return by_column(attributes, lambda name: self._law(original, name, segments))

    def _law(self, original: Table, name: str, segments: Segments) -> Law:
        shares = shares_within(original, name, segments, self.within)
        group_of = groups_within(self.within)
        if self.construction == "direct":
            change = self.theta * _rarest(shares) / shares.probability
            return RedrawLaw(name, spread(shares, "equal"), change, group_of, self.acronym, by_value=True)
        towards = spread(shares, self.others)
        return two_stage_law(name, shares, towards, self.probability, self.blend, group_of, self.acronym)


def _rarest(shares: Distributions) -> Floats:
    """The smallest share in the group of every cell."""
    group = shares.keys // shares.width
    smallest = np.ones(int(group.max(initial=0)) + 1)
    np.minimum.at(smallest, group, shares.probability)
    return np.asarray(smallest[group])
