"""Programs run under strace, which sends a signal or lets the system refuse at one chosen system call."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from support.tiny_releases import BEGIN, END

# All that touches files. Other calls leave the disk as it is, so that being killed there is nothing new.
FILES = "%file,%desc"
CHANGES = {
    "rename",
    "renameat2",
    "link",
    "linkat",
    "mkdir",
    "unlink",
    "unlinkat",
    "rmdir",
    "fsync",
    "write",
    "flock",
}
CASES = int(os.environ.get("HUSHWOOD_FAULTS", "30"))


def strace_works() -> bool:
    """It may be missing, or the machine may not let programs watch each other."""
    strace = shutil.which("strace")
    return (
        strace is not None
        and subprocess.run([strace, "-qq", "-o", os.devnull, "true"], check=False).returncode == 0
    )


needs_strace = pytest.mark.skipif(not strace_works(), reason="strace is missing or not allowed here")


class Call(NamedTuple):
    """A system call of a run, as the how-manieth of its kind."""

    name: str
    number: int

    def when(self, what: str) -> str:
        """What happens at this call, in strace's words: "signal=SIGKILL" or "error=EIO"."""
        return f"{self.name}:{what}:when={self.number}"


def traced(
    words: Sequence[object], log: Path, inject: str = "", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run Python with these words, note its calls, and let something happen at one of them: see `Call.when`."""
    calls = inject.split(":", maxsplit=1)[0] or FILES
    happens = ["-e", f"inject={inject}"] if inject else []
    watched = ["strace", "-f", "-qq", "-o", str(log), "-e", f"trace={calls}", *happens]
    settings = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [*watched, sys.executable, *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env=os.environ | settings,
    )


def calls_of(log: Path) -> list[Call]:
    """Every call between the marks of a run that nothing happened to."""
    counts: Counter[str] = Counter()
    found: list[Call] = []
    inside = False
    for line in log.read_text("utf-8", "replace").splitlines():
        name = re.sub(r"^\d+\s+(\w+)\(.*", r"\1", line)
        counts[name] += 1
        if f'"{BEGIN}"' in line or f'"{END}"' in line:
            inside = not inside
        elif inside:
            found.append(Call(name, counts[name]))
    return found


def chosen(calls: Sequence[Call], count: int) -> list[Call]:
    """At most `count` calls: those that change the disk, and then others, evenly spread over the run."""
    changing = [call for call in calls if call.name in CHANGES]
    others = [call for call in calls if call.name not in CHANGES]
    return _spread(changing, count) + _spread(others, count - len(changing))


def _spread(calls: Sequence[Call], count: int) -> list[Call]:
    """Evenly, with the first and the last."""
    count = max(0, min(count, len(calls)))
    return [calls[i * (len(calls) - 1) // max(count - 1, 1)] for i in range(count)]
