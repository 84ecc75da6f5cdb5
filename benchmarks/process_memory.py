"""The memory of a process and all that it started, such as Spark's Java machine and its Python workers.

The system keeps the peak of one process only, so the sum is looked at several times a second (on Linux; elsewhere it
is 0). Pages that processes share, such as those of a forked worker, count in each of them: the sum is an upper bound.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import TracebackType

EVERY_SECONDS = 0.2
PROC = Path("/proc")


class TreeMemory:
    """Watches a tree of processes while the block runs; `peak_bytes` is the highest sum. Without a root it rests."""

    def __init__(self, root: int | None) -> None:
        self.peak_bytes = 0
        self._root = root
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> TreeMemory:
        if self._root is not None:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self._root is not None:
            self._thread.join()

    def _watch(self) -> None:
        assert self._root is not None
        while not self._done.wait(EVERY_SECONDS):
            self.peak_bytes = max(self.peak_bytes, tree_bytes(self._root))


def tree_bytes(root: int) -> int:
    """Resident bytes of a process and all its descendants, now."""
    parents = {pid: parent for pid in _processes() if (parent := _parent(pid)) is not None}
    members, added = {root}, {root}
    while added:
        added = {pid for pid, parent in parents.items() if parent in added} - members
        members |= added
    return sum(map(_resident_bytes, members))


def _processes() -> list[int]:
    return [int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()] if PROC.is_dir() else []


def _parent(pid: int) -> int | None:
    """The parent's number, which follows the name in brackets; None for a process that has ended meanwhile."""
    try:
        found = (PROC / str(pid) / "stat").read_text("utf-8", errors="replace")
    except OSError:
        return None
    return int(found.rpartition(")")[2].split()[1])


def _resident_bytes(pid: int) -> int:
    try:
        pages = int((PROC / str(pid) / "statm").read_text("ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
