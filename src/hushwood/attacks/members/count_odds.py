"""What it says about a target that its value occurs so often, or not at all, in the release.

The people of the reference were never in the table, so they show how often that happens to anybody; the released
records show how often it happens to a record that was copied.
"""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.tables.pairs.value_counts import occurrences

_LIMITS = (1, 2, 3, 5)  # counts of 0, 1, 2, 3 to 4, and 5 or more
# The share of members whose values are taken to be copied: without it, one value that is not would rule a member out.
COPIED = 0.5


def count_odds(targets: Integers, released: Integers, reference: Integers) -> Floats:
    """The logarithm of how much likelier a target's count is for a member than for others; all are value codes."""
    own, copied, others = (
        np.searchsorted(_LIMITS, occurrences(codes, released), "right")
        for codes in (targets, released, reference)
    )
    share = (np.bincount(group, minlength=len(_LIMITS) + 1) + 0.5 for group in (copied, others))
    of_copies, of_others = (counts / counts.sum() for counts in share)
    odds = np.log(COPIED * of_copies / of_others + (1 - COPIED))
    return np.asarray(odds[own], np.float64)
