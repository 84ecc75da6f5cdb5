"""Do draws follow a law? The one check that right laws must pass and wrong ones must fail.

All released values a column can have are listed (or cut into bins), the law is asked for the probability of each, and
the draws of many records that began as the same one are compared by chi-square.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.schema import Attribute
from hushwood.techniques.joint import JointLaw
from hushwood.techniques.noise import NoiseLaw
from hushwood.techniques.permutation import PermutationLaw
from hushwood.techniques.protocol import Law
from hushwood.techniques.redraw import Distributions, RedrawLaw

LEAST_P = 1e-3
BINS = 25
POINTS = 400  # of a bin, where the density is added up
FEWEST_EXPECTED = 8.0

Floats = NDArray[np.float64]
Columns = Mapping[str, NDArray[Any]]


def released_values(attribute: Attribute) -> NDArray[Any]:
    """All values of a category or grid; the middles of fine slices of a continuous domain."""
    if attribute.kind == "categorical":
        return np.arange(-1, len(attribute.categories), dtype=np.int32)
    assert attribute.low is not None
    assert attribute.high is not None
    if attribute.precision is None:
        slices = BINS * POINTS
        return attribute.low + (attribute.high - attribute.low) * (np.arange(slices) + 0.5) / slices
    scale = 10.0**attribute.precision
    return np.arange(np.rint(attribute.low * scale), np.rint(attribute.high * scale) + 1) / scale


def probabilities(law: Law, attribute: Attribute, record: Columns, segment: int) -> Floats:
    """What the law gives every released value (slice) of one record."""
    values = released_values(attribute)
    original = {name: np.repeat(column, len(values)) for name, column in record.items()}
    released = {**original, attribute.name: values}
    chance = np.exp(law.log_prob(original, released, np.full(len(values), segment)))
    if attribute.kind == "numeric" and attribute.precision is None:
        assert attribute.low is not None
        assert attribute.high is not None
        chance = chance * (attribute.high - attribute.low) / len(values)
    return chance


def counts(attribute: Attribute, drawn: NDArray[Any]) -> NDArray[np.int64]:
    """How often every released value (slice) was drawn; a value that is none of them is an error."""
    values = released_values(attribute)
    if attribute.kind == "numeric" and attribute.precision is None:
        assert attribute.low is not None
        assert attribute.high is not None
        assert drawn.min() >= attribute.low
        assert drawn.max() <= attribute.high
        at = np.floor((drawn - attribute.low) / (attribute.high - attribute.low) * len(values)).astype(
            np.int64
        )
        return np.bincount(np.minimum(at, len(values) - 1), minlength=len(values))
    at = np.minimum(np.searchsorted(values, drawn), len(values) - 1)
    assert np.array_equal(values[at], drawn), f"{attribute.name} left its grid or domain"
    return np.bincount(at, minlength=len(values))


def agreement(
    law: Law, attribute: Attribute, record: Columns, segment: int, drawn: NDArray[Any]
) -> tuple[float, float]:
    """Total probability of all released values, and the p-value of the draws under the law (0 for the impossible)."""
    attribute = _inside(law, attribute, segment)
    expected = probabilities(law, attribute, record, segment)
    observed = counts(attribute, drawn)
    total = float(expected.sum())
    continuous = attribute.kind == "numeric" and attribute.precision is None
    if not continuous and bool((observed[expected <= 0] > 0).any()):
        return total, 0.0
    if len(expected) > 2 * BINS:
        bin_of = np.arange(len(expected)) * BINS // len(expected)
        expected = np.bincount(bin_of, expected).astype(np.float64)
        observed = np.bincount(bin_of, observed).astype(np.int64)
    return total, _chi_square(observed, expected * len(drawn))


def _inside(law: Law, attribute: Attribute, segment: int) -> Attribute:
    """The attribute with the interval that noise is to stay in as its domain."""
    (only,) = law.laws if isinstance(law, JointLaw) else (law,)
    if not isinstance(only, NoiseLaw):
        return attribute
    scale = 10.0 ** (attribute.precision or 0)
    low, high = only.intervals.low[segment] / scale, only.intervals.high[segment] / scale
    return replace(attribute, low=float(low), high=float(high))


def _chi_square(observed: NDArray[Any], expected: Floats) -> float:
    """P-value, with rare cells put together; a law of one value only has nothing to test."""
    from scipy.stats import chi2

    rare = expected < FEWEST_EXPECTED
    observed_cells = np.append(observed[~rare], observed[rare].sum()).astype(float)
    expected_cells = np.append(expected[~rare], expected[rare].sum())
    used = expected_cells >= FEWEST_EXPECTED
    statistic = float((((observed_cells - expected_cells) ** 2)[used] / expected_cells[used]).sum())
    return float(chi2.sf(statistic, max(int(used.sum()) - 1, 1)))


def follows(law: Law, attribute: Attribute, record: Columns, segment: int, drawn: NDArray[Any]) -> bool:
    """The verdict: probabilities sum to 1, and the draws agree at the level of 1e-3."""
    total, p_value = agreement(law, attribute, record, segment, drawn)
    return abs(total - 1) < 2e-3 and p_value > LEAST_P


class _OneTurn(NoiseLaw):
    """Noise that is brought back at most once from either side."""

    __slots__ = ()

    @property
    def _turns(self) -> int:
        return 1


class _NoTurn(NoiseLaw):
    """Noise that is believed to stay inside by itself."""

    __slots__ = ()

    @property
    def _turns(self) -> int:
        return 0


def wrong_laws(law: Law) -> dict[str, Law]:
    """Laws that are a little wrong; a check that passes one of them is no check."""
    if isinstance(law, JointLaw):
        (only,) = law.laws
        return {name: JointLaw((wrong,)) for name, wrong in wrong_laws(only).items()}
    if isinstance(law, NoiseLaw):
        # Uniform noise that reaches over the whole interval is uniform there when truncated, however far it reaches.
        far = bool((law.scale >= 0.9 * law.intervals.width).all()) and law.boundary == "truncate"
        return {"another spread": replace(law, scale=(0.5 if far else 1.05) * law.scale)}
    if isinstance(law, RedrawLaw):
        wrong: dict[str, Law] = {
            "shifted distribution": replace(law, distributions=_tilted(law.distributions))
        }
        if not np.isnan(law.change).all():
            wrong["change probability + 10 %"] = replace(law, change=1.1 * law.change)
        return wrong
    assert isinstance(law, PermutationLaw)
    return {"shifted distribution": replace(law, distributions=_tilted(law.distributions))}


def without_turns(law: Law, turns: int) -> JointLaw:
    """The same noise law without the wraps (or reflections) beyond so many."""
    assert isinstance(law, JointLaw)
    (only,) = law.laws
    assert isinstance(only, NoiseLaw)
    fields = (
        only.attribute,
        only.intervals,
        only.scale,
        only.boundary,
        only.distribution,
        only.purpose,
        only.covered,
    )
    return JointLaw(((_OneTurn if turns else _NoTurn)(*fields),))


def _tilted(right: Distributions) -> Distributions:
    """The same values with 20 % more weight for every second one."""
    groups, codes = right.keys // right.width, right.keys % right.width
    return Distributions.from_weights(groups, codes, right.probability * (1 + 0.2 * (codes % 2)), right.width)
