"""Interrupts that wait while the disk is between two states."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


def stop_signals() -> list[signal.Signals]:
    """The signals that ask a program to end, where the system has them.

    SIGINT comes last: when handlers are put back, the one that usually raises must not keep the others from it.
    """
    return [signal.Signals[name] for name in ("SIGHUP", "SIGTERM", "SIGINT") if hasattr(signal, name)]


@contextmanager
def held_signals() -> Iterator[None]:
    """Keep requests to stop until the block has ended, and deliver them then.

    Handlers are exchanged instead of masking signals: Python runs a handler in the main thread even if the signal
    reached another one. Only the main thread is ever interrupted, so that the others need no protection.
    """
    came: list[int] = []
    heeded = {}
    if threading.current_thread() is threading.main_thread():
        handlers = {number: signal.getsignal(number) for number in stop_signals()}
        heeded = {n: handler for n, handler in handlers.items() if handler not in (None, signal.SIG_IGN)}
    try:
        for number in heeded:
            signal.signal(number, lambda number, frame: came.append(number))
        yield
    finally:
        for number, handler in heeded.items():
            signal.signal(number, handler)
        for late in came:
            signal.raise_signal(late)
