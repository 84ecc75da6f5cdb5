"""`accept` killed at the system calls that change the disk: the release is held back or handed out, and whole."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest

from hushwood.api import verify
from hushwood.errors import InputError
from support import held_back
from support.held_back import accepted, make_held_back, manifest_of
from support.tiny_releases import part_of
from support.traced_runs import CASES, CHANGES, calls_of, chosen, needs_strace, traced

pytestmark = needs_strace


def state(around: Path) -> str:
    """Where the files are, if everything is as the manifest there says."""
    part, manifest = part_of(around / "out"), manifest_of(around / "out")
    assert verify(around / "out", around / "people.csv").holds
    assert ("accepted" in manifest) == (part == "share")
    assert all(name.startswith(f"{part}/") for name in manifest["files"])
    return part


@pytest.mark.parametrize("stays", [False, True], ids=["exchanged", "by parts"])
def test_a_run_that_is_killed_leaves_the_old_or_the_new_state(tmp_path: Path, stays: bool) -> None:
    made, around, log = tmp_path / "made", tmp_path / "work", tmp_path / "log"
    made.mkdir()
    make_held_back(made)
    out = around / "out"
    words, cwd = [held_back.__file__, "." if stays else out], out if stays else tmp_path

    def lay_out() -> None:
        shutil.rmtree(around, ignore_errors=True)
        shutil.copytree(made, around)

    lay_out()
    assert traced(words, log, cwd=cwd).returncode == 0
    assert state(around) == "share"
    seen = set()
    for call in chosen([call for call in calls_of(log) if call.name in CHANGES], CASES // 5):
        lay_out()
        assert traced(words, log, call.when("signal=SIGKILL"), cwd=cwd).returncode == -signal.SIGKILL
        unfinished = (around / ".hushwood-out" / "ready").exists()
        assert stays or not unfinished
        seen.add("between" if unfinished else state(around))
        if unfinished or state(around) == "share":
            with pytest.raises(InputError, match="nothing to accept"):  # the exchange is finished first
                accepted(out)
        else:
            accepted(out)
        assert state(around) == "share"
        assert {path.name for path in around.iterdir()} == {path.name for path in made.iterdir()}
    assert {"not-cleared", "share"} <= seen
