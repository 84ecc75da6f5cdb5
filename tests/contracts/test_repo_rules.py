"""House rules that no linter knows: what a file may be called, import, draw from and contain."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "hushwood"
MODULES = sorted(SOURCE.rglob("*.py"))
ORACLES = sorted((ROOT / "tests" / "oracles").rglob("*.py"))
LONGEST_FILE = 400
VAGUE_NAMES = {"base", "common", "helpers", "misc", "utils", "v2"}
UNFINISHED = ("TODO", "FIXME", "XXX")
RANDOM_MODULES = ("random", "numpy.random", "np.random")
HEAVY = ("altair", "jinja2", "numba", "pandas", "polars", "pyarrow", "scipy", "sklearn")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


each_module = pytest.mark.parametrize("path", MODULES, ids=name_of)


def imported(tree: ast.AST) -> Iterator[str]:
    """Full names of everything a module imports, at its top or inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def random_sources(text: str) -> list[str]:
    """Uses of random generators other than the keyed streams."""
    tree = ast.parse(text)
    dotted = (ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    used = {*imported(tree), *dotted}
    return sorted(use for use in used if any(use == r or use.startswith(f"{r}.") for r in RANDOM_MODULES))


def test_the_rules_see_the_source() -> None:
    assert len(MODULES) > 20


@pytest.mark.parametrize("path", ORACLES, ids=name_of)
def test_oracles_import_nothing_from_hushwood(path: Path) -> None:
    names = imported(ast.parse(path.read_text("utf-8")))
    assert [name for name in names if name.split(".")[0] in {"hushwood", "src"}] == []


@each_module
def test_files_are_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= LONGEST_FILE


@each_module
def test_file_and_folder_names_say_what_they_hold(path: Path) -> None:
    assert VAGUE_NAMES.isdisjoint(path.relative_to(SOURCE).with_suffix("").parts)


@each_module
def test_chance_comes_from_the_keyed_streams_only(path: Path) -> None:
    assert path == SOURCE / "random_streams.py" or random_sources(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "text",
    [
        "import random",
        "from random import choice",
        "from numpy.random import default_rng",
        "from numpy import random",
        "import numpy as np\nx = np.random.default_rng(1)",
        "def f():\n    import numpy.random",
    ],
)
def test_a_generator_made_elsewhere_is_noticed(text: str) -> None:
    assert random_sources(text)


def test_the_streams_themselves_are_no_generator_made_elsewhere() -> None:
    assert random_sources("from hushwood.random_streams import Streams\nx = streams.random_words") == []


@each_module
def test_nothing_is_left_for_later(path: Path) -> None:
    text = path.read_text("utf-8")
    assert [word for word in UNFINISHED if word in text] == []


@each_module
def test_every_module_says_what_it_is_for(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    assert len(docstring.split()) >= 3


def test_the_command_starts_without_heavy_libraries() -> None:
    program = f"import sys, hushwood.cli.main; print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr


def test_hypothesis_draws_the_same_examples_at_any_speed() -> None:
    """Unless `make fuzz` asks for others."""
    used = settings.get_profile("steady")
    assert used.derandomize
    assert used.deadline is None
    assert HealthCheck.too_slow in used.suppress_health_check
    assert settings.get_current_profile_name() == os.environ.get("HYPOTHESIS_PROFILE", "steady")


@pytest.mark.parametrize("path", sorted((ROOT / "tests").rglob("*.py")), ids=name_of)
def test_tests_leave_nothing_to_chance(path: Path) -> None:
    """Neither generators without a seed, nor settings of their own about examples and time."""
    calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    for call in calls:
        name, given = ast.unparse(call.func).split(".")[-1], {word.arg for word in call.keywords}
        assert name not in {"default_rng", "Random"} or call.args or call.keywords, call.lineno
        assert name != "settings" or given.isdisjoint({"deadline", "derandomize"}) or path.stem == "conftest"
