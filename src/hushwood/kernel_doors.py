"""Checks at the doors of compiled loops, which follow a wrong index out of their arrays and raise nothing.

They look at every array once, before the loop, because a check inside would cost as much as the work.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from hushwood.errors import InternalFault


def check_indices(what: str, indices: NDArray[Any], below: int, least: int = 0) -> None:
    """Refuse indices that are not whole numbers from `least` up to, but not including, `below`."""
    if indices.dtype.kind not in "iub":
        raise InternalFault(f"{what} must be whole numbers, not {indices.dtype}; please report this.")
    if indices.size and not least <= int(indices.min()) <= int(indices.max()) < below:
        raise InternalFault(
            f"{what} must lie from {least} to {below - 1}, but lie from {indices.min()} to {indices.max()}; "
            "please report this."
        )
