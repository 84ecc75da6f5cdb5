"""What techniques that draw numbers together learn of a table: columns, cells, boxes, and laws from their moments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.parameters import AtLeast, Between
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.blurring.blur import Blur
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.laws.noise import NoiseParameters
from hushwood.techniques.laws.promises import INSIDE, Promise
from hushwood.techniques.protocol import Target, Technique, Within
from hushwood.techniques.together.cells import Cells, NumberGroup, inverses, without_rounding
from hushwood.techniques.together.group_perturber import GroupPerturber, Method
from hushwood.techniques.together.group_rows import Given, given_columns

Conditional = Callable[[Floats, int], tuple[Floats, Floats]]
Rho = Annotated[
    float, Between(0, 1, open_high=True, meaning="the share of a number's own deviation that stays")
]


@dataclass(frozen=True, slots=True)
class LearntGroup:
    """The columns of a group in a table, the cell of every record, and its numbers in steps (NaN where missing)."""

    original: Table
    group: NumberGroup
    given: Given
    cells: Cells
    cell: Integers
    numbers: Floats

    @classmethod
    def of(
        cls,
        original: Table,
        attributes: Sequence[str],
        segments: Segments,
        within: Within,
        given: Sequence[str] | None = (),
        by_ranks: bool = False,
    ) -> LearntGroup:
        """Find the cells of the named columns, without those conditioned on, whose numbers may count `by_ranks`."""
        fixed = given_columns(original, given, within)
        fixed = fixed.by_ranks(original) if by_ranks and fixed.numeric else fixed
        names = [name for name in attributes if name not in fixed.numeric]
        group = NumberGroup.of(original, names, segments, within)
        numbers = group.numbers(original.columns)
        cells = Cells.of_table(segments.ids, numbers, within)
        return cls(original, group, fixed, cells, cells.of(segments.ids, numbers), numbers)

    def normal_law(
        self,
        conditional: Conditional,
        purpose: str,
        bounded: bool = True,
        numbers: Floats | None = None,
    ) -> JointNormalLaw:
        """The joint normal law around mean + slope · (record - mean), of every cell.

        `conditional` turns the covariances [cell, ...] of numbers and design into a slope and a remaining covariance;
        `numbers` are the group's own unless given on another scale.
        """
        from hushwood.techniques.kernels.numbers import cell_moments, column_spreads, triangular_roots

        numbers = self.numbers if numbers is None else numbers
        k = len(self.group.names)
        unit = np.append(column_spreads(numbers), np.ones(self.given.columns))
        design = self.given.design(self.original.columns)
        record = numbers / unit[:k]
        record[np.isnan(record)] = 0.0
        if design.shape[1]:
            record = np.concatenate([record, design], axis=1)
        mean, covariance = cell_moments(record, self.cell, self.cells.count)
        slope, rest = conditional(covariance, k)
        varies = np.diagonal(covariance, axis1=1, axis2=2)[:, :k] > 0
        # A column of equal numbers without noise of its own stays as it is, to the last bit.
        still = ~varies & (np.diagonal(rest, axis1=1, axis2=2) <= 0)
        slope = np.where(still[:, :, None], np.eye(k, slope.shape[2]), slope)
        shift = mean[:, :k] - np.einsum("cij,cj->ci", slope, mean)
        return JointNormalLaw(
            self.group,
            self.given,
            self.cells,
            shift * unit[:k],
            slope * unit[:k, None] / unit,
            triangular_roots(np.ascontiguousarray(rest)) * unit[:k, None],
            purpose,
            bounded,
            independent=not (slope[:, :, :k] * varies[:, None, :]).any(),
        )

    def perturber(
        self,
        method: Method,
        purpose: str,
        alone: NoiseParameters | None,
        *,
        bounded: bool = True,
        blur: int = 0,
    ) -> GroupPerturber:
        """The method for this group, with the width of the blur of numbers that are handed out."""
        blurs = Blur.of(self.original, self.group.names, self.group.intervals, blur, purpose)
        return GroupPerturber(self.group, self.given, self.cells, method, purpose, alone, bounded, blurs)


def loosened(law: JointNormalLaw) -> JointNormalLaw:
    """The law of draws that are rounded after all columns were drawn, not column by column.

    A column that others determine is determined up to their rounding, which has a variance of a twelfth of a step.
    """
    from hushwood.techniques.kernels.numbers import triangular_roots

    if not law.attributes:
        return law
    covariance = law.root @ law.root.transpose(0, 2, 1)
    variance = np.diagonal(covariance, axis1=1, axis2=2)
    step = law.group.step[law.cells.segment]
    more = np.where(variance > 0, step**2 / 12 + 1e-6 * variance, 0.0)
    loose = covariance + more[:, :, None] * np.eye(len(law.attributes))
    return replace(law, root=triangular_roots(np.ascontiguousarray(loose)))


def regenerated(rho: float) -> Conditional:
    """Numbers with the covariances they had: fitted(s) + rho · residual(x), and a random rest."""

    def conditional(covariance: Floats, k: int) -> tuple[Floats, Floats]:
        xx, xs, ss = covariance[:, :k, :k], covariance[:, :k, k:], covariance[:, k:, k:]
        fitted = xs @ inverses(ss)
        unexplained = without_rounding(xx - fitted @ xs.transpose(0, 2, 1), xx)
        own = np.broadcast_to(rho * np.eye(k), xx.shape)
        return np.concatenate([own, (1 - rho) * fitted], axis=2), (1 - rho**2) * unexplained

    return conditional


@dataclass(frozen=True, slots=True, kw_only=True)
class JointTechnique(Technique):
    """Numbers drawn together, in the table or `within` every segment.

    `given` are the columns whose link to the numbers is kept: None is the class within a table and nothing within
    segments. `alone` is the noise for a record that is alone in its segment; None leaves it unchanged. `blur` is how
    many places in the sorted column a rare number moves at most, if it is handed out; 0 leaves it as it is.
    """

    within: Within = "table"
    given: tuple[str, ...] | None = None
    alone: NoiseParameters | None = field(default_factory=NoiseParameters)
    blur: Annotated[int, AtLeast(0)] = 0
    perturbs: ClassVar[Target] = "numeric"
    options: ClassVar[Mapping[str, str]] = {"alone": "noise", "blur": "blur"}
    jointly: ClassVar[bool] = True

    @property
    def promise(self) -> Promise:
        """Numbers stay in the domain."""
        return INSIDE

    @property
    def moments(self) -> str:
        """Whose moments are kept, for reports."""
        return f"the means and covariances of the {'segment' if self.within == 'segment' else 'whole table'}"


def said_rho(rho: float) -> str:
    """The end of a sentence; nothing for numbers that are drawn entirely at random."""
    return f"; {rho:.0%} of each value's own deviation stays" if rho else ""
