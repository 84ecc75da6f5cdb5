"""Powers of two and larger-of-two as straight-line code that LLVM turns into vector instructions.

With `fastmath` numba's own `max` and `exp2` still become a branch and a call per number, which costs tenfold; the
loops of `likelihoods` and `posteriors` are built on these instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from hushwood.kernels.compiling import compiled_with

LEAST_EXPONENT = np.float32(-126.0)


def _chooser(sign):
    """Code of `a sign b ? a : b` for single-precision numbers that are never NaN."""

    def typed(typing_context, a, b):
        def code(context, builder, signature, arguments):
            chosen = builder.fcmp_ordered(sign, *arguments, flags=("fast",))
            return builder.select(chosen, *arguments, flags=("fast",))

        return types.float32(types.float32, types.float32), code

    return typed


larger: Any = intrinsic(_chooser(">"))
smaller: Any = intrinsic(_chooser("<"))


@compiled_with(inline="always")
def power_of_two(x):
    """2^x for x from -126 to 126; exact at whole numbers, elsewhere a fitted quartic that is off by 3e-6 of it."""
    whole = np.rint(x)
    part = x - whole
    p = np.float32(0.00958285304)
    p = p * part + np.float32(0.0559064247)
    p = p * part + np.float32(0.240240986)
    p = p * part + np.float32(0.693124193)
    p = p * part + np.float32(1.0)
    return p * np.int32((np.int32(whole) + np.int32(127)) << np.int32(23)).view(np.float32)
