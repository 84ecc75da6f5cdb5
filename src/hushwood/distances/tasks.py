"""Work on many targets, cut into tasks for threads; the kernels leave Python's lock to each other."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

# Enough targets to read a block of released records often, few enough to keep all threads busy to the end.
TARGETS = 256


def over_targets(count: int, threads: int, work: Callable[[int, int], object]) -> None:
    """Call `work(first, last)` for consecutive spans of targets until all are done."""
    with ThreadPoolExecutor(max(1, threads)) as pool:
        starts = range(0, count, TARGETS)
        list(pool.map(lambda first: work(first, min(first + TARGETS, count)), starts))
