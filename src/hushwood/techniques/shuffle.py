"""SHUFFLE and ROTATION: numbers that change places or rotate among the records; what must stay, stays exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.blurring.blur import said_blur
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.laws.promises import EXACT_MOMENTS, INSIDE, Promise, exact_or_blurred
from hushwood.techniques.laws.redraw import Distributions
from hushwood.techniques.protocol import Columns
from hushwood.techniques.together.cells import CellLayout, Cells, NumberGroup
from hushwood.techniques.together.copula import (
    ScoreModel,
    log_column_by_column,
    ranks_in_cells,
    score_model,
    score_places,
    sorted_in_cells,
)
from hushwood.techniques.together.fallbacks import (
    EXCHANGE,
    KEPT,
    NOISE,
    PERMUTATION,
    SHUFFLE,
    Fallback,
    fewest_to_turn,
    walked,
)
from hushwood.techniques.together.group_perturber import GroupPerturber
from hushwood.techniques.together.group_rows import Given, GroupRows
from hushwood.techniques.together.learnt_groups import JointTechnique, LearntGroup, loosened, regenerated
from hushwood.techniques.together.shuffling import shuffled


@dataclass(frozen=True, slots=True)
class Shuffle(JointTechnique):
    """SHUFFLE: every column's values are permuted among the records, so that ranks stay correlated as before (2006).

    The marginals stay exactly as they were, and no value is made up (Muralidhar and Sarathy).
    """

    acronym: ClassVar[str] = "SHUFFLE"

    @property
    def trust(self) -> str:
        return (
            f"Do not rely on single values. {exact_or_blurred(self.blur)}; correlations with other numbers are close "
            "where few numbers are missing."
        )

    @property
    def counts_noise(self) -> float | None:
        """The blur moves numbers, but hardly their counts."""
        return 0.0 if self.within == "segment" else None

    @property
    def promise(self) -> Promise:
        """Every value stays, except for noise on a record that has no partner; or numbers stay in the domain."""
        if self.blur:
            return INSIDE
        return Promise(values="dealt", within=self.within, lone_moves=self.alone is not None)

    def says(self) -> str:
        where = "same segment" if self.within == "segment" else "whole table"
        kept = f". {said_blur(self.blur)}" if self.blur else "; the column keeps its values."
        return (
            f"Permuted among the records of the {where}, so that large values still meet large values of the columns "
            f"they went with{kept}"
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupPerturber:
        """Find the cells and their values."""
        learnt = LearntGroup.of(original, attributes, segments, self.within, self.given, by_ranks=True)
        spare = learnt.given.columns + 2
        return learnt.perturber(
            Shuffling(shuffled_values(learnt), spare), self.acronym, self.alone, blur=self.blur
        )


@dataclass(frozen=True, slots=True)
class Shuffling:
    """Shuffling in cells with `spare` records more than columns."""

    stated: ShuffledValues
    spare: int
    by_record: bool = False
    copies: bool = True
    independent: bool = True
    falls_to: tuple[Fallback, ...] = (PERMUTATION, EXCHANGE, NOISE, KEPT)

    def able(self, cells: Cells) -> Flags:
        """Cells whose correlations are not just chance."""
        return np.asarray(cells.sizes >= cells.known.shape[1] + self.spare)

    def claims(self, cells: Cells) -> Flags:
        return self.able(cells)

    def drawn(self, rows: GroupRows, able: Flags) -> tuple[Floats, Flags]:
        able = able & self.able(rows.cells)
        return shuffled(rows, able, rows.numbers, self.stated.model), able


@dataclass(frozen=True, slots=True)
class Rotation(JointTechnique):
    """ROTATION: numbers rotated among the records of a segment; means, covariances and boxes are kept exactly.

    Every orthogonal map of the records that fixes the vector of ones (and the given columns) keeps the sample means and
    covariances of all columns. Algorithms 3.5 rotates a whole segment by one angle, which a single record at the edge
    of its box stops; the many small rotations of `fallbacks.walked` are not stopped by it, and each is as exact.
    """

    acronym: ClassVar[str] = "ROTATION"
    trust: ClassVar[str] = EXACT_MOMENTS

    def says(self) -> str:
        return (
            f"Mixed with the numbers of other records by many small rotations, with {self.moments} kept up to "
            "rounding, never out of the allowed range."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupPerturber:
        """Find the cells; the walk itself reads all their records."""
        learnt = LearntGroup.of(original, attributes, segments, self.within, self.given)
        stated = loosened(learnt.normal_law(regenerated(0.0), self.acronym))
        return learnt.perturber(
            Turns(stated, fewest_to_turn(learnt.given)), self.acronym, self.alone, blur=self.blur
        )


@dataclass(frozen=True, slots=True)
class Turns:
    """Rotations in cells of at least `fewest` records; `stated` has the cell's moments but is not claimed."""

    stated: JointNormalLaw
    fewest: int
    by_record: bool = False
    copies: bool = False
    independent: bool = False
    falls_to: tuple[Fallback, ...] = (SHUFFLE, PERMUTATION, NOISE, KEPT)

    def able(self, cells: Cells) -> Flags:
        """Cells with enough records to rotate."""
        return np.asarray(cells.sizes >= self.fewest)

    def claims(self, cells: Cells) -> Flags:
        """None: no formula describes where a walk among boxes ends."""
        return np.zeros(cells.count, bool)

    def drawn(self, rows: GroupRows, able: Flags) -> tuple[Floats, Flags]:
        able = able & self.able(rows.cells)
        return walked(rows, able, rows.numbers), able


