"""A command whose words come by standard input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.people_files import write_people

REASON = "because our board said so"


def started(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "hushwood.cli.piped"],
        cwd=folder,
        env={**os.environ, "HUSHWOOD_PARENT": "stdin"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_the_words_are_run_and_not_seen(tmp_path: Path) -> None:
    write_people(tmp_path)
    with started(tmp_path) as job:
        assert job.stdin is not None
        assert job.stdout is not None
        assert job.stderr is not None
        words = ["inspect", "people.csv", "--keep", f"age={REASON}", "--nothing-such"]
        job.stdin.write(json.dumps(words).encode() + b"\n")
        job.stdin.flush()
        assert job.wait(120) == 2
        said = job.stderr.read().decode()
    assert "--keep" in said or "--nothing-such" in said


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_process_shows_no_words(tmp_path: Path) -> None:
    with started(tmp_path) as job:
        # Empty until the system has put the program in the place of this one; the program then waits for its words.
        while not (words := Path(f"/proc/{job.pid}/cmdline").read_bytes()):
            time.sleep(0.01)
        assert job.stdin is not None
        job.stdin.close()
        assert job.wait(120) == 0
    assert words.split(b"\0")[1:] == [b"-m", b"hushwood.cli.piped", b""]


def test_a_server_that_ends_first_starts_nothing(tmp_path: Path) -> None:
    with started(tmp_path) as job:
        assert job.communicate(b'["inspect"', timeout=120) == (b"", b"")
        assert job.returncode == 0
