"""Many seeds in one test: a failure names its seed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager


@contextmanager
def named(seed: object) -> Iterator[None]:
    """Add the seed to whatever is raised."""
    try:
        yield
    except BaseException as raised:
        raised.add_note(f"seed {seed}")
        raise


def blocks(seeds: Iterable[int], size: int = 40) -> list[list[int]]:
    """The seeds in blocks, each one a test of its own."""
    every = list(seeds)
    return [every[begin : begin + size] for begin in range(0, len(every), size)]


def first_to_last(seeds: list[int]) -> str:
    """The name of a block."""
    return f"{seeds[0]}-{seeds[-1]}"
