"""The array types of the whole package, and checks at the doors of compiled loops.

A compiled loop follows a wrong index out of its arrays and raises nothing. The checks look at every array once,
before the loop, because a check inside would cost as much as the work.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InternalFault

Array: TypeAlias = NDArray[Any]
Floats: TypeAlias = NDArray[np.float64]
Floats32: TypeAlias = NDArray[np.float32]
Integers: TypeAlias = NDArray[np.int64]
Codes: TypeAlias = NDArray[np.int32]
Flags: TypeAlias = NDArray[np.bool_]
Bytes: TypeAlias = NDArray[np.uint8]
Words: TypeAlias = NDArray[np.uint64]


def check_indices(what: str, indices: Array, below: int, least: int = 0) -> None:
    """Refuse indices that are not whole numbers from `least` up to, but not including, `below`."""
    if indices.dtype.kind not in "iub":
        raise InternalFault(f"{what} must be whole numbers, not {indices.dtype}; please report this.")
    if indices.size and not least <= int(indices.min()) <= int(indices.max()) < below:
        raise InternalFault(
            f"{what} must lie from {least} to {below - 1}, but lie from {indices.min()} to {indices.max()}; "
            "please report this."
        )


def spurious_flags_ignored() -> np.errstate:
    """Where a library multiplies matrices: some kernels of OpenBLAS flag finite products as invalid (numpy 24067).

    The flags belong to the thread, so a worker must say this itself.
    """
    return np.errstate(invalid="ignore")


def one_thread(of: Literal["blas", "openmp"] | None = None) -> AbstractContextManager[Any]:
    """Where a library works on one thread: sums are then the same everywhere, and small models several times as fast.

    A limit on OpenMP counts for the calling thread alone, one on BLAS for the whole process.
    """
    limited: AbstractContextManager[Any] = _thread_pools().limit(limits=1, user_api=of)
    return limited


@cache
def _thread_pools() -> Any:
    """The thread pools of the libraries; to look for them takes as long as to fit a small model."""
    import sklearn.ensemble  # noqa: F401 - both load their pools when they are imported
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController()
