"""Everything compiled runs once with its bounds checked: an index that leaves its array ends the run.

Compiling takes a minute, and numba cannot keep what checks bounds. So a state of the loops that has passed here before
is not tried again by `make test`; `make test-all` and a fresh clone always try it.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import hushwood

TESTS = Path(__file__).parents[1]
TOUR = TESTS / "support" / "kernel_tour.py"
PASSED = TESTS.parent / ".kernel_tour"  # the states that have passed


def state_of_loops() -> str:
    """A name of all that is compiled, of the tour through it, and of what compiles it."""
    state = hashlib.sha256(f"{sys.version} {version('numba')} {version('numpy')}".encode())
    source = Path(hushwood.__file__).parent
    for path in [TOUR, TESTS / "support" / "technique_variants.py", *sorted(source.rglob("kernels/*.py"))]:
        state.update(f"\0{path.name}\0".encode() + path.read_bytes())
    return state.hexdigest()


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
    passed = PASSED / state_of_loops()
    if passed.exists() and os.environ.get("HUSHWOOD_TESTS") != "all":
        pytest.skip("these loops have passed before; `make test-all` tries them again")
    done = checked([str(TOUR)], tmp_path)
    assert (done.returncode, done.stdout) == (0, "\n"), done.stdout + done.stderr
    PASSED.mkdir(exist_ok=True)
    passed.touch()


def test_an_index_that_leaves_its_array_would_be_noticed(tmp_path: Path) -> None:
    program = "import numba, numpy; numba.njit(lambda x: x[len(x) + 9])(numpy.zeros(3))"
    done = checked(["-c", program], tmp_path)
    assert "IndexError: index is out of bounds" in done.stderr
