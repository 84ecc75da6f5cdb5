"""Large arrays that threads use one after the other: new memory costs as much as a pass over it."""

from __future__ import annotations

from collections.abc import Callable

from hushwood.arrays import Array


class Room:
    """Hands out arrays that were given back, and makes one when there is none."""

    def __init__(self, make: Callable[[], Array]) -> None:
        self._make = make
        self._free: list[Array] = []

    def take(self) -> Array:
        """An array, whatever it holds."""
        try:
            return self._free.pop()
        except IndexError:
            return self._make()

    def give_back(self, array: Array) -> None:
        """Let others have an array that nobody reads any more."""
        self._free.append(array)
