"""FRAPP: the gamma-diagonal matrix of Agrawal and Haritsa (2005), with a bound on what a release can teach.

A record of categories stays as it is γ times as likely as it becomes any other record of its domain, and all others
are equally likely. A released record then says at most γ to 1 for one original against another (amplification;
Evfimievski et al. 2003), and a belief of ρ1 cannot grow above ρ2 as long as γ ≤ ρ2(1 - ρ1) / (ρ1(1 - ρ2)). The matrix
is never written out, however large the domain. What a miner wins back is in `reconstruction.gamma_diagonal`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats
from hushwood.errors import InputError
from hushwood.parameters import Above, Between, check_parameters
from hushwood.random_streams import Rows, Streams
from hushwood.segments.segments import Segments
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.forms import Form, MatrixForm, PairForm
from hushwood.techniques.laws.joint import JointLaw, LawPerturber
from hushwood.techniques.laws.promises import ESTIMATED_COUNTS, Promise, redrawn
from hushwood.techniques.protocol import Columns, Law, Target, Technique

BELIEF = Between(0, 1, open_low=True, open_high=True)
LARGEST_DOMAIN = 1e300


@dataclass(frozen=True, slots=True)
class Frapp(Technique):
    """A record's categories stay together or are all drawn at random; `gamma` None is the largest that is safe.

    Safe is a gamma with which a belief of at most `prior` stays below `posterior`; a larger one is refused. With
    `together` off every column moves by itself, by the root of gamma that keeps the amplification of the record.
    """

    gamma: Annotated[float | None, Above(1)] = None
    prior: Annotated[float, BELIEF] = 0.05
    posterior: Annotated[float, BELIEF] = 0.5
    together: bool = True
    acronym: ClassVar[str] = "FRAPP"
    perturbs: ClassVar[Target] = "categorical"
    trust: ClassVar[str] = ESTIMATED_COUNTS
    promise: ClassVar[Promise] = redrawn("inside", "table")
    jointly: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_parameters(self)
        most = most_amplification(self.prior, self.posterior)
        if self.gamma is not None and self.gamma > most * (1 + 1e-9):
            raise InputError(
                f"With gamma {self.gamma:g} a belief of {self.prior:g} can grow to "
                f"{worst_posterior(self.gamma, self.prior):.3g}, above the posterior of {self.posterior:g}; "
                f"give a gamma of at most {math.floor(1000 * most * (1 + 1e-9)) / 1000:g}, or a higher posterior."
            )

    @property
    def amplification(self) -> float:
        """The gamma in force."""
        return most_amplification(self.prior, self.posterior) if self.gamma is None else self.gamma

    def says(self) -> str:
        how = (
            "Kept together with the record's other categories, or all of them drawn at random"
            if self.together
            else "Kept, or drawn at random from its domain, independently of the other columns"
        )
        return f"{how}; a record's own values are at most {self.amplification:.3g} times as likely as any others."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Find the values of every column; missing is one of them where the column has gaps."""
        names = tuple(attributes)
        groups = [names] if self.together else [(name,) for name in names]
        gamma = self.amplification ** (1 / max(len(groups), 1))
        laws = tuple(self._law(original, group, gamma) for group in groups if group)
        return LawPerturber(names, JointLaw(laws))

    def _law(self, original: Table, names: tuple[str, ...], gamma: float) -> GammaDiagonalLaw:
        gaps = tuple(bool((np.asarray(original.columns[name]) < 0).any()) for name in names)
        sizes = tuple(len(original.schema[n].categories) + gap for n, gap in zip(names, gaps, strict=True))
        if math.prod(sizes) > LARGEST_DOMAIN:
            raise InputError(
                f"The {len(names)} columns have more than 10^300 combinations of values, and FRAPP would keep no "
                "record; perturb fewer columns, or set together=false."
            )
        return GammaDiagonalLaw(names, sizes, gaps, gamma, self.acronym)


@dataclass(frozen=True, slots=True)
class GammaDiagonalLaw(Law):
    """All columns of a record stay with probability `kept`, else each is drawn from its whole domain of `sizes` values.

    The last value of a column with `gaps` is missing.
    """

    attributes: tuple[str, ...]
    sizes: tuple[int, ...]
    gaps: tuple[bool, ...]
    gamma: float
    purpose: str

    @property
    def cells(self) -> float:
        """Number of different records: the size of the matrix."""
        return float(math.prod(max(size, 1) for size in self.sizes))

    @property
    def kept(self) -> float:
        """The probability that nothing is drawn: what the diagonal has more than the rest, (γ - 1) / (γ + n - 1)."""
        return (self.gamma - 1) / (self.gamma + self.cells - 1)

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """γ / (γ + n - 1) for the same record, 1 / (γ + n - 1) for any other of the domain."""
        same, inside = np.ones(len(segment_ids), bool), np.ones(len(segment_ids), bool)
        for name, gap in zip(self.attributes, self.gaps, strict=True):
            new = np.asarray(released[name])
            same &= np.asarray(original[name]) == new
            inside &= (new >= 0) | gap
        found = np.where(same, math.log(self.gamma), 0.0) - math.log(self.gamma + self.cells - 1)
        return np.where(inside, found, -np.inf)

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """One number decides for the record, and one for each of its new values."""
        stays = streams.uniform(self.purpose, "|".join(self.attributes), 0, row_ids) < self.kept
        return {
            name: self._column(j, original[name], stays, row_ids, streams)
            for j, name in enumerate(self.attributes)
        }

    def _column(self, j: int, values: Array, stays: Flags, row_ids: Rows, streams: Streams) -> Codes:
        size = max(self.sizes[j], 1)
        u = streams.uniform(self.purpose, self.attributes[j], 1, row_ids)
        drawn = np.minimum((u * size).astype(np.int32), size - 1)
        if self.gaps[j]:
            drawn[drawn == size - 1] = -1
        return np.where(stays, values, drawn).astype(np.int32)

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        if len(self.attributes) == 1:
            (name,) = self.attributes
            width = len(schema[name].categories) + 1
            return {name: MatrixForm(self, name, width, by_segment=False, held=None)}
        return dict.fromkeys(self.attributes, PairForm(self, self.attributes, within="table"))

    def described(self) -> dict[str, Any]:
        return {
            "form": "gamma-diagonal matrix",
            "attributes": list(self.attributes),
            "values": list(self.sizes),
            "gaps": list(self.gaps),
            "gamma": self.gamma,
            "kept": self.kept,
        }


def most_amplification(prior: float, posterior: float) -> float:
    """The largest gamma with which no belief of at most `prior` grows above `posterior`: ρ2(1 - ρ1) / (ρ1(1 - ρ2)).

    >>> round(most_amplification(0.05, 0.5), 9)
    19.0
    """
    for name, belief in (("prior", prior), ("posterior", posterior)):
        if not 0 < belief < 1:
            raise InputError(f"{name} must be above 0 and below 1; {belief:g} was given.")
    if posterior <= prior:
        raise InputError(f"The posterior must be above the prior; {posterior:g} and {prior:g} were given.")
    return posterior * (1 - prior) / (prior * (1 - posterior))


def worst_posterior(gamma: float, prior: float) -> float:
    """What a belief of `prior` can grow to at most: γρ1 / (γρ1 + 1 - ρ1).

    >>> round(worst_posterior(19, 0.05), 9)
    0.5
    """
    return gamma * prior / (gamma * prior + 1 - prior)
