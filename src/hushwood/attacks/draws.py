"""Random choices without repetition, by key, for many choosers at once."""

from __future__ import annotations

import numpy as np

from hushwood.attacks.guesses import Rows
from hushwood.random_streams import Streams


def different_draws(below: int, picks: int, choosers: range, streams: Streams, purpose: str) -> Rows:
    """For every chooser some different whole numbers below a limit, ascending; all of them if there are fewer.

    >>> different_draws(3, 5, range(2), Streams(bytes(32)), "example").tolist()
    [[0, 1, 2], [0, 1, 2]]
    """
    chosen = np.empty((len(choosers), 0), np.int64)
    for pick in range(min(picks, below)):
        left = (streams.uniform(purpose, "pick", pick, choosers) * (below - pick)).astype(np.int64)
        for earlier in chosen.T:
            left += left >= earlier
        chosen = np.sort(np.column_stack((chosen, left)), axis=1)
    return chosen
