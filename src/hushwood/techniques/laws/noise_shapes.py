"""Shapes of noise by name, all symmetric about 0: their law at scale 1, and how far they reach.

The scale is a standard deviation, or half the range where there is one. "The distribution of the noise can be chosen to
suit a particular application" (thesis 5.2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from hushwood.arrays import Floats

Shape = Literal["normal", "uniform", "laplace", "triangular"]
SHAPES: tuple[str, ...] = get_args(Shape)
_ROOT_2 = 2**0.5


@dataclass(frozen=True, slots=True)
class NoiseShape:
    """Density, distribution function up to 0, and its inverse up to a half; the rest follows by symmetry.

    Beyond its `reach` noise has a probability below 2e-18. If the scale is more than `even_from` intervals, wrapped
    noise is uniform to the last digit. `bounded` if the scale is half the range.
    """

    density: Callable[[Floats], Floats]
    below: Callable[[Floats], Floats]
    below_inverse: Callable[[Floats], Floats]
    reach: float
    bounded: bool
    even_from: float = np.inf

    def between(self, low: Floats, high: Floats) -> Floats:
        """The probability of noise between two numbers, without a difference of two numbers near 1."""
        mirror = low > 0
        low, high = np.where(mirror, -high, low), np.where(mirror, -low, high)
        return np.asarray(self.upto(high) - self.upto(low))

    def upto(self, z: Floats) -> Floats:
        """The distribution function."""
        found = self.below(-np.abs(z))
        return np.asarray(np.where(z > 0, 1.0 - found, found))

    def at(self, u: Floats) -> Floats:
        """Its inverse."""
        found = self.below_inverse(np.minimum(u, 1.0 - u))
        return np.asarray(np.where(u > 0.5, -found, found))


def _normal_below(z: Floats) -> Floats:
    from scipy.special import ndtr

    return np.asarray(ndtr(z))


def _normal_inverse(u: Floats) -> Floats:
    from scipy.special import ndtri

    return np.asarray(ndtri(u))


def _normal_density(z: Floats) -> Floats:
    return np.asarray(np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi))


def _uniform_density(z: Floats) -> Floats:
    # Half open, so that turns around a circle that meet at one point count once there.
    return np.where((z > -1) & (z <= 1), 0.5, 0.0)


NOISE_SHAPES: Mapping[str, NoiseShape] = {
    # Noise of four widths is uniform to 1e-130 when wrapped, to 1e-33 when reflected.
    "normal": NoiseShape(_normal_density, _normal_below, _normal_inverse, 9.0, bounded=False, even_from=4.0),
    "uniform": NoiseShape(
        _uniform_density,
        lambda z: (1 + np.maximum(z, -1.0)) / 2,
        lambda u: 2 * u - 1,
        1.0,
        bounded=True,
    ),
    "laplace": NoiseShape(
        lambda z: np.exp(-_ROOT_2 * np.abs(z)) / _ROOT_2,
        lambda z: np.exp(_ROOT_2 * z) / 2,
        lambda u: np.log(2 * u) / _ROOT_2,
        30.0,
        bounded=False,
    ),
    "triangular": NoiseShape(
        lambda z: np.maximum(1 - np.abs(z), 0.0),
        lambda z: np.maximum(1 + z, 0.0) ** 2 / 2,
        lambda u: np.sqrt(2 * u) - 1,
        1.0,
        bounded=True,
    ),
}
