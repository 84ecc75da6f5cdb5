"""A process that ends with its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

PROGRAM = """
import time
from hushwood.parent_process import end_with_parent
end_with_parent()
print("here", flush=True)
time.sleep(60)
"""


def started(**variables: str) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **variables},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"here\n"
    return process


def test_it_ends_when_its_parent_lets_go() -> None:
    with started(HUSHWOOD_PARENT="stdin") as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(30) == -signal.SIGTERM


def test_only_where_it_was_asked_to() -> None:
    with started(HUSHWOOD_PARENT="") as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.poll() is None
        process.kill()
