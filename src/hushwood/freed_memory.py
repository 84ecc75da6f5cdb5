"""Hand memory that is no longer used back to the operating system, where the C library keeps it for later.

Growing a forest and adding noise free many middle-sized arrays; kept by the allocator they would make a release of a
large table look, and count, a quarter larger than it is.
"""

from __future__ import annotations

import ctypes


def give_back_freed_memory() -> None:
    """Ask glibc to return free memory; other C libraries do so by themselves or cannot be asked."""
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return
    trim(0)
