"""RC: every value changes with one probability to any other value of the domain; the control (thesis 7.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.joint import JointLaw, LawPerturber
from hushwood.techniques.probability import checked_probability
from hushwood.techniques.promises import Promise, redrawn
from hushwood.techniques.protocol import Target
from hushwood.techniques.redraw import Distributions, RedrawLaw, whole_table


@dataclass(frozen=True, slots=True)
class RandomCategorical:
    """With probability p another value of the domain, all equally likely."""

    probability: float = 0.1
    acronym: ClassVar[str] = "RC"
    perturbs: ClassVar[Target] = "categorical"
    jointly: ClassVar[bool] = False
    keeps_segment: ClassVar[bool] = False
    promise: ClassVar[Promise] = redrawn("inside", "table")

    def __post_init__(self) -> None:
        checked_probability("probability", self.probability)

    def says(self) -> str:
        """One sentence for reports."""
        return f"Changed with probability {self.probability:.0%} to any other value, without respect for any rule."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """The domain is all that is needed."""
        laws = [random_law(original, name, self.probability, self.acronym) for name in attributes]
        return LawPerturber(tuple(attributes), JointLaw(tuple(laws)))


def random_law(original: Table, attribute: str, probability: float, purpose: str) -> RedrawLaw:
    """The law of a column whose values change to any other; missing counts as a value if the column has any."""
    width = len(original.schema[attribute].categories) + 1
    domain = np.arange(width if bool((np.asarray(original.columns[attribute]) < 0).any()) else width - 1)
    drawn = Distributions.from_weights(np.zeros(len(domain), np.int64), domain, np.ones(len(domain)), width)
    return RedrawLaw(attribute, drawn, np.array([probability]), whole_table, purpose)
