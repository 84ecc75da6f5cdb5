"""ZHULIU: numbers drawn from a mixture model instead of with added noise (Zhu and Liu 2004; thesis 3.2.2).

The domain is cut into components, and what is released is drawn from a normal distribution that belongs to the
component of the original number. The released column is a mixture with known parts, and a miner estimates its weights,
the original distribution, by EM (`reconstruction.known_noise`). The spread is the least that gives the privacy that is
asked for (errata B10).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar

import numpy as np

from hushwood.arrays import Floats
from hushwood.parameters import Between
from hushwood.segments.segments import Segments, domain_intervals
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.forms import Form, PairForm
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.noise import NoiseLaw
from hushwood.techniques.laws.promises import INSIDE, Promise
from hushwood.techniques.protocol import Target, Technique, Within
from hushwood.techniques.together.cells import NumberGroup

MOST_COMPONENTS = 256  # as many as a reconstruction can have intervals
CONFIDENCE = 0.95  # of the interval whose width is the privacy
_POINTS = 512  # at which a component's density is looked at
_HALVINGS = 24
LARGEST_SPREAD = 100.0


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


@dataclass(frozen=True, slots=True)
class MixtureLaw(NoiseLaw):
    """Numbers redrawn around the middle of the component they are in; every interval has `components` or fewer.

    The interval of a segment is cut into components. The number itself plays no other part. With one component for
    every value it is truncated noise.
    """

    components: int = 20

    def _places(self, x: Floats, grid: Any) -> Floats:
        """The middle of every number's component, which may lie between two grid points."""
        # `super()` without arguments does not work in a dataclass with slots.
        place = np.clip(np.rint(NoiseLaw._places(self, x, grid)), 0.0, grid.points - 1.0)
        return middles(place, grid.points, self.components)

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        """Asked about in pairs; segments with the same box have the same law."""
        box = np.stack([self.intervals.low, self.intervals.high, self.scale])
        _, first, same = np.unique(box, axis=1, return_index=True, return_inverse=True)
        group = NumberGroup((self.attribute,), (self.intervals,))
        return {self.attribute: PairForm(self, group.names, group=group, alike=first[same.reshape(-1)])}

    def described(self) -> dict[str, Any]:
        noise = NoiseLaw.described(self)
        return noise | {"form": f"mixture, {noise['form']}", "components": self.components}


def middles(place: Floats, points: Floats, components: int) -> Floats:
    """The middle of the component of every grid point; component i of m begins at point i · (points / m), rounded.

    >>> middles(np.arange(10.0), np.full(10, 10.0), 3).tolist()
    [1.0, 1.0, 1.0, 4.5, 4.5, 4.5, 4.5, 8.0, 8.0, 8.0]
    """
    most = np.minimum(float(components), points)

    def begin(component: Floats) -> Floats:
        return np.rint(component * (points / most))

    own = np.minimum(np.floor(place * most / points), most - 1)
    own = np.where(begin(own) > place, own - 1, own)  # the limits are rounded
    own = np.where(begin(own + 1) <= place, own + 1, own)
    return np.asarray((begin(own) + begin(own + 1) - 1) / 2)


@cache
def privacy_of(spread: float, components: int) -> float:
    """How wide, as a share of the domain, the interval is that holds an original number with 95 % confidence.

    On average over released numbers; components are equally likely beforehand, and the narrowest interval is made of
    the likeliest ones. At most 0.95.

    >>> round(privacy_of(100.0, 20), 3), round(privacy_of(0.001, 20), 4)
    (0.95, 0.0475)
    """
    from scipy.special import ndtr

    middle = (np.arange(components) + 0.5) / components
    limits = np.linspace(0.0, 1.0, _POINTS + 1)
    upto = ndtr((limits[:, None] - middle) / spread)
    chance = np.diff(upto, axis=0) / (upto[-1] - upto[0])  # [released, component]
    total = chance.sum(axis=1, keepdims=True)
    falling = -np.sort(-chance / np.where(total > 0, total, 1.0), axis=1)
    before = np.cumsum(falling, axis=1) - falling
    # The component that reaches the confidence counts with the part that is needed.
    part = np.clip((CONFIDENCE - before) / np.where(falling > 0, falling, 1.0), 0.0, 1.0)
    wide = np.where(falling > 0, part, 0.0).sum(axis=1) / components
    return float(wide @ total[:, 0] / total.sum())


@cache
def smallest_spread(privacy: float, components: int) -> float:
    """The least spread, as a share of the domain, with which `privacy_of` reaches what is asked for.

    A smaller spread loses less information about the distribution, so it is the best one (Zhu and Liu's problem).
    """
    low, high = 1e-4 / components, LARGEST_SPREAD
    for _ in range(_HALVINGS):
        middle = (low * high) ** 0.5
        low, high = (low, middle) if privacy_of(middle, components) >= privacy else (middle, high)
    return high
