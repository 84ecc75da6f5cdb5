"""The janitor: removes a folder that nobody holds any more, and no other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hushwood.jobs.folder.work_folders import give_back, take
from hushwood.parent_process import child_environment
from hushwood.web.janitor import watched


def run_janitor(folder: Path) -> None:
    """As it is after the server has gone: its standard input is at an end."""
    subprocess.run(
        [sys.executable, "-m", "hushwood.web.janitor", str(folder)],
        stdin=subprocess.DEVNULL,
        env=child_environment(),
        check=True,
    )


def test_a_folder_of_a_dead_server_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / ".hushwood-web-1"
    program = "import sys, pathlib, hushwood.jobs.folder.work_folders as w; w.take(pathlib.Path(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", program, str(folder)], env=child_environment(), check=True)
    (folder / "people.csv").write_text("x")

    run_janitor(folder)
    assert not folder.exists()
    run_janitor(folder)  # there is nothing left to do


def test_a_folder_that_is_held_stays(tmp_path: Path) -> None:
    folder = tmp_path / ".hushwood-web-1"
    lock = take(folder)
    (folder / "people.csv").write_text("x")

    run_janitor(folder)
    assert (folder / "people.csv").exists()
    give_back(folder, lock)


def test_it_ends_with_the_block(tmp_path: Path) -> None:
    folder = tmp_path / ".hushwood-web-1"
    lock = take(folder)
    with pytest.raises(KeyError), watched(folder):
        raise KeyError
    assert folder.exists()  # held here to the end
    give_back(folder, lock)
