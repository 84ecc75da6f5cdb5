"""TRAUB: independent noise, as large as the error of averages allows (Traub, Yemini and Wozniakowski 1984).

Y = X + e with mean 0 and variance d·s² (thesis 3.2.1). By Chebyshev's inequality the mean of n released numbers is
farther than t·s from that of the original ones with a chance of at most d / (n·t²), so d = n·t²·risk is the most noise,
and the most security, that such averages allow (errata B7). SADP is the same with a d of your own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from hushwood.parameters import Above, AtLeast, Between
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint import LawPerturber
from hushwood.techniques.laws.promises import Promise, inside_if
from hushwood.techniques.protocol import Target, Technique
from hushwood.techniques.together.separate_noise import Separate


@dataclass(frozen=True, slots=True)
class Traub(Technique):
    """The mean over `records` or more is off by more than `error` standard deviations with a chance of at most `risk`.

    That holds for numbers that may leave the domain, as in the paper. `bounded` noise is truncated to the domain, which
    moves the means of skewed columns.
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
        noise = Separate(self.noise, "table", self.bounded, self.acronym)
        return noise.by_column(original, attributes, segments)
