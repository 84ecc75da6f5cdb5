"""Whether numbers lie on a decimal grid, in one pass."""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled


@compiled
def all_on_grid(values, unit, most):
    """Whether all finite values are the doubles nearest to multiples of 1 / unit, and smaller than `most`."""
    for value in values:
        if np.isfinite(value) and (np.rint(value * unit) / unit != value or abs(value) >= most):
            return False
    return True
