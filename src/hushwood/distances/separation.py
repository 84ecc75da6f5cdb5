"""How well scores separate two groups: the ROC curve's area, and the share found while few others are mistaken."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Flags, Floats


def area_under_curve(score: Floats, inside: Flags) -> float | None:
    """The chance that one of the group scores above one of the others, ties counting half; None if a group is empty.

    >>> area_under_curve(np.array([3.0, 1.0, 2.0]), np.array([True, True, False]))
    0.5
    """
    from scipy.stats import rankdata

    members = int(np.count_nonzero(inside))
    others = len(inside) - members
    if members == 0 or others == 0:
        return None
    above = float(rankdata(score)[inside].sum()) - members * (members + 1) / 2
    return above / (members * others)


def found_at(score: Floats, inside: Flags, mistaken: float) -> float | None:
    """The share of the group above the lowest limit that at most the share `mistaken` of the others reaches.

    Everybody with the same score is on the same side of the limit, so ties never help. None if a group is empty.

    >>> found_at(np.array([3.0, 2.0, 1.0, 1.0]), np.array([True, False, True, False]), 0.01)
    0.5
    """
    members, others = score[inside], np.sort(score[~inside])
    if len(members) == 0 or len(others) == 0:
        return None
    allowed = int(np.floor(mistaken * len(others) + 1e-9))
    if allowed == len(others):
        return 1.0
    # The best of those who must not be mistaken is excluded, and with it everybody who scores the same.
    return float((members > others[len(others) - allowed - 1]).mean())
