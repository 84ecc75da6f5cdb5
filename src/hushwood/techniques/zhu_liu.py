"""ZHULIU: numbers drawn from a mixture model instead of with added noise (Zhu and Liu 2004; thesis 3.2.2).

The domain is cut into components, and what is released is drawn from a normal distribution that belongs to the
component of the original number. The released column is a mixture with known parts, and a miner estimates its weights,
the original distribution, by EM (`reconstruction.known_noise`). The spread is the least that gives the privacy that is
asked for (errata B10).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from hushwood.parameters import Between
from hushwood.segments.boxes import domain_intervals
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.mixture import CONFIDENCE, LARGEST_SPREAD, MixtureLaw, smallest_spread
from hushwood.techniques.laws.promises import INSIDE, Promise
from hushwood.techniques.protocol import Target, Technique, Within

MOST_COMPONENTS = 256  # as many as a reconstruction can have intervals


@dataclass(frozen=True, slots=True)
class ZhuLiu(Technique):
    """Normal distributions around the middles of `components`, cut to the domain or to the segment's box.

    `privacy` is how wide the interval must be that holds an original number with 95 % confidence, as a share of the
    domain. `spread` sets the standard deviation itself, as such a share.
    """

    components: Annotated[int, Between(2, MOST_COMPONENTS)] = 20
    privacy: Annotated[float, Between(0, CONFIDENCE, open_low=True, open_high=True)] = 0.5
    spread: Annotated[float | None, Between(0, LARGEST_SPREAD, open_low=True)] = None
    within: Within = "table"
    acronym: ClassVar[str] = "ZHULIU"
    perturbs: ClassVar[Target] = "numeric"
    promise: ClassVar[Promise] = INSIDE
    trust: ClassVar[str] = (
        "Do not rely on single values, nor on links to other columns. The column's distribution can be estimated, as "
        "docs/techniques.md explains."
    )

    @property
    def width(self) -> float:
        """The standard deviation of every component, as a share of the domain."""
        return smallest_spread(self.privacy, self.components) if self.spread is None else self.spread

    def says(self) -> str:
        where = "the range that its segment allows" if self.within == "segment" else "the domain"
        return (
            f"Redrawn from a normal distribution around the middle of the part that it lies in, one of "
            f"{self.components} of {where}, with a spread of {self.width:.0%} of it."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """The boxes are all that is needed."""

        def law(name: str) -> MixtureLaw:
            inside = segments.intervals[name]
            if self.within == "table":
                inside = domain_intervals(original.schema[name], segments.count)
            scale = self.width * inside.width
            return MixtureLaw(
                name, inside, scale, "truncate", "normal", self.acronym, components=self.components
            )

        return by_column((name for name in attributes if name in segments.intervals), law)
