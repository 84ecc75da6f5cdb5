"""What techniques that draw numbers together, given other columns, have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from hushwood.parameters import AtLeast, Between
from hushwood.techniques.laws.noise import NoiseParameters
from hushwood.techniques.laws.promises import INSIDE, Promise
from hushwood.techniques.protocol import Target, Technique, Within

Rho = Annotated[
    float, Between(0, 1, open_high=True, meaning="the share of a number's own deviation that stays")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class JointTechnique(Technique):
    """Numbers drawn together, in the table or `within` every segment.

    `given` are the columns whose link to the numbers is kept: None is the class within a table and nothing within
    segments. `alone` is the noise for a record that is alone in its segment; None leaves it unchanged. `blur` is how
    many places in the sorted column a rare number moves at most, if it is handed out; 0 leaves it as it is.
    """

    within: Within = "table"
    given: tuple[str, ...] | None = None
    alone: NoiseParameters | None = field(default_factory=NoiseParameters)
    blur: Annotated[int, AtLeast(0)] = 0
    perturbs: ClassVar[Target] = "numeric"
    options: ClassVar[Mapping[str, str]] = {"alone": "noise", "blur": "blur"}
    jointly: ClassVar[bool] = True

    @property
    def promise(self) -> Promise:
        """Numbers stay in the domain."""
        return INSIDE

    @property
    def moments(self) -> str:
        """Whose moments are kept, for reports."""
        return f"the means and covariances of the {'segment' if self.within == 'segment' else 'whole table'}"


def said_rho(rho: float) -> str:
    """The end of a sentence; nothing for numbers that are drawn entirely at random."""
    return f"; {rho:.0%} of each value's own deviation stays" if rho else ""
