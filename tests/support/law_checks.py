"""Do draws follow a law? The one check that right laws must pass and wrong ones must fail.

All released values a column can have are listed (or cut into bins), the law is asked for the probability of each, and
the draws of many records that began as the same one are compared by chi-square.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.tables.recoding.recodings import CategoryGroups
from hushwood.tables.schema import Attribute
from hushwood.techniques.added_noise import FactorLaw
from hushwood.techniques.approximate_swap import ApproximateSwapLaw
from hushwood.techniques.coarsening import RecodingLaw
from hushwood.techniques.frapp import GammaDiagonalLaw
from hushwood.techniques.laws.copula_law import CopulaLaw
from hushwood.techniques.laws.joint import JointLaw
from hushwood.techniques.laws.joint_normal import JointNormalLaw, LogNormalLaw
from hushwood.techniques.laws.noise import NoiseLaw
from hushwood.techniques.laws.permutation import JointPermutationLaw, PartialPermutationLaw, PermutationLaw
from hushwood.techniques.laws.redraw import Distributions, RedrawLaw
from hushwood.techniques.pram import TwoStageLaw, two_stage_law
from hushwood.techniques.protocol import Law
from hushwood.techniques.suppression import SuppressionLaw
from hushwood.techniques.warner import TogetherLaw
from hushwood.techniques.zhu_liu import MixtureLaw
from support.law_domains import edges, inside, released_values

LEAST_P = 1e-3
BINS = 25
FEWEST_EXPECTED = 8.0

Columns = Mapping[str, Array]


def probabilities(law: Law, attribute: Attribute, record: Columns, segment: int) -> Floats:
    """What the law gives every released value (slice) of one record."""
    values, width = released_values(attribute), np.ones(1)
    if attribute.kind == "numeric" and attribute.precision is None:
        ends = edges(law, attribute, segment)
        values, width = (ends[1:] + ends[:-1]) / 2, np.diff(ends)
    original = {name: np.repeat(column, len(values)) for name, column in record.items()}
    released = {**original, attribute.name: values}
    return width * np.exp(law.log_prob(original, released, np.full(len(values), segment)))


def counts(law: Law, attribute: Attribute, segment: int, drawn: Array) -> Integers:
    """How often every released value (slice) was drawn; a value that is none of them is an error."""
    if attribute.kind == "numeric" and attribute.precision is None:
        ends = edges(law, attribute, segment)
        assert drawn.min() >= ends[0]
        assert drawn.max() <= ends[-1]
        at = np.clip(np.searchsorted(ends, drawn, side="right") - 1, 0, len(ends) - 2)
        return np.bincount(at, minlength=len(ends) - 1)
    values = released_values(attribute)
    at = np.minimum(np.searchsorted(values, drawn), len(values) - 1)
    assert np.array_equal(values[at], drawn), f"{attribute.name} left its grid or domain"
    return np.bincount(at, minlength=len(values))


def agreement(
    law: Law, attribute: Attribute, record: Columns, segment: int, drawn: Array
) -> tuple[float, float]:
    """Total probability of all released values, and the p-value of the draws under the law (0 for the impossible)."""
    attribute = inside(law, attribute, segment)
    expected = probabilities(law, attribute, record, segment)
    observed = counts(law, attribute, segment, drawn)
    total = float(expected.sum())
    continuous = attribute.kind == "numeric" and attribute.precision is None
    if not continuous and bool((observed[expected <= 0] > 0).any()):
        return total, 0.0
    if len(expected) > 2 * BINS:
        bin_of = np.arange(len(expected)) * BINS // len(expected)
        expected = np.bincount(bin_of, expected).astype(np.float64)
        observed = np.bincount(bin_of, observed).astype(np.int64)
    return total, _chi_square(observed, expected * len(drawn))


def _chi_square(observed: Array, expected: Floats) -> float:
    """P-value, with rare cells put together; a law of one value only has nothing to test."""
    from scipy.stats import chi2

    rare = expected < FEWEST_EXPECTED
    observed_cells = np.append(observed[~rare], observed[rare].sum()).astype(float)
    expected_cells = np.append(expected[~rare], expected[rare].sum())
    used = expected_cells >= FEWEST_EXPECTED
    statistic = float((((observed_cells - expected_cells) ** 2)[used] / expected_cells[used]).sum())
    return float(chi2.sf(statistic, max(int(used.sum()) - 1, 1)))


def follows(law: Law, attribute: Attribute, record: Columns, segment: int, drawn: Array) -> bool:
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
    if isinstance(law, MixtureLaw):
        return {
            "another spread": replace(law, scale=1.05 * law.scale),
            "other components": replace(law, components=law.components + 1),
        }
    if isinstance(law, NoiseLaw):
        # Uniform noise that reaches over the whole interval is uniform there when truncated, however far it reaches.
        far = bool((law.scale >= 0.9 * law.intervals.width).all()) and law.boundary == "truncate"
        wrong: dict[str, Law] = {"another spread": replace(law, scale=(0.5 if far else 1.05) * law.scale)}
        if law.of == "value":
            wrong["a spread of the range"] = replace(law, of="range", scale=law.scale * law.intervals.width)
        return wrong
    if isinstance(law, RedrawLaw):
        wrong = {}
        if not _two_values(law):
            wrong["shifted distribution"] = replace(law, distributions=tilted(law.distributions))
        if not np.isnan(law.change).all():
            wrong["change probability + 10 %"] = replace(law, change=1.1 * law.change)
        return wrong
    if isinstance(law, TwoStageLaw):
        return _wrong_stages(law)
    if isinstance(law, TogetherLaw):
        return {"truth + 2 %": replace(law, truth=1.02 * law.truth)}
    if isinstance(law, GammaDiagonalLaw):
        return {"gamma + 10 %": replace(law, gamma=1.1 * law.gamma)}
    if isinstance(law, RecodingLaw):
        assert isinstance(law.recoding, CategoryGroups)
        return {"nothing recoded": replace(law, recoding=_unchanged(law.recoding))}
    if isinstance(law, SuppressionLaw):
        return {"nothing left out": replace(law, conditions=())}
    if isinstance(law, JointNormalLaw):
        return {"another spread": replace(law, root=1.05 * law.root)}
    if isinstance(law, LogNormalLaw):
        return {
            "another spread": replace(law, logs=replace(law.logs, root=1.05 * law.logs.root)),
            "no drift": replace(law, logs=replace(law.logs, shift=0 * law.logs.shift)),
        }
    if isinstance(law, FactorLaw):
        return {"another spread": replace(law, spread=1.05 * law.spread)}
    if isinstance(law, CopulaLaw):
        return {"shifted distribution": _bent(law)}
    if isinstance(law, PartialPermutationLaw):
        wrongs = wrong_laws(law.marginal).items()
        return {n: replace(law, marginal=wrong) for n, wrong in wrongs if isinstance(wrong, RedrawLaw)}
    if isinstance(law, JointPermutationLaw):
        return {"shifted shares": replace(law, share=law.share * (1 + 0.2 * (np.arange(len(law.share)) % 2)))}
    if isinstance(law, ApproximateSwapLaw):
        taken = np.arange(len(law.codes))[:, None] % 7 == 0
        moved = np.where(taken, np.roll(law.codes, 1, axis=0), law.codes)
        return {"every seventh record is the one before": replace(law, codes=moved)}
    assert isinstance(law, PermutationLaw)
    return {"shifted distribution": replace(law, distributions=tilted(law.distributions))}


def leaves_nothing_open(law: Law) -> bool:
    """Whether every record's value is redrawn from one value only: no law is a little wrong then."""
    if isinstance(law, JointLaw):
        return all(leaves_nothing_open(one) for one in law.laws)
    if not isinstance(law, RedrawLaw) or not np.isnan(law.change).all():
        return False
    groups = law.distributions.keys // law.distributions.width
    return len(np.unique(groups)) == len(groups)


