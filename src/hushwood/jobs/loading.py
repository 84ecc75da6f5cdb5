"""Compiled loops made ready while a file is being read: numba takes most of a second to wake up.

Only the command does this; a program that calls the API pays once anyway.
"""

from __future__ import annotations

from pathlib import Path
from threading import Thread

WORTH_IT = 5_000_000  # bytes of a file that takes long enough to read


def load_kernels_for(table: Path) -> Thread | None:
    """Start waking numba up in the background if the table is large; nobody needs to wait for it."""
    if not table.is_file() or table.stat().st_size < WORTH_IT:
        return None
    thread = Thread(target=_wake, name="load kernels")
    thread.start()
    return thread


def _wake() -> None:
    import numpy as np

    from hushwood.normal_quantile import normals_from_words
    from hushwood.trees.routing_kernels import route

    normals_from_words(np.zeros(1, np.uint64), np.zeros(1))
    leaf, leaves = np.full(1, -1, np.int64), np.zeros(1, np.int32)
    route(
        np.zeros((1, 1)),
        leaf,
        np.zeros(1, bool),
        np.zeros(1),
        np.zeros(2, np.int64),
        np.zeros(0, np.int32),
        np.zeros(1, np.int32),
        leaves,
    )
