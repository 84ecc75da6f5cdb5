"""A first use says that loops are compiled; afterwards the stage is shown again that it interrupted."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.registry import CPUDispatcher

import hushwood
from hushwood.kernels.compiling import compiled_with
from hushwood.stages import COMPILING, shows_compiling

SOURCE = Path(hushwood.__file__).parent


def compile_one(number: float) -> None:
    """Compile a loop that nothing else has compiled, and that is not kept."""
    assert numba.njit(lambda x: x[0] + number)(np.zeros(1)) == number


def test_a_stage_shows_what_is_compiled_and_then_itself_again() -> None:
    seen: list[tuple[str, int, int]] = []
    with shows_compiling(lambda *words: seen.append(words)) as stage:
        stage("growing the forest", 1, 3)
        compile_one(1.0)
        compile_one(2.0)
    before, first, again, second, last = seen
    assert before == again == last == ("growing the forest", 1, 3)
    assert first[0] == second[0] == COMPILING
    assert second[1] == first[1] + 1


def test_the_innermost_stage_is_told() -> None:
    outer: list[str] = []
    inner: list[str] = []
    with shows_compiling(lambda name, done, total: outer.append(name)):
        with shows_compiling(lambda name, done, total: inner.append(name)):
            compile_one(3.0)
        compile_one(4.0)
    assert (outer, inner) == ([COMPILING], [COMPILING])


@pytest.mark.parametrize("collecting", [True, False])
def test_compiling_leaves_garbage_collection_as_it_was(collecting: bool) -> None:
    before = gc.isenabled()
    try:
        gc.enable() if collecting else gc.disable()
        compile_one(5.0 + collecting)
        assert gc.isenabled() is collecting
    finally:
        gc.enable() if before else gc.disable()


def test_a_loop_that_cannot_be_compiled_leaves_everything_as_it_was() -> None:
    seen: list[str] = []
    with shows_compiling(lambda name, done, total: seen.append(name)) as stage:
        stage("growing the forest", 0, 1)
        with pytest.raises(numba.TypingError):
            numba.njit(lambda x: x.no_such_thing)(np.zeros(1))
    assert seen[-1] == "growing the forest"
    assert gc.isenabled()


def test_loops_are_compiled_where_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """numba refuses to compile if it finds no folder that it may write to."""

    def refused(self: object) -> None:
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(CPUDispatcher, "enable_caching", refused)
    twice = compiled_with(fastmath=True)(lambda x: 2.0 * x[0])
    assert twice(np.ones(1)) == 2.0
    assert twice.targetoptions["fastmath"]


def test_every_loop_is_compiled_in_the_one_way() -> None:
    """A module that called numba itself might compile before anything listens."""
    others = [
        path.relative_to(SOURCE).as_posix()
        for path in sorted(SOURCE.rglob("kernels/*.py"))
        if re.search(r"\bn?jit\(", path.read_text(encoding="utf-8"))
    ]
    assert others == ["kernels/compiling.py"]


def test_what_an_older_version_kept_is_compiled_again_if_its_types_have_moved(tmp_path: Path) -> None:
    """As after an update in place: the loop is as it was, and the module of its argument's type is gone."""
    (tmp_path / "loops.py").write_text(
        "from hushwood.kernels.compiling import compiled\n\n\n@compiled\ndef total(pair):\n    return pair.a + pair.b\n"
    )
    for place in ("before", "after"):
        (tmp_path / "before.py").unlink(missing_ok=True)
        (tmp_path / f"{place}.py").write_text(
            "from collections import namedtuple\n\nPair = namedtuple('Pair', 'a b')\n"
        )
        program = f"from loops import total; from {place} import Pair; print(total(Pair(1, 2)))"
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "kept")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, "3\n"), done.stderr
    assert list((tmp_path / "kept").rglob("*.nbi"))
