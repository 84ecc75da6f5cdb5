"""Odds ratios by counting records one by one."""

from __future__ import annotations

import math
from collections.abc import Sequence


def log_odds(
    one: Sequence[bool | None], other: Sequence[bool | None], weights: Sequence[float] | None = None
) -> tuple[float, float]:
    """The log odds ratio of two statements about the same records and its standard error; None is not known."""
    cells = {(a, b): 0.5 for a in (True, False) for b in (True, False)}
    for place, (a, b) in enumerate(zip(one, other, strict=True)):
        if a is not None and b is not None:
            cells[a, b] += 1 if weights is None else weights[place]
    ratio = cells[True, True] * cells[False, False] / (cells[True, False] * cells[False, True])
    return math.log(ratio), math.sqrt(sum(1 / n for n in cells.values()))
