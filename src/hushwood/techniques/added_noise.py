"""SADP, KIM, TENDICK, TRAUB, LOGNOISE and KIMWINKLER: noise in proportion to the spread of the numbers.

Noise on a share of the domain's size is in `domain_noise`; correlated noise itself in `together.correlated_noise`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Floats
from hushwood.parameters import Above, AtLeast, Between
from hushwood.random_streams import Rows, Streams
from hushwood.segments.segments import Segments, domain_intervals
from hushwood.tables.domains import Intervals, from_steps, to_steps
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.forms import Form, PairForm
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.joint_normal import JointNormalLaw, LogNormalLaw, logarithms
from hushwood.techniques.laws.noise import NoiseLaw
from hushwood.techniques.laws.promises import MOMENTS, WEAKER_LINKS, Promise, inside_if
from hushwood.techniques.protocol import Columns, Law, Target, Technique, Within
from hushwood.techniques.together.cells import NumberGroup
from hushwood.techniques.together.copula import log_between
from hushwood.techniques.together.correlated_noise import (
    Scale,
    added_noise,
    kims_factor,
    noisy_group,
    shrinking,
)
from hushwood.techniques.together.group_perturber import GroupPerturber, RecordDraws
from hushwood.techniques.together.learnt_groups import LearntGroup

REACH = 2.0  # standard deviations: how far a factor may lie from 1
LARGEST_NOISE = 1 / REACH**2  # beyond it a factor could be negative
Variance = Between(0, LARGEST_NOISE, open_low=True, meaning="the variance of a factor that keeps the sign")


@dataclass(frozen=True, slots=True)
class NoiseTechnique(Technique):
    """The header: `noise` times the variance (or covariance) of the table or the segment.

    Numbers that are not `bounded` may leave the domain, as in the papers; otherwise the noise is truncated.
    """

    noise: Annotated[float, Above(0)] = 0.5
    within: Within = "table"
    bounded: bool = True
    perturbs: ClassVar[Target] = "numeric"

    @property
    def keeps_segment(self) -> bool:
        """Within segments the noise is truncated to the segment's box."""
        return self.within == "segment" and self.bounded

    @property
    def promise(self) -> Promise:
        """Bounded numbers stay in the domain."""
        return inside_if(self.bounded)

    @property
    def said_where(self) -> str:
        """Whose spread the noise is measured by."""
        return "its segment" if self.within == "segment" else "the whole table"

    @property
    def said_bounds(self) -> str:
        """The end of a sentence: whether numbers stay in their range."""
        return "staying in the allowed range" if self.bounded else "possibly leaving the column's range"


