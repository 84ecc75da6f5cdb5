"""The one way to compile loops; `stages` learns how many numba has compiled, and when it pauses.

numba compiles a function when it is first called and keeps the result on disk, so only a first use compiles anything.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numba
from numba.core import event

from hushwood import stages


def compiled_with(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """A decorator that compiles with these options of numba, besides the usual ones."""

    def decorated(function: Callable[..., Any]) -> Any:
        try:
            loop = numba.njit(cache=True, nogil=True, **options)(function)
        except RuntimeError:  # numba may write to no folder, so every process compiles again
            return numba.njit(nogil=True, **options)(function)
        _survive_updates(loop._cache)
        return loop

    return decorated


def _survive_updates(kept: Any) -> None:
    """Compile again what an older Hushwood kept here if its types have moved since.

    numba reads the types before it looks whether the loop itself has changed, and stops where one of them is gone.
    """
    load = kept.load_overload

    def load_overload(*wanted: Any) -> Any:
        try:
            return load(*wanted)
        except (AttributeError, ImportError):
            kept.flush()
            return None

    kept.load_overload = load_overload


compiled = compiled_with()
# For what one loop calls in one place: as a function of its own it would take another tenth of the time to compile.
copied = compiled_with(inline="always")


class _Listener(event.Listener):
    """Counts what numba compiles. numba does one thing at a time, and what a loop calls inside it."""

    def __init__(self) -> None:
        self.count = self.depth = 0
        self.collecting = False

    def on_start(self, event: Any) -> None:
        if self.depth == 0:
            # Compiling makes very many objects and few cycles: looking for these would take a tenth of the time.
            self.collecting = gc.isenabled()
            gc.disable()
        self.depth += 1
        stages.compiling(self.count)

    def on_end(self, event: Any) -> None:
        self.count += 1
        self.depth -= 1
        if self.depth == 0:
            if self.collecting:
                gc.enable()
            stages.compiled_for_now()


event.register("numba:compile", _Listener())
