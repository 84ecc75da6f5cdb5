"""House rules that no linter knows: what a file may be called, import, draw from and contain.

Every rule is one loop over all files and one list of what breaks it.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from hushwood.attacks.registry import ATTACKS
from hushwood.measures.registry import MEASURES
from hushwood.techniques.registry import TECHNIQUES
from hushwood.value_clusters.registry import VALUE_CLUSTERS
from support.house import House

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "hushwood"
PAPERS = ROOT / "papers" / "src" / "hushwood_papers"
MODULES = sorted(SOURCE.rglob("*.py"))
EVERYTHING = [*MODULES, *sorted(PAPERS.rglob("*.py"))]
TESTS = sorted(path for folder in ("tests", "papers/tests") for path in (ROOT / folder).rglob("*.py"))
LONGEST_FILE = 400
LONGEST_FUNCTION = 60
VAGUE_NAMES = {"base", "common", "helpers", "misc", "utils", "v2"}
UNFINISHED = ("TODO", "FIXME", "XXX")
RANDOM_MODULES = ("random", "numpy.random", "np.random")
HEAVY = ("altair", "jinja2", "numba", "pandas", "polars", "pyarrow", "scipy", "sklearn")
# Folders that grow: everything in them is registered, or says what a registered thing is.
GROWTH = ("techniques", "measures/utility", "measures/risk", "attacks", "value_clusters")
# These name what is registered because choosing among it is their work.
CHOOSERS = {"registry.py", "recipes.py", "planning.py", "policies.py"}
REGISTERED = {
    "techniques": {name for acronym in TECHNIQUES for name in (acronym, acronym.lower())},
    "measures": set(MEASURES),
    "attacks": set(ATTACKS),
    "clusterings": set(VALUE_CLUSTERS),
}
# Phrases of a translator, each with a plain word that says the same.
STILTED = re.compile(
    r"\b(so many|anew|somebody|as it came|as they came|beside|one sentence for reports|whoever it is)\b"
    # "The text that is none": say what it is not. "There is none" is fine.
    r"|(?<!there )\b(is|are|was|were) (?-i:none)\b(?! of)"
    # What is printed is a character; a sign is plus or minus, or says more.
    r"|\b(hidden|invisible|unprintable) signs?\b|\bsigns? between thousands|\bhalves of signs|\bno sign is hidden",
    re.IGNORECASE,
)
HOUSE = House(ROOT)
# How often the source still breaks a rule: fewer every week, never more. Whoever mends some lowers the number.
STILL_BROKEN = {"lonely_modules": 15, "small_helpers": 294, "shared_class_names": 0, "cycles": 0}


@cache
def text_of(path: Path) -> str:
    return path.read_text("utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


def names(paths: list[Path], broken: Callable[[Path], object]) -> list[str]:
    """The files that break a rule, and how."""
    found = ((path.relative_to(ROOT).as_posix(), broken(path)) for path in paths)
    return [name if how is True else f"{name}: {how}" for name, how in found if how]


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


def long_functions(path: Path) -> list[str]:
    nodes = (n for n in ast.walk(tree_of(path)) if isinstance(n, ast.FunctionDef))
    return [n.name for n in nodes if (n.end_lineno or 0) - n.lineno + 1 > LONGEST_FUNCTION]


def central_lists(tree: ast.AST) -> list[str]:
    """Literals that name several things of one registry."""
    found = []
    for node in ast.walk(tree):
        parts = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", ())
        words = {
            part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)
        }
        for kind, known in REGISTERED.items():
            if len(words & known) > 1:
                found.append(f"line {node.lineno} lists {kind} {sorted(words & known)}")  # type: ignore[attr-defined]
    return found


def sentences(path: Path) -> Iterator[str]:
    """Docstrings, comments and texts of a module."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.value
    yield from re.findall(r"#.*", text_of(path))


def test_the_rules_see_the_source() -> None:
    assert len(MODULES) > 200
    assert len(TESTS) > 200


def test_oracles_import_nothing_from_hushwood() -> None:
    oracles = sorted((ROOT / "tests" / "oracles").rglob("*.py"))
    assert oracles
    assert names(oracles, lambda p: [n for n in imported(tree_of(p)) if n.split(".")[0] == "hushwood"]) == []


def test_files_are_short() -> None:
    assert names(EVERYTHING, lambda p: len(text_of(p).splitlines()) > LONGEST_FILE) == []


def test_functions_are_short() -> None:
    assert names(EVERYTHING, long_functions) == []


@pytest.mark.parametrize("rule", STILL_BROKEN)
def test_the_house_gets_simpler(rule: str) -> None:
    """Small modules belong to their importer, helpers of three lines to their caller; a name means one class."""
    broken = getattr(HOUSE, rule)
    assert len(broken) <= STILL_BROKEN[rule], f"{len(broken)} in place of {STILL_BROKEN[rule]}: {broken}"


def test_file_and_folder_names_say_what_they_hold() -> None:
    assert names(EVERYTHING, lambda p: VAGUE_NAMES & set(p.with_suffix("").parts)) == []


def test_chance_comes_from_the_keyed_streams_only() -> None:
    assert names(EVERYTHING, lambda p: p.name != "random_streams.py" and random_sources(text_of(p))) == []


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


def test_nothing_is_left_for_later() -> None:
    assert names(EVERYTHING, lambda p: [word for word in UNFINISHED if word in text_of(p)]) == []


def test_every_module_says_what_it_is_for() -> None:
    assert names(EVERYTHING, lambda p: len((ast.get_docstring(tree_of(p)) or "").split()) < 3) == []


def test_growth_folders_hold_only_what_is_registered() -> None:
    for folder in GROWTH:
        registry = next(
            iter((SOURCE / folder).glob("registry.py")), SOURCE / Path(folder).parts[0] / "registry.py"
        )
        registered = {name.split(".")[-1] for name in imported(tree_of(registry))} | set(
            re.findall(r"\w+", text_of(registry))
        )
        known = registered | {"__init__", "protocol", "registry"}
        assert names(sorted((SOURCE / folder).glob("*.py")), lambda p, k=known: p.stem not in k) == [], folder  # type: ignore[misc]


def test_facts_about_registered_things_stand_in_their_own_files() -> None:
    others = [path for path in MODULES if path.name not in CHOOSERS]
    assert names(others, lambda p: central_lists(tree_of(p))) == []


@pytest.mark.parametrize(
    "text",
    ['X = {"sers": 1, "eduds": 2}', 'X = ("linkage", "membership")', 'X = frozenset({"GADP", "SHUFFLE"})'],
)
def test_a_central_list_is_noticed(text: str) -> None:
    assert central_lists(ast.parse(text))


def test_texts_are_plain_english() -> None:
    def stilted(path: Path) -> list[str]:
        return [match[0] for text in sentences(path) for match in STILTED.finditer(text)]

    assert names(EVERYTHING, stilted) == []


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


def test_tests_leave_nothing_to_chance() -> None:
    """Neither generators without a seed, nor settings of their own about examples and time."""

    def by_chance(path: Path) -> list[int]:
        calls = (node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call))
        return [call.lineno for call in calls if _leaves_to_chance(call, path)]

    assert names(TESTS, by_chance) == []


def _leaves_to_chance(call: ast.Call, path: Path) -> bool:
    name = getattr(call.func, "attr", None) or getattr(call.func, "id", "")
    given = {word.arg for word in call.keywords}
    if name in {"default_rng", "Random"}:
        return not (call.args or call.keywords)
    return (
        name == "settings" and not given.isdisjoint({"deadline", "derandomize"}) and path.stem != "conftest"
    )