@dataclass(frozen=True, slots=True)
class Sadp(NoiseTechnique):
    """SADP: independent normal noise on every column, with a share of its variance (simple additive data perturbation).

    Y = X + e, e_j ~ N(0, d·s_j²) with `noise` d: correlations shrink by 1 / (1 + d) (docs/techniques.md). KIM and
    TENDICK keep them, TRAUB chooses d by the error that averages may have.
    """

    acronym: ClassVar[str] = "SADP"
    trust: ClassVar[str] = WEAKER_LINKS

    def says(self) -> str:
        return (
            f"Normal noise with {self.noise:.0%} of the column's variance in {self.said_where} is added, "
            f"{self.said_bounds}."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Learn the variances of every column."""
        return _separate(self, self.within, original, attributes, segments)


@dataclass(frozen=True, slots=True)
class Traub(Technique):
    """TRAUB: independent noise, as large as the error of averages allows (Traub, Yemini and Wozniakowski 1984).

    Y = X + e with mean 0 and variance d·s² (thesis 3.2.1). By Chebyshev's inequality the mean of n released numbers is
    farther than t·s from that of the original ones with a chance of at most d / (n·t²), so d = n·t²·risk is the most
    noise, and the most security, that such averages allow (errata B7): the mean over `records` (n) or more is off by
    more than `error` (t) standard deviations with a chance of at most `risk`. That holds for numbers that may leave the
    domain, as in the paper. `bounded` noise is truncated to the domain, which moves the means of skewed columns.
    """

    records: Annotated[int, AtLeast(1)] = 500
    error: Annotated[float, Above(0)] = 0.1
    risk: Annotated[float, Between(0, 1, open_low=True)] = 0.1
    bounded: bool = False
    acronym: ClassVar[str] = "TRAUB"
    perturbs: ClassVar[Target] = "numeric"
    trust: ClassVar[str] = (
        "Do not rely on single values. Averages over many records are close; variances are too large and correlations "
        "with other numbers weaker, as docs/techniques.md explains."
    )

    @property
    def noise(self) -> float:
        """The variance of the noise, as a share of the column's (d)."""
        return self.records * self.error**2 * self.risk

    @property
    def promise(self) -> Promise:
        """Bounded numbers stay in the domain."""
        return inside_if(self.bounded)

    def says(self) -> str:
        where = "staying in the allowed range" if self.bounded else "possibly leaving the column's range"
        return (
            f"Normal noise with {self.noise:.0%} of the column's variance is added, {where}: the most with which the "
            f"mean over {self.records} records is off by more than {self.error:g} standard deviations with a chance of "
            f"at most {self.risk:g}."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Learn the variances of every column."""
        return _separate(self, "table", original, attributes, segments)


def _separate(
    technique: Sadp | Traub, within: Within, original: Table, attributes: Sequence[str], segments: Segments
) -> LawPerturber:
    """Noise on every column by itself, with a share of its variance in the table or the segment."""

    def law(name: str) -> Law:
        learnt = LearntGroup.of(original, [name], segments, within)
        conditional = added_noise(technique.noise, learnt.numbers, learnt.cells.known)
        free = learnt.normal_law(conditional, technique.acronym, bounded=False)
        return _truncated(free, within, original, segments) if technique.bounded else free

    return by_column((name for name in attributes if name in segments.intervals), law)


def _truncated(free: JointNormalLaw, within: Within, original: Table, segments: Segments) -> NoiseLaw:
    """The same noise, truncated."""
    (name,) = free.attributes
    known = free.cells.known[:, 0]
    scale = np.zeros(segments.count)
    if within == "segment":
        scale[free.cells.segment[known]] = free.root[known, 0, 0]
        intervals = segments.intervals[name]
    else:
        scale[:] = free.root[known, 0, 0].max(initial=0.0)
        intervals = domain_intervals(original.schema[name], segments.count)
    intervals = intervals.fitted_to(original.columns[name])
    return NoiseLaw(name, intervals, scale, "truncate", "normal", free.purpose)


@dataclass(frozen=True, slots=True)
class ShrunkNoise(NoiseTechnique):
    """The header of KIM and TENDICK: correlated noise, and a factor that takes the added variance back."""

    trust: ClassVar[str] = MOMENTS
    jointly: ClassVar[bool] = True

    def factor(self, learnt: LearntGroup) -> Floats:
        """The number c by which deviations from the mean are multiplied, for every cell or for all."""
        raise NotImplementedError

    def says(self) -> str:
        where = "segment" if self.within == "segment" else "whole table"
        return (
            f"Noise with {self.noise:.0%} of the numbers' own variances and covariances is added and the sum drawn "
            f"back towards the mean, so that the means and covariances of the {where} stay the same on average, "
            f"{self.said_bounds}."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupPerturber:
        """Learn the moments of every cell."""
        learnt = LearntGroup.of(original, attributes, segments, self.within)
        return noisy_group(learnt, self.noise, self.factor(learnt), self.acronym, self.bounded)


@dataclass(frozen=True, slots=True)
class Kim(ShrunkNoise):
    """KIM: correlated noise, then one linear map that removes the added variance (Kim 1986).

    Y = X + e with e ~ N(0, d·Σ) and `noise` d, released Z = c·Y + (1 - c)·mean with one number c for all columns.
    `scale` says which: "finite", √((n - 1) / (n - 1 + n·d)) of the n records that are perturbed together, or
    "asymptotic", 1 / √(1 + d).
    """

    scale: Scale = "finite"
    acronym: ClassVar[str] = "KIM"

    def factor(self, learnt: LearntGroup) -> Floats:
        return kims_factor(self.noise, self.scale, learnt)


@dataclass(frozen=True, slots=True)
class TendickMatloff(ShrunkNoise):
    """TENDICK: correlated noise that keeps means and covariances of a large table (Tendick and Matloff 1994).

    X' = mean + (X + e - mean) / √(1 + d) with e ~ N(0, d·Σ) and `noise` d. KIM has the same form; its factor may also
    be the one for the number of records at hand, which is a little smaller.
    """

    acronym: ClassVar[str] = "TENDICK"

    def factor(self, learnt: LearntGroup) -> Floats:
        return shrinking(self.noise)


@dataclass(frozen=True, slots=True)
class LogNoise(NoiseTechnique):
    """LOGNOISE: correlated normal noise on logarithms (Kim and Winkler 2003, their second method).

    z = ln(x + a), y = exp(z + e - c·s_z²/2) - a with e ~ N(0, c·Σ_z) and `noise` c: E y = x. Logarithms need numbers
    above 0: to a column with others a number a is added before (and subtracted after) that brings its smallest value to
    one standard deviation above 0.
    """

    noise: Annotated[float, Above(0)] = 0.1
    acronym: ClassVar[str] = "LOGNOISE"
    trust: ClassVar[str] = MOMENTS
    jointly: ClassVar[bool] = True

    def says(self) -> str:
        return (
            f"Noise with {self.noise:.0%} of the variances and covariances of the logarithms in {self.said_where} is "
            f"added to the number's logarithm, {self.said_bounds}."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupPerturber:
        """Learn the moments of the logarithms of every cell."""
        learnt = LearntGroup.of(original, attributes, segments, self.within)
        origin = origins(learnt.numbers)
        logs = logarithms(learnt.numbers, origin)
        conditional = added_noise(self.noise, logs, learnt.cells.known)
        law = learnt.normal_law(conditional, self.acronym, self.bounded, logs)
        drift = (law.root**2).sum(axis=2) / 2
        stated = LogNormalLaw(replace(law, shift=law.shift - drift), origin)
        return learnt.perturber(RecordDraws(stated, None), self.acronym, None, bounded=self.bounded)


def origins(numbers: Floats) -> Floats:
    """What is added to every column before its logarithm is taken: 0 if all its numbers are above 0.

    >>> origins(np.array([[1.0, -1.0], [3.0, 3.0]])).tolist()
    [0.0, 3.0]
    """
    found = np.zeros(numbers.shape[1])
    for j, column in enumerate(numbers.T):
        known = column[~np.isnan(column)]
        if len(known) and float(known.min()) <= 0:
            found[j] = (float(known.std()) if np.ptp(known) > 0 else 1.0) - float(known.min())
    return found


@dataclass(frozen=True, slots=True)
class KimWinkler(NoiseTechnique):
    """KIMWINKLER: every number times a random factor around 1 (Kim and Winkler 2003, their first method).

    Y = X · r, r ~ N(1, s²) cut at 1 ± 2s: E Y = E X. `noise` is s², before the cut. The factor does not depend on other
    records; `within` says whether the released number stays in its segment's box or in the column's domain, if it is
    `bounded` at all. A zero stays zero, and whole numbers near zero hardly change.
    """

    noise: Annotated[float, Variance] = 0.1
    acronym: ClassVar[str] = "KIMWINKLER"
    trust: ClassVar[str] = WEAKER_LINKS

    def says(self) -> str:
        far = REACH * float(np.sqrt(self.noise))
        return (
            f"Multiplied by a random factor between {1 - far:.2g} and {1 + far:.2g}, {self.said_bounds}; a zero stays "
            "zero."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """The boxes are all that is needed."""
        spread = float(np.sqrt(self.noise))

        def law(name: str) -> FactorLaw:
            box = (
                segments.intervals[name]
                if self.keeps_segment
                else domain_intervals(original.schema[name], segments.count)
            )
            return FactorLaw(name, box.fitted_to(original.columns[name]), spread, self.acronym, self.bounded)

        return by_column((name for name in attributes if name in segments.intervals), law)


@dataclass(frozen=True, slots=True)
class FactorLaw(Law):
    """One attribute: y = x · r, r ~ N(1, spread²) inside 1 ± 2 · spread, rounded to the grid.

    If it is `bounded`, r also keeps y inside the interval of the record's segment. A value that is the only one of
    its interval never changes.
    """

    attribute: str
    intervals: Intervals
    spread: float
    purpose: str
    bounded: bool = True

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """Log probability of every grid point, of a unit as in `noise`; 0 where a missing value stayed missing."""
        x, y = (self._numbers(columns) for columns in (original, released))
        low, high = self._ends(x, segment_ids)
        step = self.intervals.step[segment_ids]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            scale = self.spread * np.abs(x)
            inside = log_between(low / scale, high / scale)
            first, last = np.maximum(y - x - step / 2, low), np.minimum(y - x + step / 2, high)
            chance = np.where(first < last, log_between(first / scale, last / scale), -np.inf)
            found = np.where(low < high, chance - inside - np.log(step), np.where(x == y, 0.0, -np.inf))
        gone = np.isnan(x) & np.isnan(y)
        return np.where(np.isnan(x) | np.isnan(y), np.where(gone, 0.0, -np.inf), found)

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        from scipy.special import ndtr, ndtri

        u = streams.uniform(self.purpose, self.attribute, 0, row_ids)
        x = self._numbers(original)
        low, high = self._ends(x, segment_ids)
        moves = low < high
        scale = np.where(moves, self.spread * np.abs(x), 1.0)
        first, last = ndtr(low / scale), ndtr(high / scale)
        drawn = x + np.clip(scale * ndtri(first + u * (last - first)), low, high)
        released = np.asarray(original[self.attribute], float).copy()
        released[moves] = self._rounded(drawn[moves], segment_ids[moves])
        return {self.attribute: released}

    def _numbers(self, columns: Columns) -> Floats:
        return to_steps(np.asarray(columns[self.attribute], float), self.intervals.precision)

    def _ends(self, x: Floats, segment_ids: Array) -> tuple[Floats, Floats]:
        """How far a number can move before it is rounded; not at all if it is 0 or its interval's only value."""
        box = self.intervals
        far = np.where((box.low < box.high)[segment_ids], REACH * self.spread * np.abs(x), 0.0)
        if not self.bounded:
            return -far, far
        half = box.step[segment_ids] / 2
        # A number at the very end of its box may lie beyond the half step of the last grid point.
        low, high = box.first[segment_ids] - x - half, box.last[segment_ids] - x + half
        return np.maximum(-far, np.minimum(low, 0.0)), np.minimum(far, np.maximum(high, 0.0))

    def _rounded(self, drawn: Floats, segment_ids: Array) -> Floats:
        """Numbers on their grid, still inside."""
        box = self.intervals
        step = box.step[segment_ids]
        rounded = np.rint(drawn / step) * step
        if self.bounded:
            rounded = np.clip(rounded, box.first[segment_ids], box.last[segment_ids])
        elif box.single:  # beyond the domain singles are coarser than its grid
            rounded = rounded.astype(np.float32).astype(np.float64)
        return from_steps(rounded, box.precision)

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        """Asked about in pairs; segments with the same box have the same law."""
        ends = np.stack([self.intervals.low, self.intervals.high])
        _, first, same = np.unique(ends, axis=1, return_index=True, return_inverse=True)
        group = NumberGroup((self.attribute,), (self.intervals,))
        return {self.attribute: PairForm(self, group.names, group=group, alike=first[same.reshape(-1)])}

    def described(self) -> dict[str, Any]:
        box = {"low": self.intervals.low.tolist(), "high": self.intervals.high.tolist()}
        return {
            "form": "truncated normal factor",
            "attribute": self.attribute,
            "precision": self.intervals.precision,
            "step": self.intervals.step.tolist(),
            "spread": self.spread,
            "reach": REACH * self.spread,
            **(box if self.bounded else {}),
        }
