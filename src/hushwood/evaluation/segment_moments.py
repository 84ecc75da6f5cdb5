"""How exactly a release keeps the means and covariances of numbers that were drawn together, segment by segment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.releasing.engines.prepared_steps import PreparedStep
from hushwood.tables.table import Table
from hushwood.techniques.together.fallbacks import WAY_DESCRIPTIONS
from hushwood.techniques.together.group_perturber import GroupPerturber


@dataclass(frozen=True, slots=True)
class DrawnWay:
    """One way to draw numbers together, and the segments and records it was used for."""

    way: str
    segments: int | None
    records: int | None

    @property
    def description(self) -> str:
        """The way in words."""
        return WAY_DESCRIPTIONS.get(self.way, self.way)


@dataclass(frozen=True, slots=True)
class ErrorSummary:
    """The largest error of all segments (None: withheld from outsiders) and the mean over records."""

    largest: float | None
    mean: float


@dataclass(frozen=True, slots=True)
class DrawnTogether:
    """Columns whose numbers were drawn together, how, and the errors of their segments' moments.

    An error is None if no segment has two records with different numbers.
    """

    columns: tuple[str, ...]
    technique: str
    within: str
    ways: tuple[DrawnWay, ...]
    mean_error: ErrorSummary | None
    covariance_error: ErrorSummary | None


def drawn_together(
    original: Table,
    released: Table,
    steps: Sequence[PreparedStep],
    ways: Mapping[str, tuple[int, int]],
) -> DrawnTogether | None:
    """How numbers were drawn together; None if they were not.

    The errors are those of segments of two records and more: means in standard deviations of the segment,
    covariances in products of two such deviations; the largest of all, and the mean over records.
    """
    for step in steps:
        perturber = step.perturber
        # Of linked columns, distances are drawn together, which neither table holds.
        own = original.columns.keys() >= set(perturber.attributes)
        if isinstance(perturber, GroupPerturber) and perturber.attributes and own:
            before, after = (perturber.group.numbers(table.columns) for table in (original, released))
            cell = perturber.cells.of(step.segment_ids, before)
            return DrawnTogether(
                tuple(perturber.attributes),
                perturber.purpose.lower(),
                perturber.cells.within,
                tuple(DrawnWay(way, segments, records) for way, (segments, records) in ways.items()),
                *_errors(before, after, cell, perturber.cells.count),
            )
    return None


def _errors(
    before: Floats, after: Floats, cell: Integers, cells: int
) -> tuple[ErrorSummary | None, ErrorSummary | None]:
    from hushwood.techniques.kernels.numbers import cell_moments

    sizes = np.bincount(cell, minlength=cells)
    scale = np.where(np.isnan(before).all(axis=0), 1.0, np.nanmax(np.abs(np.nan_to_num(before)), axis=0))
    scale = np.where(scale > 0, scale, 1.0)
    old, new = (cell_moments(np.nan_to_num(m / scale), cell, cells) for m in (before, after))
    spread = np.sqrt(np.diagonal(old[1], axis1=1, axis2=2))
    varies = (spread > 0) & (sizes >= 2)[:, None]
    unit = np.where(varies, spread, 1.0)
    means = np.where(varies, np.abs(new[0] - old[0]) / unit, 0.0).max(axis=1, initial=0.0)
    both = varies[:, :, None] & varies[:, None, :]
    change = np.abs(new[1] - old[1]) / (unit[:, :, None] * unit[:, None, :])
    covariances = np.where(both, change, 0.0).max(axis=(1, 2), initial=0.0)
    weights = np.where(varies.any(axis=1), sizes, 0)
    return _summary(means, weights), _summary(covariances, weights)


def _summary(errors: Floats, weights: Integers) -> ErrorSummary | None:
    if not weights.sum():
        return None
    return ErrorSummary(float(errors.max()), float((errors * weights).sum() / weights.sum()))
