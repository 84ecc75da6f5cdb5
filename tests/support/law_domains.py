"""Which values a law can release: the grid, slices of a continuous domain, the box of a segment, what noise reaches.

`law_checks` adds up probabilities over them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hushwood.arrays import Array, Floats
from hushwood.segments.segments import Segments
from hushwood.tables.recoding.recodings import CategoryGroups
from hushwood.tables.schema import Attribute
from hushwood.techniques.added_noise import FactorLaw
from hushwood.techniques.coarsening import RecodingLaw
from hushwood.techniques.laws.copula_law import CopulaLaw
from hushwood.techniques.laws.joint import JointLaw, LawPerturber
from hushwood.techniques.laws.joint_normal import JointNormalLaw, LogNormalLaw
from hushwood.techniques.laws.noise import NoiseLaw
from hushwood.techniques.protocol import Law, Perturber
from hushwood.techniques.together.group_perturber import GroupPerturber, RecordDraws

SLICES = 10_000  # of a continuous domain, where the density is added up
FARTHEST = 6.5  # standard deviations: what lies beyond has a chance of 1e-10


def released_values(attribute: Attribute) -> Array:
    """All values of a category or grid."""
    if attribute.kind == "categorical":
        return np.arange(-1, len(attribute.categories), dtype=np.int32)
    assert attribute.low is not None
    assert attribute.high is not None
    scale = 10.0 ** (attribute.precision or 0)
    return np.arange(np.rint(attribute.low * scale), np.rint(attribute.high * scale) + 1) / scale


def edges(law: Law, attribute: Attribute, segment: int) -> Floats:
    """The ends of the slices of a continuous domain: even ones, or parts of the pieces a distribution is made of."""
    assert attribute.low is not None
    assert attribute.high is not None
    only = only_law(law)
    if not isinstance(only, CopulaLaw):
        return np.linspace(attribute.low, attribute.high, SLICES + 1)
    knots = np.unique(knots_of(only, segment))
    parts = SLICES // len(knots) + 1
    return np.append(np.linspace(knots[:-1], knots[1:], parts, endpoint=False, axis=1).ravel(), knots[-1])


def only_law(law: Law) -> Law:
    """The law of the one column that is looked at."""
    (only,) = law.laws if isinstance(law, JointLaw) else (law,)
    return only


def knots_of(law: CopulaLaw, segment: int) -> Floats:
    """The pieces of a segment's distribution."""
    box = 0 if law.cells.within == "table" else segment
    cell = int(np.flatnonzero((law.cells.segment == box) & law.cells.known[:, 0])[0])
    return law.knots[0, law.offset[cell] : law.offset[cell + 1]]


def inside(law: Law, attribute: Attribute, segment: int) -> Attribute:
    """The attribute with the interval that noise is to stay in as its domain, or with labels that are new."""
    only = only_law(law)
    if isinstance(only, RecodingLaw):
        return reachable(law, attribute)
    if isinstance(only, CopulaLaw):
        knots = knots_of(only, segment)
        return _between(attribute, float(knots[0]), float(knots[-1]))
    boxed = only.logs if isinstance(only, LogNormalLaw) else only
    if not getattr(boxed, "bounded", True):
        return reachable(law, attribute)
    if isinstance(boxed, NoiseLaw | FactorLaw):
        return _between(attribute, float(boxed.intervals.low[segment]), float(boxed.intervals.high[segment]))
    if isinstance(boxed, JointNormalLaw):
        box = 0 if boxed.cells.within == "table" else segment
        return _between(attribute, float(boxed.group.low[box, 0]), float(boxed.group.high[box, 0]))
    return attribute


def reachable(law: Law, attribute: Attribute) -> Attribute:
    """The attribute with all that a law without bounds gives a chance above 1e-10 as its domain."""
    only = only_law(law)
    if isinstance(only, RecodingLaw) and isinstance(only.recoding, CategoryGroups):
        return replace(attribute, categories=only.recoding.categories)
    boxed = only.logs if isinstance(only, LogNormalLaw) else only
    if getattr(boxed, "bounded", True) or not isinstance(boxed, JointNormalLaw | FactorLaw):
        return attribute
    assert attribute.low is not None
    assert attribute.high is not None
    scale = 10.0 ** (attribute.precision or 0)
    low, high = attribute.low * scale, attribute.high * scale
    if isinstance(boxed, FactorLaw):
        far = 2 * boxed.spread * max(abs(low), abs(high)) + 1
        return _between(attribute, np.floor(low - far), np.ceil(high + far))
    far = float(FARTHEST * np.sqrt((boxed.root**2).sum(axis=2)).max())
    if isinstance(only, LogNormalLaw):
        origin = float(only.origin[0])
        return _between(attribute, np.floor(-origin), np.ceil((high + origin) * np.exp(far) - origin))
    return _between(attribute, np.floor(low - far), np.ceil(high + far))


def _between(attribute: Attribute, low: float, high: float) -> Attribute:
    """The attribute with another domain, given in steps."""
    scale = 10.0 ** (attribute.precision or 0)
    return replace(attribute, low=float(low / scale), high=float(high / scale))


def by_itself(perturber: Perturber, segments: Segments) -> Perturber:
    """What draws single records: of a group method its law alone, in the segments where it needs no other way."""
    if not isinstance(perturber, GroupPerturber) or not perturber.attributes:
        return perturber
    (name,) = perturber.attributes
    assert isinstance(perturber.method, RecordDraws)
    cells = perturber.cells
    able = perturber.method.able(cells) & cells.known[:, 0]
    covered = np.full(segments.count, bool(able.any()))
    if cells.within == "segment":
        covered[:] = False
        covered[cells.segment[able]] = True
    return LawPerturber((name,), JointLaw((perturber.method.stated,)), {name: covered})
