"""The size and the shape of the house: what a newcomer has to read, and what a job loads and runs.

    python benchmarks/house.py [CHECKOUT ...] [--quick]      `make figures BEFORE=CHECKOUT` puts another one beside this

Counts of the source are those of tests/support/house.py, which the rules of the repository check too. A release and an
audit of a small table are run under a profiler, which notes in which modules a function ran; CPU seconds are the median
of several starts, one checkout after the other in turn. With --quick nothing is timed.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "tests"))

from support.house import House  # noqa: E402 - it lies with the tests, whose rules use it too

STARTS = 9
# Functions that Python users call take every option as a keyword.
PUBLIC = ("hushwood.api.", "hushwood.sklearn.", "hushwood.cli.", "hushwood.tables.reading.read")
# What runs while a module is imported is left out.
TRACED = """
import os, runpy, sys, threading
ran, importing = set(), threading.local()
def note(frame, event, _):
    code = frame.f_code
    if code.co_name == "<module>" and frame.f_globals.get("__name__") != "__main__":
        importing.depth = getattr(importing, "depth", 0) + {"call": 1, "return": -1}.get(event, 0)
    elif event == "call" and "/hushwood/" in code.co_filename and not getattr(importing, "depth", 0):
        ran.add((code.co_filename, code.co_qualname))
def end(code):
    raise SystemExit(code)
report, sys.argv, os._exit = sys.argv[1], ["hushwood", *sys.argv[2:]], end
threading.setprofile(note)
sys.setprofile(note)
try:
    runpy.run_module("hushwood", run_name="__main__")
finally:
    sys.setprofile(None)
    loaded = [name for name in sys.modules if name.startswith("hushwood")]
    files = {file for file, _ in ran}
    lines = sum(len(open(file).readlines()) for file in files)
    open(report, "w").write(f"{len(files)} {len(ran)} {lines} {len(loaded)}")
"""


def main() -> None:
    """Print one column for every checkout."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkouts", nargs="*", type=Path, help="default: this one")
    parser.add_argument("--quick", action="store_true", help="count, and time nothing")
    asked = parser.parse_args()
    roots = [path.resolve() for path in asked.checkouts] or [ROOT]
    columns = [counted(House(root)) | traced(root) for root in roots]
    if not asked.quick:
        for column, more in zip(columns, timed(roots), strict=True):
            column.update(more)
    width = max(map(len, columns[0]))
    print(" " * width, *(f"{root.name:>12}" for root in roots))
    for name in columns[0]:
        print(f"{name:<{width}}", *(f"{column[name]:>12}" for column in columns))


def counted(house: House) -> dict[str, str]:
    """What stands in the source."""
    inner = next((count, name) for count, name in house.parameters if not name.startswith(PUBLIC))
    figures = {
        "files in src": house.lines("src")[0],
        "lines in src": house.lines("src")[1],
        "files of tests": house.lines("tests", "papers/tests")[0],
        "lines of tests": house.lines("tests", "papers/tests")[1],
        "longest parameter list": house.parameters[0][0],
        "... but for what users call and compiled loops": inner[0],
        "functions of more than 7 parameters": sum(count > 7 for count, _ in house.parameters),
        "import cycles inside packages": len(house.cycles),
        "names that several classes have": len(house.shared_class_names),
        "private functions of 3 lines used once": len(house.small_helpers),
        "modules below 150 lines, one importer beside": len(house.lonely_modules),
    }
    return {name: f"{value:,}" for name, value in figures.items()}


def traced(root: Path) -> dict[str, str]:
    """What a release without evidence and an audit load and run."""
    figures: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        table = _small_table(Path(folder))
        for name, words in _jobs(table).items():
            report = Path(folder) / "report.txt"
            _run(root, [sys.executable, "-c", TRACED, str(report), *words], Path(folder))
            modules, functions, lines, loaded = map(int, report.read_text().split())
            figures |= {
                f"{name}: modules run": f"{modules:,}",
                f"{name}: functions run": f"{functions:,}",
                f"{name}: lines of these modules": f"{lines:,}",
                f"{name}: modules loaded": f"{loaded:,}",
            }
    return figures


def timed(roots: list[Path]) -> list[dict[str, str]]:
    """CPU seconds of starts, of a small release, and of collecting the tests."""
    with tempfile.TemporaryDirectory() as folder:
        table = _small_table(Path(folder))
        release = [sys.executable, "-m", "hushwood", *_jobs(table)["release"]]
        commands: dict[str, Callable[[Path], list[str]]] = {
            "hushwood --help": lambda _: [sys.executable, "-m", "hushwood", "--help"],
            "small release": lambda _: release,
            "import hushwood.api": lambda _: [sys.executable, "-c", "import hushwood.api"],
        }
        figures: list[dict[str, str]] = [{} for _ in roots]
        for name, command in commands.items():
            seconds: list[list[float]] = [[] for _ in roots]
            for start in range(STARTS + 1):
                for place, root in enumerate(roots):
                    took = _run(root, command(root), Path(folder))
                    seconds[place] += [took] * (start > 0)  # the first one fills caches
            for place, found in enumerate(seconds):
                figures[place][f"CPU seconds: {name}"] = f"{statistics.median(found):.2f}"
        for place, root in enumerate(roots):
            collect = [
                sys.executable,
                "-m",
                "pytest",
                "--collect-only",
                "-q",
                "-p",
                "no:randomly",
                "tests",
                "papers/tests",
            ]
            figures[place]["CPU seconds: collection of the tests"] = f"{_run(root, collect, root):.1f}"
    return figures


def _small_table(folder: Path) -> Path:
    rows = (
        f"{20 + i % 60},{(i * 37) % 100},{'xyz'[i % 3]},{'no' if i % 60 < 25 else 'yes'}" for i in range(300)
    )
    path = folder / "people.csv"
    path.write_text("\n".join(["age,score,group,ill", *rows, ""]))
    return path


def _jobs(table: Path) -> dict[str, list[str]]:
    name = str(table)
    made = ["--class", "ill", "--seed", "5b" * 32, "--reuse-key", "--force", "--evidence", "none", "--quiet"]
    return {
        "release": ["release", name, *made, "-o", str(table.with_name("out"))],
        "audit": [
            "audit",
            name,
            name,
            "--class",
            "ill",
            "--evidence",
            "quick",
            "--quiet",
            "--json",
            "audit.json",
        ],
    }


def _run(root: Path, command: list[str], folder: Path) -> float:
    """Run with the package of a checkout; the CPU seconds that it took."""
    path = os.pathsep.join(str(root / part) for part in ("src", "papers/src"))
    given = {**os.environ, "PYTHONPATH": path, "HUSHWOOD_LEDGER": str(folder / "ledger.json")}
    before = os.times()
    done = subprocess.run(command, env=given, cwd=folder, capture_output=True, text=True, check=False)
    after = os.times()
    if done.returncode not in (0, 1):
        print(re.sub(r"(?s).*(.{2000})", r"\1", done.stderr), file=sys.stderr)
    return after.children_user + after.children_system - before.children_user - before.children_system


if __name__ == "__main__":
    main()
