"""LIEW: a column replaced, rank by rank, by a sample from the distribution fitted to it (Liew, Choi and Liew 1985).

Three steps (thesis 3.2.1): find the density of the column and its parameters, draw as many numbers from it, and put the
r-th smallest in the place of the r-th smallest original number. The order of the records stays, and with it the
correlations of ranks (errata B8).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from hushwood.arrays import Flags, Floats, Integers
from hushwood.errors import InputError
from hushwood.parameters import OneOf, check_parameters
from hushwood.segments.segments import Segments, domain_intervals
from hushwood.tables.domains import Intervals, to_steps
from hushwood.tables.table import Table
from hushwood.techniques.laws.fitted_families import FAMILY_NAMES, FamilyShape, Fitted, best_fit, cut
from hushwood.techniques.laws.groupings import groups_within
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.order_statistics import HeldRanks, OrderStatisticLaw
from hushwood.techniques.laws.promises import INSIDE, Promise
from hushwood.techniques.protocol import Target, Technique, Within


@dataclass(frozen=True, slots=True)
class Liew(Technique):
    """The best of the named `families`, fitted to the table or to every segment and cut to its bounds.

    Numbers without spread in their segment, such as those of a record alone, follow the whole table's distribution,
    cut to the segment's box.
    """

    families: tuple[Annotated[str, OneOf(FAMILY_NAMES)], ...] = FAMILY_NAMES
    within: Within = "table"
    acronym: ClassVar[str] = "LIEW"
    perturbs: ClassVar[Target] = "numeric"
    promise: ClassVar[Promise] = INSIDE
    trust: ClassVar[str] = (
        "Do not rely on single values. Who has more than whom is nearly exact, and so are correlations of ranks; the "
        "column has the shape of a textbook distribution."
    )

    def __post_init__(self) -> None:
        check_parameters(self)
        if not self.families:
            raise InputError(f"LIEW needs a family to fit. Name at least one of {', '.join(FAMILY_NAMES)}.")

    def says(self) -> str:
        where = "its segment" if self.within == "segment" else "the column"
        return (
            f"Replaced by a number drawn from the distribution that fits {where} best ({', '.join(self.families)}); "
            "the order of the records stays."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Fit a distribution to every column."""
        group_of = groups_within(self.within)
        groups = group_of(original.columns, segments.ids)

        def law(name: str) -> OrderStatisticLaw:
            values = original.columns[name]
            inside = segments.intervals[name]
            if self.within == "table":
                inside = domain_intervals(original.schema[name], 1)
            inside = inside.fitted_to(values)
            fitted, moves = self._fitted(values, groups, inside, original, name)
            held = HeldRanks.of(values, groups)
            return OrderStatisticLaw(name, inside, fitted, moves, held, group_of, self.acronym)

        return by_column((name for name in attributes if name in segments.intervals), law)

    def _fitted(
        self, values: Floats, groups: Integers, inside: Intervals, original: Table, name: str
    ) -> tuple[Fitted, Flags]:
        """The distribution of every group, and the groups that have more than one number to choose from."""
        known = np.flatnonzero(~np.isnan(values))
        order = known[np.lexsort((values[known], groups[known]))]
        numbers, group = to_steps(values[order], inside.precision), groups[order]
        own = self._best(numbers, group, inside)
        varies = np.zeros(len(inside.low), bool)
        varies[group[1:][(np.diff(numbers) != 0) & (np.diff(group) == 0)]] = True
        spread = float(np.ptp(numbers)) if len(numbers) else 0.0
        if not varies.all() and spread > 0:
            domain = domain_intervals(original.schema[name], 1).fitted_to(values)
            table = self._best(np.sort(numbers), np.zeros(len(numbers), np.int64), domain)
            own = own.where(varies, _repeated(table, inside))
        return own, (inside.points > 1) & (spread > 0)

    def _best(self, numbers: Floats, group: Integers, inside: Intervals) -> Fitted:
        half = inside.step / 2
        return best_fit(self.families, numbers, group, inside.first - half, inside.last + half, half)


def _repeated(one: Fitted, inside: Intervals) -> Fitted:
    """The distribution of the table in the bounds of every group."""
    groups, half = len(inside.low), inside.step / 2
    shape = FamilyShape(*(np.repeat(numbers, groups) for numbers in one.shape))
    return cut(np.repeat(one.family, groups), shape, inside.first - half, inside.last + half)