@dataclass(frozen=True, slots=True)
class ShuffledValues:
    """The law of shuffling: in every column a record gets one of its cell's values, in proportion to their frequency.

    That is exact for one column of one record. How columns depend on each other is as in `copula_law`.
    """

    group: NumberGroup
    given: Given
    cells: Cells
    values: tuple[Floats, ...]
    shares: tuple[Distributions, ...]
    model: ScoreModel
    root: Floats
    independent: bool = True

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.group.names

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """The probabilities of the values' scores, each given those before it."""
        new = self.group.numbers(released)
        cell = self.cells.of(segment_ids, self.group.numbers(original))
        known = self.cells.known[cell]
        share, upto = np.zeros(new.shape), np.zeros(new.shape)
        for j, (values, shares) in enumerate(zip(self.values, self.shares, strict=True)):
            code = np.minimum(np.searchsorted(values, new[:, j]), len(values) - 1)
            place, there = shares.place(cell, code)
            there &= values[code] == new[:, j]
            share[:, j] = np.where(there, shares.probability[place], 0.0)
            upto[:, j] = shares.cumulative[place] - cell
        fitted = np.zeros(new.shape)
        if self.given.columns:
            fitted = self.model.fitted(self.given.design(original), cell)
        places = score_places(np.maximum(upto - share, 0.0), upto)
        found = log_column_by_column(places, fitted, self.root[cell], known)
        return np.where((np.isnan(new) == ~known).all(axis=1), found, -np.inf)

    def described(self) -> dict[str, Any]:
        return {"form": "permutation within segments", "attributes": list(self.attributes)}


def shuffled_values(learnt: LearntGroup) -> ShuffledValues:
    """Count the values of every cell, and learn how their ranks are correlated."""
    from hushwood.techniques.kernels.numbers import triangular_roots

    cells, cell = learnt.cells, learnt.cell
    numbers = np.where(np.isnan(learnt.numbers), 0.0, learnt.numbers)
    orders, in_order = sorted_in_cells(numbers, cell, cells.count)
    start = CellLayout.of(cell, cells.count).start
    ranks = ranks_in_cells(orders, in_order, start)
    model = score_model(ranks, learnt.given.design(learnt.original.columns), cell, cells.sizes)
    counted = [_counted(column, start) for column in in_order]
    return ShuffledValues(
        learnt.group,
        learnt.given,
        cells,
        tuple(values for values, _ in counted),
        tuple(shares for _, shares in counted),
        model,
        triangular_roots(np.ascontiguousarray(model.rest)),
    )


def _counted(column: Floats, start: Integers) -> tuple[Floats, Distributions]:
    """The distinct values of a column that is sorted by cell and value, and their shares in every cell."""
    from hushwood.techniques.kernels.ranks import counted_values

    values, cell, share, upto = counted_values(column, start)
    code = np.arange(len(values))
    if len(start) > 2:
        values, code = np.unique(values, return_inverse=True)
    return values, Distributions(len(values), cell * len(values) + code, share, upto)
