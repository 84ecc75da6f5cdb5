"""A command that another program started ends with that program, and leaves nothing half-written."""

from __future__ import annotations

import os
import signal
import sys
from threading import Thread

VARIABLE = "HUSHWOOD_PARENT"
STDIN = "stdin"  # its value: the parent holds the other end of standard input, and writes nothing


def end_with_parent() -> None:
    """Stop, as if asked to by a signal, when the parent closes standard input or dies; only where it asked for that."""
    if os.environ.pop(VARIABLE, "") == STDIN and sys.stdin is not None:
        Thread(target=_wait, name="end with parent", daemon=True).start()


def child_environment() -> dict[str, str]:
    """For a process that is to end with this one; it imports what this one imports."""
    return {**os.environ, VARIABLE: STDIN, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def _wait() -> None:
    number = sys.stdin.fileno()
    while os.read(number, 1):
        pass
    # To this process as a whole: the handler runs in the main thread and tidies up there.
    os.kill(os.getpid(), signal.SIGTERM)
