"""What a miner knows about one released column, and what comes of it: its distribution, or a reason why not.

An estimator makes the one of the other; `registry` says which technique has which. How much privacy the noise gives,
and what a reconstruction loses, are Agrawal and Aggarwal's three numbers (2001).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np

from hushwood.arrays import Floats
from hushwood.reconstruction.distributions import Method, Reconstruction
from hushwood.reconstruction.known_noise import MOST_POINTS, KnownNoise
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Technique
from hushwood.trees.forest import Forest

MISSING = "(missing)"


@dataclass(frozen=True, slots=True)
class KnownColumn:
    """A released table, one of its columns, and the techniques announced for it, with their parameters.

    `forest` holds the rules of the release: the owner's, or those that the miner grew again. `together` are all columns
    of the same step, which some techniques perturb as one. With `spectral`, independent noise is filtered out of them
    together.
    """

    released: Table
    name: str
    techniques: tuple[Technique, ...]
    forest: Forest | None = None
    intervals: int = 20
    method: Method = "em"
    together: tuple[str, ...] = ()
    spectral: bool = False

    def limits(self, low: float, high: float) -> Floats:
        """Intervals from one number to another; on a grid, with equally many values in each as nearly as possible."""
        attribute = self.released.schema[self.name]
        if attribute.precision is None:
            return np.linspace(low, high, self.intervals + 1)
        step = 10.0**attribute.precision
        first, last = np.rint(low * step), np.rint(high * step)
        count = min(self.intervals, int(last - first) + 1)
        return np.asarray((first - 0.5 + np.rint(np.linspace(0.0, last - first + 1, count + 1))) / step)

    @property
    def numbers(self) -> Floats:
        """The released numbers that are there."""
        values = np.asarray(self.released.columns[self.name], np.float64)
        return values[np.isfinite(values)]


@dataclass(frozen=True, slots=True)
class Recovered:
    """The estimated shares of intervals between `limits`, or of the categories in `labels`.

    `noise` is there where a tree can be grown through it; it was added to `values`, or else to the released ones.
    `shrunk` is the factor towards the mean that KIM and TENDICK apply afterwards. `rules_out` is the share of the
    original's uncertainty that a released value takes away.
    """

    way: str
    shares: Floats
    limits: Floats | None = None
    labels: tuple[str, ...] = ()
    errors: Floats | None = None
    noise: KnownNoise | None = None
    values: Floats | None = None
    shrunk: float | None = None
    rules_out: float | None = None


@dataclass(frozen=True, slots=True)
class NotRecovered:
    """Why nothing can be estimated; or, if `exact`, why nothing has to be: the distribution is the original's."""

    reason: str
    exact: bool = False


Estimator = Callable[[KnownColumn], Recovered | NotRecovered]


def way_of(method: Method, found: Reconstruction) -> str:
    """How a distribution was found, in a few words."""
    name = "EM" if method == "em" else "Bayes"
    steps = f"{found.iterations} {'step' if found.iterations == 1 else 'steps'}"
    return f"{name}, {steps}{'' if found.converged else ', not converged'}"


def loss_of(found: Reconstruction, noise: KnownNoise) -> float | None:
    """The privacy loss, if a released value says anything at all."""
    loss = privacy_loss(found, noise)
    return loss if np.isfinite(loss) else None


@runtime_checkable
class SpreadNoise(Protocol):
    """A technique whose noise has `noise` times the column's own variance, truncated to its range if `bounded`."""

    acronym: ClassVar[str]

    @property
    def noise(self) -> float:
        """The variance of the noise as a share of the column's."""

    @property
    def bounded(self) -> bool:
        """Whether released numbers stay in the column's range."""


def spread_noise(known: KnownColumn) -> SpreadNoise | NotRecovered:
    """The one technique of a column whose noise is a share of the column's own spread, if that can be estimated."""
    (technique,) = known.techniques
    if not isinstance(technique, SpreadNoise) or getattr(technique, "within", "table") == "segment":
        return NotRecovered("Its noise is measured by the spread of every segment, which is not announced.")
    values = known.numbers
    if len(values) < 2 or values.min() == values.max():
        return NotRecovered("It has no two different values.")
    return technique


def truncated(technique: SpreadNoise) -> NotRecovered:
    """Why noise that several columns share cannot be undone if it was kept inside their ranges."""
    name = technique.acronym.lower()
    return NotRecovered(
        "Its noise was truncated to the column's range, and then its moments are no longer those of the formula; only "
        f"a release with --set {name}.bounded=false can be undone."
    )


def privacy(found: Reconstruction) -> float:
    """Privacy 2^h(X): the length of the range on which a uniform attribute would be equally uncertain.

    >>> flat = Reconstruction(np.array([0.0, 5.0, 8.0]), np.array([5 / 8, 3 / 8]), np.array([]), True, 100)
    >>> round(privacy(flat), 6)
    8.0
    """
    density = np.where(found.probabilities > 0, found.density, 1.0)
    return float(2.0 ** -(found.probabilities @ np.log2(density)))


def privacy_loss(found: Reconstruction, noise: KnownNoise) -> float:
    """Conditional privacy loss 1 - 2^-I(X;Z): the share of that range that a released value rules out.

    I(X;Z) = h(Z) - h(Z|X), with Z released for an original X of the recovered distribution.
    """
    released, width = noise.released_points(found.edges)
    density = noise.over_intervals(released, found.edges) @ found.probabilities
    entropy = -float((density * np.log2(np.where(density > 0, density, 1.0))).sum() * width)
    shared = entropy - float(found.probabilities @ _given_interval(found.edges, noise))
    return float(1.0 - 2.0 ** -max(shared, 0.0))


def information_loss(found: Reconstruction, original: Floats) -> float:
    """Half the area between the recovered and the original density: 0 if they are equal, 1 if they do not overlap.

    The paper's information loss is the mean of this over repeated releases.

    >>> half = Reconstruction(np.array([0.0, 1.0, 2.0]), np.array([0.75, 0.25]), np.array([]), True, 4)
    >>> information_loss(half, np.array([0.1, 0.2, 1.5, 1.6]))
    0.25
    """
    known = original[np.isfinite(original)]
    counts, _ = np.histogram(known, found.edges)
    outside = 1.0 - counts.sum() / len(known)
    return float((np.abs(found.probabilities - counts / len(known)).sum() + outside) / 2)


def _given_interval(edges: Floats, noise: KnownNoise) -> Floats:
    """Mean entropy of the released value, for original values of each interval."""
    intervals = len(edges) - 1
    each = max(MOST_POINTS // intervals, 1)
    inside = (np.arange(each) + 0.5) / each
    points = edges[:-1, None] + np.diff(edges)[:, None] * inside
    return np.asarray(noise.entropies(points.reshape(-1)).reshape(intervals, each).mean(axis=1))
