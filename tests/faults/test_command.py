"""Whole commands that are killed or stopped at the exchange, run out of memory, or fill the disk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hushwood.api import verify
from support import tiny_releases
from support.people_files import contents, write_people
from support.release_parts import files_in
from support.tiny_releases import read_release, write_release

pytestmark = pytest.mark.usefixtures("heeded_signals")
COMMANDS = {"release": ["--evidence", "none"], "publish-tree": ["-k", "3"]}
# Under strace a whole command takes ten times as long, so that it sends itself the signal.
SIGNALLED = (
    "import os, sys\n"
    "import hushwood.jobs.folder.exchange as job\n"
    "from hushwood.cli.main import command\n"
    "number, exchange = int(sys.argv.pop(1)), job.exchange\n"
    "job.exchange = lambda *given: (os.kill(os.getpid(), number), exchange(*given))\n"
    "command()\n"
)


def words(command: str, table: Path, target: Path) -> list[object]:
    return [command, table, "--class", "ill", "-q", "--force", "-o", target, *COMMANDS[command]]


def python(*given: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *map(str, given)], capture_output=True, text=True, check=False)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("command", "number"),
    [("release", signal.SIGKILL), ("release", signal.SIGTERM), ("publish-tree", signal.SIGINT)],
)
def test_a_signal_at_the_exchange(tmp_path: Path, command: str, number: signal.Signals) -> None:
    target = tmp_path / "out"
    write_release(target, "old")
    (target / "share" / "mine").write_text("kept", "utf-8")
    old = contents(target)
    done = python("-c", SIGNALLED, number.value, *words(command, write_people(tmp_path), target))
    if number == signal.SIGKILL:
        assert done.returncode == -number
        assert contents(target) == old
        write_release(target, "next", force=True)
        assert read_release(target) == "next"
    else:
        assert done.returncode == 128 + number
        assert done.stderr == f"hushwood: Stopped; the release in {target} is complete.\n"
        wrong = [c.sentence for c in verify(target, tmp_path / "people.csv").checks if c.holds is False]
        assert wrong == ["mine is not a file of the release and would go out with it; move it away."]
    assert (files_in(target) / "mine").read_text("utf-8") == "kept"
    assert names(tmp_path) == {"out", "people.csv"}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
@pytest.mark.parametrize("there", [False, True], ids=["new", "replaced"])
def test_too_little_memory_is_one_sentence_and_leaves_nothing(tmp_path: Path, there: bool) -> None:
    target = tmp_path / "out"
    if there:
        write_release(target, "old")
    done = python(tiny_releases.__file__, "memory", target, "new")
    assert done.returncode == 2
    assert done.stderr.startswith("hushwood: The memory of this machine is not enough for this table")
    assert done.stderr.count("\n") == 1
    assert read_release(target) == ("old" if there else None)
    assert names(tmp_path) == ({"out"} if there else set())


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=48k", "none", str(disk)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small disk can be mounted by root only")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_is_one_sentence_and_leaves_the_old_release(small_disk: Path, tmp_path: Path) -> None:
    write_release(small_disk / "out", "old")
    before = contents(small_disk)
    table = write_people(tmp_path, count=3000)
    done = python("-m", "hushwood", *words("release", table, small_disk / "out"))
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert done.stderr.count("\n") == 1
    assert contents(small_disk) == before
