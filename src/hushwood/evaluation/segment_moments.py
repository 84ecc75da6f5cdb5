"""How exactly a release keeps the means and covariances of numbers that were drawn together, segment by segment.

Counts of the ways they were drawn come from `frameworks.perturb`; the report shows both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.engines.protocol import PreparedStep
from hushwood.tables.table import Table
from hushwood.techniques.fallbacks import GroupPerturber

Matrix = NDArray[np.float64]


def drawn_together(
    original: Table,
    released: Table,
    steps: Sequence[PreparedStep],
    ways: Mapping[str, tuple[int, int]],
) -> dict[str, Any] | None:
    """The columns, the ways their numbers were drawn, and the errors reached; None if there is no such group.

    The errors are those of segments of two records and more: means in standard deviations of the segment,
    covariances in products of two of them; the largest of all, and the mean over records.
    """
    for step in steps:
        perturber = step.perturber
        if isinstance(perturber, GroupPerturber) and perturber.attributes:
            before, after = (perturber.group.numbers(table.columns) for table in (original, released))
            cell = perturber.cells.of(step.segment_ids, before)
            return {
                "columns": list(perturber.attributes),
                "technique": perturber.purpose.lower(),
                "within": perturber.cells.within,
                "ways": [{"way": w, "segments": s, "records": r} for w, (s, r) in ways.items()],
                **_errors(before, after, cell, perturber.cells.count),
            }
    return None


def _errors(before: Matrix, after: Matrix, cell: NDArray[np.int64], cells: int) -> dict[str, Any]:
    from hushwood.techniques.moment_kernels import cell_moments

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
    return {"mean_error": _summed_up(means, weights), "covariance_error": _summed_up(covariances, weights)}


def _summed_up(errors: Matrix, weights: NDArray[np.int64]) -> dict[str, float] | None:
    """The largest error and the mean over records; None if no segment has any."""
    if not weights.sum():
        return None
    largest, mean = float(errors.max()), float((errors * weights).sum() / weights.sum())
    return {"largest": largest, "mean": mean}
