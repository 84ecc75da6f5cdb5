"""Everything compiled runs once with its bounds checked: an index that leaves its array ends the run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]


def checked(words: list[str], cache: Path) -> subprocess.CompletedProcess[str]:
    """Run Python with checked bounds, without the optimisations that take most of the time to compile.

    Compiled functions are kept under names that do not tell whether bounds are checked, so they need their own folder.
    """
    changed = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "0", "NUMBA_CACHE_DIR": str(cache)}
    folders = [str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | changed | {"PYTHONPATH": os.pathsep.join(folders)}
    return subprocess.run(
        [sys.executable, *words], env=environment, capture_output=True, text=True, check=False
    )


def test_no_compiled_loop_leaves_its_arrays(tmp_path: Path) -> None:
    done = checked([str(TESTS / "support" / "kernel_tour.py")], tmp_path)
    assert (done.returncode, done.stdout) == (0, "\n"), done.stdout + done.stderr


def test_an_index_that_leaves_its_array_would_be_noticed(tmp_path: Path) -> None:
    program = "import numba, numpy; numba.njit(lambda x: x[len(x) + 9])(numpy.zeros(3))"
    done = checked(["-c", program], tmp_path)
    assert "IndexError: index is out of bounds" in done.stderr
