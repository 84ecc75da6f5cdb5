"""How long work reports its progress; the command shows it, everything else passes it on."""

from __future__ import annotations

from collections.abc import Callable

Stage = Callable[[str, int, int], None]
"""Called with the name of the stage, the steps done and the total number of steps."""


def silent(name: str, done: int, total: int) -> None:
    """Report no progress."""
