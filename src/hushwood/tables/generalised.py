"""Released cells that stand for several original values: "20-30", "[20, 30)", ">= 50", "{a, b}", "*".

`pairing` finds them in a release; measures of generalisation read them, all others use one value inside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Generalised:
    """What the cells of one released column stand for.

    Of a numeric column, `low` and `high` bound the value of every released row (NaN where missing). Of a
    categorical one, `covers[code, category]` says whether the released code (an index of the common categories)
    stands for the original's category. `suppressed` marks the rows that could be anything.
    """

    suppressed: NDArray[np.bool_]
    low: NDArray[np.float64] | None = None
    high: NDArray[np.float64] | None = None
    covers: NDArray[np.bool_] | None = None