def _unchanged(recoding: CategoryGroups) -> CategoryGroups:
    """The same, but every category stays what it is."""
    return replace(recoding, code_of=np.append(np.arange(len(recoding.code_of) - 1), -1).astype(np.int32))


def _bent(law: CopulaLaw) -> CopulaLaw:
    """Every distribution between the same ends, with its values a little lower."""
    sizes = np.diff(law.offset)
    low, high = (
        np.repeat(law.knots[:, ends], sizes, axis=1) for ends in (law.offset[:-1], law.offset[1:] - 1)
    )
    width = np.where(high > low, high - low, 1.0)
    return replace(law, knots=low + width * ((law.knots - low) / width) ** 1.1)


def _two_values(law: RedrawLaw) -> bool:
    """Whether a change can only be to the other of two values, however likely that is among all."""
    sizes = np.bincount(law.distributions.keys // law.distributions.width)
    return not np.isnan(law.change).any() and int(sizes.max()) <= 2


def _wrong_stages(law: TwoStageLaw) -> dict[str, Law]:
    change, shares = float(law.forth.change.max()), law.shares

    def made(probability: float, shares: Distributions, blend: float) -> Law:
        towards = law.forth.distributions
        return two_stage_law(
            law.attribute, shares, towards, probability, blend, law.group_of, law.forth.purpose
        )

    return {
        "change probability + 10 %": made(1.1 * change, shares, law.blend),
        "shifted shares": made(change, tilted(shares), law.blend),
        "blend - 10 %": made(change, shares, 0.9 * law.blend),
    }


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
        only.of,
    )
    return JointLaw(((_OneTurn if turns else _NoTurn)(*fields),))


def tilted(right: Distributions) -> Distributions:
    """The same values with 20 % more weight for every second one."""
    groups, codes = right.keys // right.width, right.keys % right.width
    return Distributions.from_weights(groups, codes, right.probability * (1 + 0.2 * (codes % 2)), right.width)
