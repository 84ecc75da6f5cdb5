"""A made-up questionnaire: items on a scale from 1 to 5 that a few traits explain, -99 in some, and an outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import polars as pl

CODE = -99


def questionnaire(people: int = 300, items: int = 40, seed: int = 1) -> pl.DataFrame:
    """One row for each person; every third item has the code for "no answer" in one of a hundred rows."""
    import polars as pl

    draws = np.random.default_rng(seed)
    traits = max(items // 15, 2)
    known = draws.multivariate_normal(np.zeros(traits), 0.3 + 0.7 * np.eye(traits), people)
    columns: dict[str, object] = {}
    for item in range(items):
        loading = draws.uniform(0.5, 0.85)
        said = loading * known[:, item % traits] + np.sqrt(1 - loading**2) * draws.normal(size=people)
        answers = np.searchsorted([-1.3, -0.4, 0.4, 1.3], said) + 1
        skipped = (draws.random(people) < 0.01) & (item % 3 == 0)
        columns[f"q{item + 1}"] = np.where(skipped, CODE, answers)
    left = known[:, 0] + 0.6 * known[:, 1] + draws.normal(size=people) > 0.4
    columns["outcome"] = np.where(left, "left", "stayed")
    return pl.DataFrame(columns)
